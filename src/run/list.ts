import type { OpenedRun } from './content.js';
import {
  QUALITY_PARTS,
  type QualityPart,
  QUALITY_PART_NAMES,
  type QualityWeights,
  type CheckOutcome,
  type ListQuality,
  scoreOf,
  type QualityCounts,
  distinct,
  type ListObservation,
  addHit,
  addHits,
  noHits,
} from '../core/quality.js';
import type { CallSummary, noCalls } from '../core/time.js';
import type { Preparation } from '../prepare/plan.js';
import { EvidenceTally } from '../core/table.js';
import { MODE_TRAITS, type Problem } from '../core/outcome.js';
import { notesOf, suspicionsOf } from '../mapping/column-uses.js';
import { isFoundByPhone, type CheckSpec } from '../mapping/schema.js';
import { z } from 'zod';
import { LedgerError } from '../core/errors.js';
import type { PreparedChunk } from '../core/prepared.js';
import type { Ledger } from '../ledger/port.js';
import { basename } from 'node:path';
import { REJECTS_NAME, type RowReport } from '../core/report.js';
import { whole } from '../core/text.js';

/** What was found out about a list as a whole; each is absent where nobody asked for it. */
export interface ListFacts {
  readonly callable?: CallSummary;
  readonly quality?: ListQuality;
  readonly checks?: readonly CheckOutcome[];
}

/** Clients by when they may be called. */
export type CallCounts = ReturnType<typeof noCalls>;

/** What is found out about the list of an import as a whole. */
export class ListPlan {
  readonly checks: ListChecks;
  readonly observations: ListObservations;
  /** What the parts of its score count for; `null`: it has none. */
  readonly weights: QualityWeights | null;
  /** The moment at which clients may be called or not, where the mapping has hours; a run that goes on has its own. */
  callsAsOf: number | null;

  constructor(
    preparation: Preparation,
    private readonly price: number | undefined,
  ) {
    const { asOf } = preparation;
    const { sections } = preparation.mapping;
    this.checks = new ListChecks(checksOf(preparation));
    this.observations = new ListObservations(preparation);
    this.weights = listWeights(preparation);
    this.callsAsOf = 'callable' in sections && sections.callable ? asOf : null;
  }

  facts(quality: QualityCounts, calls: CallCounts, isWhole: boolean): ListFacts {
    const { weights, callsAsOf } = this;
    const score = weights && scoreOf(quality, weights, this.price, this.observations.list());
    const outcomes = isWhole ? this.checks.outcomes() : [];
    return {
      ...(callsAsOf === null
        ? {}
        : { callable: { asOf: new Date(callsAsOf).toISOString(), ...calls } }),
      ...(score ? { quality: score } : {}),
      ...(outcomes.length > 0 ? { checks: outcomes } : {}),
    };
  }
}

/**
 * What each part of a list's score counts for, of those that are looked at; `null` in modes whose rows bring nobody to
 * be called.
 */
function listWeights({ mapping, installation }: Preparation): QualityWeights | null {
  const { mode, sections } = mapping;
  const { hasPhones, calls } = MODE_TRAITS[mode];
  if (!hasPhones || !calls) return null;
  const looked = new Set<QualityPart>(['phones', 'unique', 'complete']);
  if (installation?.suppress) looked.add('suppressed');
  const { client } = sections;
  if ('timeZone' in client && isFoundByPhone(client.timeZone)) looked.add('zone');
  if ('fresh' in sections && sections.fresh) looked.add('fresh');
  const written = 'quality' in sections ? sections.quality?.weights : undefined;
  return weightsOf(looked, written);
}

class ListObservations {
  readonly #columns = new EvidenceTally();
  readonly #opened: readonly ListObservation[];
  #kept: readonly ListObservation[] = [];

  constructor({ inputs, warnings }: Pick<Preparation, 'inputs' | 'warnings'>) {
    const sentences = warnings.flatMap(({ message, observation }) =>
      observation ? { kind: observation, about: message } : [],
    );
    const above = (row: number, where: string): ListObservation[] =>
      row > 1 ? [{ kind: 'note', about: `lines above the header of ${where}` }] : [];
    const prefaces = inputs.flatMap(({ name, headerRow, foundHeader: [first = headerRow] }) =>
      above(first, name),
    );
    const further = inputs.flatMap(({ name, furtherHeaders }) =>
      [...furtherHeaders].flatMap(([sheet, row]) => above(row, `${name}, ${sheet}`)),
    );
    this.#opened = [...sentences, ...prefaces, ...further];
  }

