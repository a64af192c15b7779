import { ALREADY_IN_CAMPAIGN, type Earlier } from './center.js';
import { type RowRecord, NO_PRINT, PRINT_WORDS, printsIn, printsText } from './prepared.js';
import type { Problem } from './problem.js';
import { type Fact, type FactKind, type ReadFact, foldChunk, readFactOf } from './facts.js';

/** Code of the problem of a row whose person was erased. */
export const ERASED = 'erased';
const TEXT = 'Erased: what the record held of the person was removed.';

const MARK: Problem = { column: null, code: ERASED, message: TEXT, value: null };

/** Whether the person of a row was erased. */
export const isErased = ([, , , , problems]: RowRecord): boolean =>
  problems?.some(({ code }) => code === ERASED) ?? false;

/** Whose rows are erased, and texts that name them. */
export interface ErasedPerson {
  /** `ordinal`: number of the row over all inputs of its run. */
  readonly isOf: (record: RowRecord, ordinal: number) => boolean;
  readonly mentions: (text: string) => boolean;
}

interface ErasedFacts {
  readonly facts: readonly Fact[];
  /** Positions of the rows that were erased. */
  readonly rows: readonly number[];
}

interface EraseOptions {
  /**
   * Whether the rows are known from the ledger alone, so that nobody can go on with one whose person was erased: where
   * nothing was sent for it yet, it ends as left out. @default false
   */
  readonly endsWaiting?: boolean;
}

/**
 * The facts of a chunk without what they hold of a person: how its rows ended stays, and so do all counts. `null`: they
 * hold nothing of it.
 */
export function eraseFacts(
  facts: readonly Fact[],
  person: ErasedPerson,
  { endsWaiting = false }: EraseOptions = {},
): ErasedFacts | null {
  const read = facts.find((fact) => fact.kind === 'read');
  const before = read && readFactOf(read.data);
  const rows =
    before?.rows.flatMap((record, at) =>
      !isErased(record) && person.isOf(record, before.first + at) ? [at] : [],
    ) ?? [];
  const isIn = new Set(rows);
  const erased = facts.map((fact) => withoutPerson(fact, isIn, person));
  const states = endsWaiting && rows.length > 0 ? (foldChunk(facts)?.states ?? []) : [];
  const waiting = new Set(rows.filter((at) => states[at]?.stage === 'pending'));
  const after = waiting.size === 0 ? erased : erased.map((fact) => withoutWaiting(fact, waiting));
  const isOther = rows.length > 0 || after.some((fact, at) => fact !== facts[at]);
  return isOther ? { facts: after, rows } : null;
}

type Rows = ReadonlySet<number>;
type Erasers = {
  readonly [K in FactKind]?: (
    fact: Extract<Fact, { readonly kind: K }>,
    rows: Rows,
  ) => Extract<Fact, { readonly kind: K }>;
};

function withoutPerson(fact: Fact, rows: Rows, { mentions }: ErasedPerson): Fact {
  // One reason is that of several rows: it stays, unless it names the person.
  if ('reason' in fact) return mentions(fact.reason) ? { ...fact, reason: TEXT } : fact;
  if (rows.size === 0) return fact;
  // The table has the function of each kind: that this is the one of this fact, the compiler cannot follow.
  const erase = ERASERS[fact.kind] as ((fact: Fact, rows: Rows) => Fact) | undefined;
  return erase ? erase(fact, rows) : fact;
}

/** Rows that wait are left out, and so is that a request for them was begun and surely never left. */
function withoutWaiting(fact: Fact, waiting: Rows): Fact {
  if (fact.kind === 'changing' || fact.kind === 'not_changed')
    return { ...fact, rows: fact.rows.filter((at) => !waiting.has(at)) };
  if (fact.kind !== 'read') return fact;
  const read = readFactOf(fact.data);
  const rows = read.rows.map((record, at) => (waiting.has(at) ? leftOut(record) : record));
  return { kind: 'read', data: JSON.stringify({ ...read, rows }) };
}

const leftOut = ([row, uuid, identifiers, , ...more]: RowRecord): RowRecord => [
  row,
  uuid,
  identifiers,
  2,
  ...more,
];

const ERASERS: Erasers = {
  read: ({ kind, data }, rows) => {
    const read = readFactOf(data);
    return { kind, data: JSON.stringify(erasedRead(read, rows)) };
  },
  duplicates: (fact, rows) => ({
    ...fact,
    rows: fact.rows.map((row) => (rows.has(row[0]) ? [row[0], erasedProblem(row[1])] : row)),
  }),
  known: (fact, rows) => ({
    ...fact,
    skipped: fact.skipped.map((row) =>
      rows.has(row[0]) && 'code' in row[1] ? [row[0], erasedProblem(row[1])] : row,
    ),
    created: fact.created.map((row) => (rows.has(row[0]) ? [row[0], null, row[2]] : row)),
  }),
  created: (fact, rows) => ({
    ...fact,
    results: fact.results.map((result) => {
      const [at, , refusal] = result;
      if (!rows.has(at)) return result;
      return refusal === undefined ? [at, null] : [at, null, TEXT];
    }),
  }),
  create_settled: (fact, rows) => ({
    ...fact,
    found: fact.found.map((row) => (rows.has(row[0]) ? [row[0], null] : row)),
  }),
  enqueued: (fact, rows) => ({
    ...fact,
    results: fact.results.map((result) => {
      const [at, refusal, ...lists] = result;
      // By this one it is known that the client is in the campaign.
      const isKept = refusal === undefined || refusal === ALREADY_IN_CAMPAIGN;
      return rows.has(at) && !isKept ? [at, TEXT, ...lists] : result;
    }),
  }),
  looked_up: (fact, rows) => ({
    ...fact,
    found: fact.found.map((row) => (rows.has(row[0]) ? [row[0], erasedCard(row[1])] : row)),
  }),
  changed: (fact, rows) => ({
    ...fact,
    results: fact.results.map((result) => {
      const [at, refusal, ...added] = result;
      return rows.has(at) && refusal != null ? [at, TEXT, ...added] : result;
    }),
  }),
  inspected: (fact, rows) => ({
    ...fact,
    results: fact.results.map((result) => {
      const [at, { verdict }] = result;
      if (!rows.has(at)) return result;
      return [at, { verdict, clientId: null, differences: [], application: null }];
    }),
  }),
};

function erasedRead(read: ReadFact, rows: Rows): ReadFact {
  const records = read.rows.map((record, at) => (rows.has(at) ? erasedRecord(record) : record));
  if (read.prints === undefined) return { ...read, rows: records };
  const prints = printsIn(read.prints);
  for (const at of rows) prints.set(NO_PRINT, at * PRINT_WORDS);
  return { ...read, rows: records, prints: printsText(prints) };
}

function erasedRecord([row, , identifiers, status, problems, remarks, zone]: RowRecord): RowRecord {
  const none = identifiers.map(() => null);
  const left = [MARK, ...(problems ?? []).map(erasedProblem)];
  const noted = remarks?.map(erasedProblem) ?? null;
  return zone == null
    ? [row, null, none, status, left, noted]
    : [row, null, none, status, left, noted, zone];
}

/** Codes are counted; the words and the value may name the person. */
const erasedProblem = ({ column, code }: Problem): Problem => ({
  ...{ column, code, message: TEXT, value: null },
});

function erasedCard({ isOwn, inCampaign, hasRecall }: Earlier): Earlier {
  return {
    ...(isOwn === undefined ? {} : { isOwn }),
    ...(inCampaign === undefined ? {} : { inCampaign }),
    ...(hasRecall === undefined ? {} : { hasRecall }),
  };
}
