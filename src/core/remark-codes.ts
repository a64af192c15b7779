import { CALL_CODES } from './time/call-time.js';

/** Codes of remarks on what is sent as it is, or as it was read: nothing of it is left out. */
const ON_WHAT_IS_SENT: ReadonlySet<string> = new Set([
  ...[
    'cells_missing',
    'hidden_row',
    'stray_quote',
    'shared_phone',
    'not_compared',
    'too_old',
    'age_unknown',
  ],
  ...['ambiguous_phone', 'phone_rewritten', 'phone_elsewhere', 'ambiguous_time_zone'],
  ...Object.values(CALL_CODES),
]);

/** Whether a remark with this code says that a value was left out of a row that was sent. */
export const leavesOut = (code: string): boolean => !ON_WHAT_IS_SENT.has(code);
