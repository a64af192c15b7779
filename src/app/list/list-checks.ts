import { basename } from 'node:path';
import type { PreparedChunk } from '../../core/prepared.js';
import {
  type CheckOutcome,
  addHit,
  addHits,
  type CheckedPlace,
  type HitCount,
  noHits,
} from '../../core/quality.js';
import type { Problem } from '../../core/problem.js';
import { REJECTS_NAME, type RowReport } from '../../core/report.js';
import type { CheckSpec } from '../../mapping/schema/checks.js';
import type { Preparation } from '../../prepare/plan.js';
import { type CheckLimit, decideCheck } from '../../quality/checks/decide-check.js';

/**
 * The checks of a list; none where the files are rejects of earlier runs, which are no list of their own, but the worst
 * rows of one.
 */
export function checksOf({ mapping, inputs }: Pick<Preparation, 'mapping' | 'inputs'>) {
  const areRejects = inputs.every(({ name }) => REJECTS_NAME.test(basename(name)));
  return areRejects ? [] : (mapping.sections.checks ?? []);
}

/** Counts what the checks of a list look for, and decides them at its end. */
export class ListChecks {
  readonly #counts: readonly HitCount[];
  #rows = 0;
  #taken = 0;

  constructor(private readonly checks: readonly CheckSpec[]) {
    this.#counts = checks.map(noHits);
  }

  /** Whether nothing may be sent before the list has been read. */
  get hasStop(): boolean {
    return this.checks.some((check) => check.else === 'stop');
  }

  /** Whether rows that repeat others are counted. */
  get countsDuplicates(): boolean {
    return this.checks.some(({ duplicates }) => duplicates !== undefined);
  }

  addChunk({ count, list }: PreparedChunk): void {
    this.#rows += count;
    if (!list) return;
    this.#taken += list.taken;
    for (const [at, its] of this.#counts.entries()) {
      const more = list.checked[at];
      if (more) addHits(its, more);
    }
  }

  /** Rows of a chunk that repeat others: their position in it, and why. */
  addDuplicates(
    { clients, input, sheet }: PreparedChunk,
    found: readonly (readonly [at: number, why: Problem])[],
  ): void {
    if (found.length === 0 || !this.countsDuplicates) return;
    const rows = new Map<number, number>();
    for (const [index, at] of clients.at.entries()) rows.set(at, clients.rows[index] ?? 0);
    for (const [at, why] of found) this.#addRepeat(why, { input, sheet, row: rows.get(at) ?? 0 });
  }

  /** A row at its end: what was not seen of the chunks. */
  addRow(row: RowReport): void {
    const { input, sheet, row: number, outcome, problems } = row;
    const place = { input, sheet, row: number };
    if (outcome === 'unchanged') this.#hit(({ unchanged }) => unchanged !== undefined, place);
    if (outcome !== 'skipped') return;
    const why = problems.find(({ code }) => code.startsWith('duplicate'));
    if (why) this.#addRepeat(why, place);
  }

  /** What each check came to. */
  outcomes(): CheckOutcome[] {
    return this.checks.map((check, at) => {
      const isRows = check.rows !== undefined;
      const counted = isRows ? { hits: this.#rows, examples: [] } : (this.#counts[at] ?? noHits());
      const limit: CheckLimit = check.rows ?? check.max;
      const isStop = check.else === 'stop';
      return decideCheck({ subject: subjectOf(check), limit, isStop }, counted, this.#taken);
    });
  }

  #addRepeat({ code }: Problem, place: CheckedPlace): void {
    const by = code.startsWith('duplicate_phone') ? 'phone' : 'sync';
    this.#hit(({ duplicates }) => duplicates === by, place);
  }

  #hit(fits: (check: CheckSpec) => boolean, place: CheckedPlace): void {
    for (const [at, check] of this.checks.entries()) {
      const its = this.#counts[at];
      if (its && fits(check)) addHit(its, place);
    }
  }
}

/** What a check counts, in words. */
function subjectOf(check: CheckSpec): string {
  const { invalid, empty, duplicates } = check;
  if (check.rows) return 'rows';
  if (invalid !== undefined) return `invalid ${invalid.trim()}`;
  if (empty !== undefined) return `empty ${empty.trim()}`;
  if (duplicates)
    return duplicates === 'phone' ? 'duplicates by phone' : 'duplicates by identifiers';
  if (check.rejected) return 'rejected';
  if (check.suppressed) return 'suppressed';
  return check.unchanged ? 'unchanged' : 'ambiguous time zones';
}
