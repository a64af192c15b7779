import type { Screen } from './screen.js';
import type { RunLedger } from '../core/ledger.js';
import type { RunMode } from '../core/mode.js';
import type { BatchLimits, OpenStage } from './batch.js';
import type { Outcome } from '../core/outcome.js';
import {
  type PreparedClients,
  printAt,
  identifiersOf,
  type PreparedChunk,
  type RowRecord,
} from '../core/prepared.js';
import {
  type Fact,
  readFactOf,
  textOf,
  type EnqueuedResult,
  foldChunk,
  type RowState,
  awaitsCampaign,
  type RowStage,
} from '../core/facts.js';
import type { Known, KnownKind, KnownRows } from '../core/duplicates.js';
import { UsageError } from '../core/errors.js';
import { isErased } from '../core/erase.js';
import type { Problem } from '../core/problem.js';
import { notSentText, suppressedSince } from './enqueue.js';

type KnownRow = readonly [at: number, Known];

/** What is put on record of rows of which earlier runs did something; nothing where there are none. */
export function knownFacts(
  known: KnownRows | undefined,
  { clients, first }: PreparedChunk,
  passed: readonly number[],
): Fact[] {
  if (!known) return [];
  const rows = new Map<KnownKind, KnownRow[]>();
  for (const index of passed) {
    const at = clients.at[index] ?? 0;
    const print = clients.prints && printAt(clients.prints, index);
    const found = known.find(identifiersOf(clients, index), first + at, print);
    if (!found) continue;
    const alike = rows.get(found.kind);
    if (alike) alike.push([at, found]);
    else rows.set(found.kind, [[at, found]]);
  }
  if (rows.size === 0) return [];
  const of = (kind: KnownKind): readonly KnownRow[] => rows.get(kind) ?? [];
  const skipped = of('done').map(([at, { by }]) => [at, by] as const);
  const created = [...of('created'), ...of('enqueue_unknown')].map(
    ([at, { clientId, by }]) => [at, clientId, by] as const,
  );
  const changed = of('change_unknown').map(([at]) => [at, {}] as const);
  return [
    ...(skipped.length + created.length > 0 ? [{ kind: 'known', skipped, created } as const] : []),
    ...unchangedFacts(of('unchanged')),
    ...(changed.length > 0 ? [{ kind: 'looked_up', found: changed } as const] : []),
    ...UNKNOWN.flatMap(([kind, as]) => unknownFacts(as, of(kind))),
  ];
}

/** One fact for each earlier run that sent the rows as they are. */
function unchangedFacts(rows: readonly KnownRow[]): Fact[] {
  return [...groupedBy(rows, ({ by }) => by.run).values()].flatMap((alike) => {
    const by = alike[0]?.[1].by;
    return by ? [{ kind: 'unchanged', rows: alike.map(([at]) => at), by } as const] : [];
  });
}

/** What is put on record of rows of which an earlier run never learned what became of them. */
const UNKNOWN = [
  ['create_unknown', 'create_unknown'],
  ['enqueue_unknown', 'enqueue_unknown'],
  ['change_unknown', 'change_unknown'],
  // Nothing was looked up: that is done once no lost request can arrive any more.
  ['lost', 'change_unknown'],
] as const;

/** One fact for each earlier run: its name is a part of the reason. */
function unknownFacts(
  kind: 'create_unknown' | 'enqueue_unknown' | 'change_unknown',
  rows: readonly KnownRow[],
): Fact[] {
  return [...groupedBy(rows, ({ run }) => run)].map(([run, alike]) => ({
    kind,
    rows: alike.map(([at]) => at),
    reason: `Run ${run} did not learn what became of its request for this client.`,
  }));
}

function groupedBy(
  rows: readonly KnownRow[],
  key: (known: Known) => string,
): Map<string, KnownRow[]> {
  const groups = new Map<string, KnownRow[]>();
  for (const row of rows) {
    const name = key(row[1]);
    const others = groups.get(name);
    if (others) others.push(row);
    else groups.set(name, [row]);
  }
  return groups;
}

