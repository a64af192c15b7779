import { dateByForm } from '../../mapping/transforms/date/date-forms.js';
import { NEARLY_ALL } from './share.js';
import { compileDate, type DatePattern } from '../../mapping/transforms/date/date-pattern.js';

const DAYS = [
  'yyyy-MM-dd',
  'yyyy/M/d',
  'yyyy.MM.dd',
  'd.M.yyyy',
  'd/M/yyyy',
  'M/d/yyyy',
  'd-M-yyyy',
  'M-d-yyyy',
  'd.M.yy',
  'd/M/yy',
  'M/d/yy',
];
const TIMES = [
  ...['', ' H:mm', ' H:mm:ss', "'T'HH:mm:ss", ' h:mm a', ' h:mm:ss a', ' h:mma'],
  ...[', H:mm', ', H:mm:ss', ', h:mm a', ', h:mm:ss a'],
];

interface Named {
  readonly name: string;
  readonly pattern: DatePattern;
}

/** Patterns in the order in which they are tried; each reads cells with and without leading zeros. */
const PATTERNS: readonly Named[] = DAYS.flatMap((day) =>
  TIMES.map((time) => ({ name: day + time, pattern: compileDate(day + time) })),
);

/** With a zone behind it, or am and pm in other forms: dates that hardly any pattern of a mapping reads. */
const OTHER_DATE =
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?\s?(?:Z|UTC|[+-]\d{2}:?\d{2})$|^\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+\d{1,2}:\d{2}(?::\d{2})?\s?[ap]\.?m\.?$/i;

/** Whether a text is a date in one of the known patterns. */
export function isDate(text: string): boolean {
  return (
    (/^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/.test(text) &&
      (OTHER_DATE.test(text) || namesFor(text).length > 0)) ||
    isInWords(text)
  );
}

/** With the month as a word: `Nov 3, 2026`. */
const isInWords = (text: string): boolean =>
  text.length <= 40 && /\p{L}{3}/u.test(text) && /\d/.test(text) && dateByForm(text) !== null;

function namesFor(text: string): string[] {
  return PATTERNS.filter(({ pattern }) => pattern.read(text) !== null).map(({ name }) => name);
}

/** How the dates of a column are written. */
export type DateForm =
  /** `2026-11-03` in every cell, as dates are stored. */
  | { readonly kind: 'stored' }
  /** The form says what is year, month and day: no pattern is needed. */
  | { readonly kind: 'own'; readonly hasTime: boolean }
  | { readonly kind: 'patterns'; readonly names: readonly string[] }
  /** Every one can be read with the day first and with the month first. */
  | { readonly kind: 'ambiguous'; readonly dayFirst: string; readonly monthFirst: string }
  /** Dates that no pattern of a mapping can read. */
  | { readonly kind: 'unreadable' };

/** Share of the cells that one or two patterns have to read, where no form reads as many. */
const ENOUGH = 0.98;

/** The form that reads nearly all cells of a column, given with how often each occurs. */
export function dateForm(cells: ReadonlyMap<string, number>): DateForm {
  const form = formFor(cells, ENOUGH);
  return form.kind === 'unreadable' ? formFor(cells, NEARLY_ALL) : form;
}

/** How many cells a form does not read. */
export function oddDates(cells: ReadonlyMap<string, number>, form: DateForm): number {
  if (form.kind === 'stored' || form.kind === 'unreadable') return 0;
  if (form.kind === 'own') return sum([...cells].filter(([text]) => dateByForm(text) === null));
  const names = form.kind === 'patterns' ? form.names : [form.dayFirst];
  const readers = PATTERNS.filter(({ name }) => names.includes(name));
  return sum(
    [...cells].filter(([text]) => readers.every(({ pattern }) => pattern.read(text) === null)),
  );
}

function formFor(cells: ReadonlyMap<string, number>, enough: number): DateForm {
  const own = ownForm(cells, enough);
  if (own) return own;
  const counts = new Map<string, number>();
  let total = 0;
  for (const [text, count] of cells) {
    total += count;
    for (const name of namesFor(text)) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const readers = [...counts].sort((a, b) => b[1] - a[1]);
  const [best] = readers;
  if (!best) return { kind: 'unreadable' };
  const equal = readers.filter(([, count]) => count === best[1]).map(([name]) => name);
  const dayFirst = equal.find((name) => /^d+[/-]/.test(name));
  const monthFirst = equal.find((name) => /^M+[/-]/.test(name));
  if (dayFirst !== undefined && monthFirst !== undefined && best[1] >= total * enough)
    return { kind: 'ambiguous', dayFirst: dayFirst, monthFirst: monthFirst };
  return covering(cells, total, enough);
}

const STORED = /^\d{4}-\d{2}-\d{2}$/;

/** Where nearly all cells can be read without a pattern. */
function ownForm(cells: ReadonlyMap<string, number>, enough: number): DateForm | null {
  const all = [...cells];
  const read = all.filter(([text]) => dateByForm(text) !== null);
  const total = sum(all);
  if (total === 0 || sum(read) < total * enough) return null;
  if (sum(all.filter(([text]) => STORED.test(text))) === total) return { kind: 'stored' };
  return { kind: 'own', hasTime: read.every(([text]) => /\d:\d\d/.test(text)) };
}

/** One pattern after the other, each the one that reads most of what is left. */
function covering(cells: ReadonlyMap<string, number>, total: number, enough: number): DateForm {
  const names: string[] = [];
  let left = new Map(cells);
  for (let turn = 0; turn < 3 && left.size > 0; turn++) {
    const counts = PATTERNS.map(({ name, pattern }) => ({
      name,
      pattern,
      count: sum([...left].filter(([text]) => pattern.read(text) !== null)),
    }));
    const best = counts.reduce((a, b) => (b.count > a.count ? b : a));
    if (best.count === 0) break;
    names.push(best.name);
    left = new Map([...left].filter(([text]) => best.pattern.read(text) === null));
  }
  return total - sum([...left]) >= total * enough && names.length > 0
    ? { kind: 'patterns', names }
    : { kind: 'unreadable' };
}

const sum = (cells: readonly (readonly [string, number])[]): number =>
  cells.reduce((total, [, count]) => total + count, 0);
