import { examplePhones, isCountry, planOf } from '../../mapping/transforms/phone/library.js';
import type { ColumnTarget, ColumnUse } from '../../mapping/columns/column-uses.js';
import { stepNamed } from './steps.js';

/**
 * Texts that may be an example of what a column holds, the likeliest first. Each is tried out before it is shown.
 * `taken`: examples of other columns, which another phone should not repeat.
 */
export function examplesOf(use: ColumnUse, taken: ReadonlySet<string>): readonly string[] {
  if (stepNamed(use, 'phone') !== undefined || use.target === 'phone')
    return phones(use).filter((phone) => !taken.has(phone));
  return [...literals(use), ...BY_TARGET[use.target], ...ANYTHING];
}

/** A condition on plain words, such as `(?i)^call again$`, is met by them. */
function literals({ where }: ColumnUse): string[] {
  const words = where?.matches?.replace(/^(?:\(\?\w+\))?\^?|\$$/g, '') ?? '';
  return words === '' || /[\\^$.*+?()[\]{}|]/.test(words) ? [] : [words];
}

/** What fits most values that a mapping may want. */
const ANYTHING = ['1001', '1', 'Example', 'name@example.com', 'yes', '2030-12-31'];

const BY_TARGET: Readonly<Record<ColumnTarget, readonly string[]>> = {
  field: ['Example', '1001'],
  clientRoleId: ['1'],
  type: ['SIMPLE'],
  timeZone: ['Europe/Berlin', '+01:00'],
  phone: [],
  email: ['name@example.com'],
  address: ['1 Main Street, Springfield'],
  'phone type': ['MOB'],
  'address type': ['HOME'],
  flag: ['yes'],
  uuid: ['7b0c4b62-6c0c-4a35-9a0e-0f5ad5c1a001'],
  'client id': ['1001'],
  'operator id': ['7'],
  'call at': ['2030-12-31T10:00:00+01:00'],
  text: ['Example'],
  filter: ['Example'],
  // A row that is too old is left out.
  received: [new Date().toISOString().slice(0, 10)],
  shown: ['Example'],
};

/** Of ranges that are set aside for examples. */
const PHONES = ['+447700900123', '+12025550123', '74951234567'];

function phones(use: ColumnUse): string[] {
  const country = stepNamed(use, 'phone')?.country?.trim().toUpperCase();
  const own = country === undefined ? undefined : ownPhone(country);
  return own === undefined ? PHONES : [own, ...others(own), ...PHONES];
}

/** Numbers beside an example. */
const others = (own: string): string[] =>
  ['0', '1', '2', '3', '4'].map((digit) => own.slice(0, -1) + digit);

function ownPhone(country: string): string | undefined {
  const plan = isCountry(country) ? planOf(country) : null;
  return plan === null ? undefined : `+${plan.callingCode}${examplePhones()[plan.country]}`;
}