/** Rows of which lists of numbers that must not be called say something else since they were put on record. */
interface RelistedRows {
  /** Rows that were clients, with the lists that leave them out now, by their position in the chunk. */
  readonly listed: ReadonlyMap<number, readonly string[]>;
  /** Clients that lack a phone now, with the lists that it is on. */
  readonly partly: ReadonlyMap<number, readonly string[]>;
  /** Rows that were left out, with the reason, and would be clients now. */
  readonly freed: ReadonlyMap<number, Problem>;
}

/**
 * Compares the rows of a chunk with those that the run recorded. They may differ in persons that were erased since, and in
 * what lists of numbers say, which change from day to day.
 * @throws UsageError when other rows were recorded
 */
function relistedRows(recorded: readonly Fact[], read: string | Uint8Array): RelistedRows {
  const listed = new Map<number, readonly string[]>();
  const partly = new Map<number, readonly string[]>();
  const freed = new Map<number, Problem>();
  const fact = recorded.find(({ kind }) => kind === 'read');
  if (fact?.kind !== 'read') throw otherRows();
  const [before, now] = [textOf(fact.data), textOf(read)];
  if (before === now) return { listed, partly, freed };
  const [known, found] = [readFactOf(before), readFactOf(now)];
  if (known.first !== found.first || known.rows.length !== found.rows.length) throw otherRows();
  for (const [at, record] of known.rows.entries()) {
    const other = found.rows[at];
    if (!other || !isSameRow(record, other)) throw otherRows();
    const [, , , , [why] = []] = record;
    if (isClient(record) && !isClient(other)) listed.set(at, listsOf(other));
    else if (isClient(record) && hasMoreListed(record, other)) partly.set(at, listsOf(other));
    else if (!isClient(record) && isClient(other) && !isErased(record) && why) freed.set(at, why);
  }
  return { listed, partly, freed };
}

const isClient = ([, , , status]: RowRecord): boolean => status === 0;

function isSameRow(before: RowRecord, now: RowRecord): boolean {
  if (isErased(before) || JSON.stringify(before) === JSON.stringify(now)) return true;
  const isListed = listsOf(before).length + listsOf(now).length > 0;
  return isListed && whoIs(before) === whoIs(now);
}

/** What lists say of a row, and of phones of it. */
const listedIn = ([, , , , problems, remarks]: RowRecord): Problem[] =>
  [...(problems ?? []), ...(remarks ?? [])].filter(({ lists }) => lists !== undefined);

const listsOf = (record: RowRecord): string[] => [
  ...new Set(listedIn(record).flatMap(({ lists = [] }) => lists)),
];

function hasMoreListed(before: RowRecord, now: RowRecord): boolean {
  const known = new Set(listedIn(before).map(phoneOf));
  return listedIn(now).some((problem) => !known.has(phoneOf(problem)));
}

const phoneOf = ({ column, value }: Problem): string => JSON.stringify([column, value]);

const whoIs = ([row, uuid, identifiers]: RowRecord): string =>
  JSON.stringify([row, uuid, identifiers]);

const otherRows = (): UsageError =>
  new UsageError(
    'The input or the mapping gives other rows than when this run began, so it is not continued. Restore them to continue it; or take back what it did (cardline undo); or begin anew with --again, which sends all rows, also those that it has sent.',
  );

type Unknown = 'create_unknown' | 'enqueue_unknown' | 'change_unknown';

/** What is recorded of a row at each stage that must not be called any more; `null`: nothing, since it has ended. */
const HELD_AS = {
  pending: 'skipped',
  creating: 'create_unknown',
  create_unknown: 'create_unknown',
  create_failed: null,
  created: null,
  enqueuing: 'enqueue_unknown',
  enqueue_unknown: 'enqueue_unknown',
  enqueue_failed: null,
  enqueued: null,
  changing: 'change_unknown',
  change_unknown: 'change_unknown',
  change_failed: null,
  changed: null,
  inspected: null,
  unchanged: null,
  rejected: null,
  skipped: null,
} as const satisfies Record<RowStage, Unknown | 'skipped' | null>;

/** The same where facts were lost, so that a row that waits may have been sent. */
const IN_DOUBT_AS = {
  new: 'skipped',
  created: 'skipped',
  changed: 'skipped',
  creation_unknown: 'create_unknown',
  enqueueing_unknown: 'enqueue_unknown',
  change_unknown: 'change_unknown',
} as const satisfies Record<OpenStage, Unknown | 'skipped'>;

