import type { Inspection } from '../core/client.js';
import { GOOD_OUTCOMES, type Outcome, type Problem } from '../core/outcome.js';
import type { RowReport } from '../core/report.js';
import { shortened } from '../core/text.js';

/** Reasons that are shown at the end of a command. */
const SHOWN = 5;

export type TopReasons = ReturnType<typeof topReasons>;

/** The most frequent reasons why rows did not end well, and how many more there are. */
export function topReasons(tally: ReasonTally) {
  const all = tally.list();
  const reasons = all.slice(0, SHOWN);
  return { reasons, more: all.length - reasons.length + tally.unlisted };
}

/** Whether the contact center refused to create these clients in such words. It has no codes for why (interface.md 4.1). */
const isRefused = ({ outcome, from, message }: Reason, words: RegExp): boolean =>
  outcome === 'failed' && from === 'contact center' && words.test(message);

/**
 * Whether these rows failed since the contact center keeps clients with these identifiers as deleted: an import with
 * `recovery` can restore them.
 */
export const isRecoverable = (reason: Reason): boolean => isRefused(reason, /\bdeleted\b/i);

/**
 * Whether all rows that did not end well failed since their clients are there already: nothing in them is to be corrected.
 * `reasons`: all that there are.
 */
export function areAllThere(reasons: readonly Reason[]): boolean {
  const bad = reasons.filter(({ outcome }) => !GOOD_OUTCOMES.has(outcome));
  return bad.length > 0 && bad.every((reason) => isRefused(reason, /\balready exists\b/i));
}

/** Reasons that are counted separately. The contact center may put a row's values into each message. */
const MAX_REASONS = 10_000;

/** Rows that are examples of a reason. */
const MAX_EXAMPLES = 5;

/** Values that are examples of a reason, each another. */
const MAX_VALUES = 3;

const NUMBER = /\d+/g;

/** A contact center names the client by its identifiers, which differ in every row. */
const IDENTIFIERS = /(?<=\bidentifiers: )\[[^\]]*\]/g;

/** The position of a row in the inputs. */
export type RowPlace = Pick<RowReport, 'input' | 'sheet' | 'row'>;

/** A row as an example of a reason. */
interface RowExample extends RowPlace {
  /** The value with the problem; `null` where there is none. */
  readonly value: string | null;
}

/** Why rows ended as they did, and how many of them. */
export interface Reason {
  /** Its number among the reasons of a tally, in the order of their first rows. */
  readonly id: number;
  readonly outcome: Outcome;
  /**
   * `contact center`: its own words; `row`: problems of the row's data or its request; `comparison`: how the row and the
   * contact center differ.
   */
  readonly from: 'contact center' | 'row' | 'comparison';
  /** Header of the column, or name of the card field that differs; `null` for the whole row. */
  readonly column: string | null;
  /** Code of the problem; `null` for words of the contact center. */
  readonly code: string | null;
  /** Messages that differ in numbers or identifiers only are one reason, with … in place of these. */
  readonly message: string;
  readonly rows: number;
  readonly examples: readonly RowExample[];
  /** Some of the values with the problem, no two alike. Personal data: for the terminal alone. */
  readonly values: readonly string[];
}

type Results = Pick<RowReport, 'outcome' | 'createResult' | 'enqueueResult' | 'changeResult'>;

/** What a reason is made of: a part of a row's report. */
type ReasonRow = RowPlace & Results & Pick<RowReport, 'ordinal' | 'problems' | 'inspection'>;

/** What makes two reasons one, beside the outcome and the message. */
type ReasonKey = Pick<Reason, 'from' | 'column' | 'code'>;

interface Tallied extends Reason {
  message: string;
  rows: number;
  readonly examples: RowExample[];
  readonly values: string[];
  /** Ordinal of the last row with it: a row counts once. */
  last: number;
}

/** Counts reasons row by row. Memory does not grow with the rows. */
export class ReasonTally {
  private readonly reasons = new Map<string, Tallied>();
  private uncounted = 0;

  constructor(private readonly max = MAX_REASONS) {}

  /** Counts the reasons of a row; returns their ids, without those that are not listed. */
  add(row: ReasonRow): readonly number[] {
    const ids = new Set<number>();
    const count = (reason: ReasonKey, message: string, value: string | null = null): void => {
      const id = this.count(row, reason, message, value);
      if (id !== null) ids.add(id);
    };
    const words = refusal(row);
    if (words !== null) count({ from: 'contact center', column: null, code: null }, words);
    for (const { column, code, message } of row.inspection ? comparisonReasons(row.inspection) : [])
      count({ from: 'comparison', column, code }, message);
    for (const { column, code, message, value } of row.problems)
      count({ from: 'row', column, code }, message, value);
    return [...ids];
  }

  /** The most frequent first; equally frequent ones in the order of their first rows. */
  list(): Reason[] {
    return [...this.reasons.values()]
      .sort((a, b) => b.rows - a.rows)
      .map(({ last: _, ...reason }) => reason);
  }

  /** Those that need the person before the others. */
  byNeed(): Reason[] {
    const isGood = ({ outcome }: Reason): boolean => GOOD_OUTCOMES.has(outcome);
    return [...this.list().filter((reason) => !isGood(reason)), ...this.list().filter(isGood)];
  }

  /** Occurrences of reasons that are not listed, since there are too many different ones. */
  get unlisted(): number {
    return this.uncounted;
  }

  private count(
    row: ReasonRow,
    { from, column, code }: ReasonKey,
    words: string,
    value: string | null,
  ): number | null {
    const message = shortened(words);
    const general = message.replace(IDENTIFIERS, '[…]').replace(NUMBER, '…');
    const key = JSON.stringify([row.outcome, from, column, code, general]);
    const { outcome, ordinal } = row;
    let reason = this.reasons.get(key);
    if (!reason && this.reasons.size >= this.max) {
      this.uncounted++;
      return null;
    }
    if (!reason) {
      const id = this.reasons.size;
      const none = { rows: 0, examples: [], values: [], last: -1 };
      reason = { id, outcome, from, column, code, message, ...none };
      this.reasons.set(key, reason);
    }
    if (reason.message !== message) reason.message = general;
    if (reason.last === ordinal) return reason.id;
    reason.last = ordinal;
    reason.rows++;
    const shown = value === null ? null : shortened(value);
    if (shown !== null && reason.values.length < MAX_VALUES && !reason.values.includes(shown))
      reason.values.push(shown);
    if (reason.examples.length < MAX_EXAMPLES) {
      const { input, sheet, row: number } = row;
      reason.examples.push({ input, sheet, row: number, value: shown });
    }
    return reason.id;
  }
}

/** The contact center's words for a row that it refused. */
export function refusal(row: Results): string | null {
  if (row.outcome === 'failed') return row.changeResult ?? row.createResult;
  return row.outcome === 'enqueue_failed' ? row.enqueueResult : null;
}

const OF_VERDICT: Partial<Record<Inspection['verdict'], string>> = {
  missing: 'There is no card with these identifiers.',
  not_in_campaign: 'The card has no call application in the campaign.',
};
const DIFFERENT = 'The card has another value.';

/** What a comparison found, as reasons: a field that differs is one reason, whatever its values. */
function comparisonReasons({
  verdict,
  differences,
  remark,
}: Inspection): Pick<Problem, 'column' | 'code' | 'message'>[] {
  const general = [OF_VERDICT[verdict], remark].filter((message) => message !== undefined);
  return [
    ...differences.map(({ field }) => ({ column: field, code: 'different', message: DIFFERENT })),
    ...general.map((message) => ({ column: null, code: verdict, message })),
  ];
}