  addChunk({ evidence }: Pick<PreparedChunk, 'evidence'>): void {
    this.#columns.add(evidence);
  }

  list(): ListObservation[] {
    const columns = this.#columns.list();
    return distinct([
      ...this.#kept,
      ...this.#opened,
      ...suspicionsOf(columns).map(({ column }) => ofColumn('doubt', column)),
      ...notesOf(columns).map(({ column }) => ofColumn('note', column)),
    ]);
  }

  /** Puts what was found on record, so that a later report has the same score. `isOver`: the run has not stopped. */
  async keep(opened: OpenRun, ledger: Pick<Ledger, 'settingsOf'>, isOver: boolean): Promise<void> {
    try {
      this.#kept =
        kept.safeParse(await ledger.settingsOf(opened.ledger.run)).data?.observations ?? [];
      const observations = this.list();
      if (observations.length > this.#kept.length) await opened.keep({ observations });
    } catch (error) {
      // Of a run that stopped since its ledger cannot be written, the summary alone says it.
      if (isOver || !(error instanceof LedgerError)) throw error;
    }
  }
}

type OpenRun = Pick<Extract<OpenedRun, { readonly kind: 'open' }>, 'keep' | 'ledger'>;

const ofColumn = (kind: ListObservation['kind'], column: string | null): ListObservation => ({
  kind,
  about: `column ${column ?? ''}`,
});

export const observationSchema = z.object({ kind: z.enum(['doubt', 'note']), about: z.string() });

const kept = z.object({ observations: z.array(observationSchema) });

/**
 * The checks of a list; none where the files are rejects of earlier runs, which are no list of their own, but the worst
 * rows of one.
 */
export function checksOf({ mapping, inputs }: Pick<Preparation, 'mapping' | 'inputs'>) {
  const areRejects = inputs.every(({ name }) => REJECTS_NAME.test(basename(name)));
  return areRejects ? [] : (mapping.sections.checks ?? []);
}

type HitCount = ReturnType<typeof noHits>;
type CheckedPlace = HitCount['examples'][number];

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

  outcomes(): CheckOutcome[] {
    return this.checks.map((check, at) => {
      const isRows = check.rows !== undefined;
      const { hits, examples } = isRows
        ? { hits: this.#rows, examples: [] }
        : (this.#counts[at] ?? noHits());
      const limit: CheckLimit = check.rows ?? check.max;
      return {
        ...{ subject: subjectOf(check), holds: isWithin(limit, hits, this.#taken) },
        else: check.else === 'stop' ? 'stop' : 'warn',
        ...{ rows: hits, of: this.#taken, limit: limitText(limit), examples },
      };
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

/** How many rows may be as a check looks for. */
type CheckLimit =
  | { readonly count: number }
  | { readonly percent: number }
  /** Of all rows of the list. */
  | { readonly min?: number | undefined; readonly max?: number | undefined };

function isWithin(limit: CheckLimit, hits: number, of: number): boolean {
  if ('count' in limit) return hits <= limit.count;
  if ('percent' in limit) return hits * 100 <= limit.percent * of;
  const { min = 0, max = Number.POSITIVE_INFINITY } = limit;
  return hits >= min && hits <= max;
}

function limitText(limit: CheckLimit): string {
  if ('count' in limit) return limit.count === 0 ? 'none' : whole(limit.count);
  if ('percent' in limit) return `${limit.percent} %`;
  const { min, max } = limit;
  if (min === undefined) return `at most ${whole(max ?? 0)}`;
  return max === undefined ? `at least ${whole(min)}` : `${whole(min)} to ${whole(max)}`;
}

/** The weights of the parts that are looked at. */
export function weightsOf(
  looked: ReadonlySet<QualityPart>,
  written: QualityWeights = {},
): QualityWeights {
  const weights = QUALITY_PART_NAMES.filter((part) => looked.has(part)).map(
    (part) => [part, written[part] ?? QUALITY_PARTS[part].weight] as const,
  );
  return Object.fromEntries(weights.filter(([, weight]) => weight > 0));
}