/** What became of rows on record since lists of numbers have changed. */
export interface HeldRows {
  /** What is to be put on record of them. */
  readonly facts: readonly Fact[];
  /** Clients that do not go on, by their position in the chunk, and why. */
  readonly held: ReadonlyMap<number, Problem>;
}

type Held = Pick<AdmitContext, 'campaign' | 'unsure' | 'ledger' | 'mode'>;

/**
 * What becomes of the rows of an earlier part of the run by the lists of numbers as they are now; `null`: they change
 * nothing. Rows for which nothing was sent are left out, those that wait for a campaign are not added to it, and what
 * became of a lost request stays unknown, since asking again may add them. A row that was left out stays so.
 * @throws UsageError when other rows were recorded
 */
export function holdRelisted(
  context: Held,
  recorded: readonly Fact[],
  read: string | Uint8Array,
): HeldRows | null {
  const { listed, partly, freed } = relistedRows(recorded, read);
  if (listed.size + partly.size + freed.size === 0) return null;
  const states = foldChunk(recorded)?.states ?? [];
  const facts = new RelistedFacts();
  for (const [at, lists] of listed) facts.add(at, heldAs(context, states[at]), lists);
  const held = new Map(freed);
  // A card that this run made or changed is called at any of its phones.
  const isCalled = context.campaign && context.mode !== 'enqueue';
  for (const [at, lists] of isCalled ? partly : []) {
    const as = heldAs(context, states[at]);
    if (as === null || as === 'skipped') continue;
    facts.add(at, as, lists);
    held.set(at, suppressedSince(lists));
  }
  return listed.size + held.size === 0 ? null : { facts: facts.list(), held };
}

class RelistedFacts {
  readonly #leftOut: [number, Problem][] = [];
  readonly #refused: EnqueuedResult[] = [];
  readonly #unknown: Fact[] = [];

  add(at: number, as: ReturnType<typeof heldAs>, lists: readonly string[]): void {
    if (as === 'skipped') this.#leftOut.push([at, suppressedSince(lists)]);
    else if (as === 'refused') this.#refused.push([at, notSentText(lists), lists]);
    else if (as) this.#unknown.push({ kind: as, rows: [at], reason: notSentText(lists) });
  }

  list(): Fact[] {
    return [
      ...(this.#leftOut.length > 0 ? [{ kind: 'duplicates', rows: this.#leftOut } as const] : []),
      ...(this.#refused.length > 0 ? [{ kind: 'enqueued', results: this.#refused } as const] : []),
      ...this.#unknown,
    ];
  }
}

function heldAs(
  { campaign, unsure, ledger }: Held,
  state: RowState | undefined,
): Unknown | 'skipped' | 'refused' | null {
  if (!state) return null;
  if (awaitsCampaign(state, campaign)) return ledger.settlesAll ? 'enqueue_unknown' : 'refused';
  const as = HELD_AS[state.stage];
  return as === 'skipped' && ledger.settlesAll ? IN_DOUBT_AS[unsure] : as;
}

/** What admitting the rows of a run needs. */
export interface AdmitContext extends Screen {
  readonly ledger: RunLedger;
  readonly mode: RunMode;
  readonly limits: BatchLimits;
  /** Whether clients are added to a campaign. */
  readonly campaign: boolean;
  /** Whether clients travel together in a request; else each has requests of its own. */
  readonly together: boolean;
  /** The stage of a row that may have been sent, although nothing of it is on record. */
  readonly unsure: OpenStage;
  /** Whether the mode can look up what became of a change. */
  readonly settles: boolean;
  /** What earlier runs did with the rows; absent where nobody asks. */
  readonly known?: KnownRows | undefined;
  /** Whether others send what is on record already, and record what becomes of it. @default false */
  readonly isForOthers?: boolean;
  readonly onOutcome: (outcome: Outcome, count: number, earlier?: boolean) => void;
  /** Called with the clients that go on, before they are put on record. */
  readonly onPassed?: ((passed: readonly number[]) => void) | undefined;
  /** Called with clients of an earlier part of the run, with its facts. */
  readonly onContinued?:
    | ((clients: PreparedClients, members: readonly number[], facts: readonly Fact[]) => void)
    | undefined;
}
