/** When a client may be called: at this moment, later on the same day by its clocks, on a later day, or never. */
export const CALL_TIMES = ['now', 'today', 'later', 'never'] as const;
export type CallTime = (typeof CALL_TIMES)[number];

/** Clients by when they may be called, as of one moment. */
export type CallCounts = Record<CallTime, number>;

/** What a run says of when its clients may be called. */
export interface CallSummary extends CallCounts {
  /** The moment at which that was so, in ISO 8601. */
  readonly asOf: string;
}

export function noCalls(): CallCounts {
  return { now: 0, today: 0, later: 0, never: 0 };
}

/** Codes of what a report says of a row whose client may not be called now. */
export const CALL_CODES = {
  today: 'opens_today',
  later: 'opens_later',
  never: 'never_open',
} as const satisfies Record<Exclude<CallTime, 'now'>, string>;

const TIMES = new Map<string, CallTime>([
  [CALL_CODES.today, 'today'],
  [CALL_CODES.later, 'later'],
  [CALL_CODES.never, 'never'],
]);

/** When the client of a row may be called, by the codes of its problems or remarks; `null` where none says so. */
export function callTimeOf(found: readonly { readonly code: string }[]): CallTime | null {
  for (const { code } of found) {
    const time = TIMES.get(code);
    if (time) return time;
  }
  return null;
}
