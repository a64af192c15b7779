import { duplicatesBy, type SeenAt, type SeenKeys } from '../../src/core/duplicates.js';
import { type Fact, type RowStage, foldChunk, isInDoubt } from '../../src/core/facts.js';
import { KEY_WORDS, type PreparedChunk } from '../../src/core/prepared.js';
import type { FailureLimit } from '../../src/delivery/failures.js';
import { type TestRow, chunkOf } from '../kit/chunks.js';
import type { ImportSettings } from '../kit/import-settings.js';
import { Books, CAMPAIGN, MESSAGES, type Card } from './books.js';
import type { RowKind, Scenario } from './scenario.js';

/** A row of the simulated file. */
export interface InputRow {
  readonly kind: RowKind;
  /** Identifier of its client; `null` when it is none. */
  readonly offerId: number | null;
}

/** The simulated file. */
export interface Input {
  readonly rows: readonly InputRow[];
  readonly chunks: readonly PreparedChunk[];
  /** Its clients, each once. */
  readonly clients: readonly number[];
  /** What is particular about a client, by its identifier. */
  readonly kinds: ReadonlyMap<number, RowKind>;
  /** Where the row of a client stands. */
  readonly placeOf: ReadonlyMap<number, { readonly chunk: number; readonly at: number }>;
}

export function inputOf({ rows: kinds, rowsInChunk }: Scenario): Input {
  const rows = rowsOf(kinds);
  const chunks: PreparedChunk[] = [];
  const placeOf = new Map<number, { chunk: number; at: number }>();
  for (let first = 0; first < rows.length; first += rowsInChunk) {
    const part = rows.slice(first, first + rowsInChunk);
    for (const [at, { kind, offerId }] of part.entries())
      if (offerId !== null && kind !== 'repeat') placeOf.set(offerId, { chunk: chunks.length, at });
    chunks.push(chunkOf(part.map(testRow), { first }));
  }
  const clients = rows.flatMap(({ kind, offerId }) =>
    offerId === null || kind === 'repeat' ? [] : [[offerId, kind] as const],
  );
  return { rows, chunks, clients: clients.map(([one]) => one), kinds: new Map(clients), placeOf };
}

/** A repeated row is the client of the first row that is one; where there is none, it is a client itself. */
function rowsOf(kinds: readonly RowKind[]): InputRow[] {
  let first: number | null = null;
  return kinds.map((kind, index) => {
    if (kind === 'rejected' || kind === 'skipped') return { kind, offerId: null };
    if (kind === 'repeat' && first !== null) return { kind, offerId: first };
    const offerId = index + 1;
    first ??= offerId;
    return { kind: kind === 'repeat' ? 'client' : kind, offerId };
  });
}

function testRow({ kind, offerId }: InputRow): TestRow {
  if (offerId !== null) return { id: offerId };
  return kind === 'rejected' ? { rejected: 'no_phone' } : { skipped: 'filtered' };
}

/** Stages in which something of a row has failed, as far as it is known. */
const BAD_STAGES: ReadonlySet<RowStage> = new Set([
  ...(['create_failed', 'enqueue_failed', 'create_unknown', 'enqueue_unknown'] as const),
]);

/**
 * How far the first clients have come by what is on record: whether all of them have ended, and how many badly. `onTheWay`:
 * of how many others a request has left, where that is so of all that have not ended; else `null`.
 */
export function canaryOf(
  { clients, placeOf }: Input,
  { canary, campaign }: Scenario,
  factsOf: (chunk: number) => readonly Fact[],
): { readonly hasEnded: boolean; readonly bad: number; readonly onTheWay: number | null } {
  const stages = clients.slice(0, canary).map((client): RowStage => {
    const { chunk, at } = placeOf.get(client)!;
    return foldChunk(factsOf(chunk))?.states[at]?.stage ?? 'pending';
  });
  const good = campaign === 'none' ? 'created' : 'enqueued';
  const open = stages.filter((stage) => stage !== good && !BAD_STAGES.has(stage));
  return {
    hasEnded: open.length === 0,
    bad: stages.filter((stage) => BAD_STAGES.has(stage)).length,
    onTheWay: open.every(isInDoubt) ? open.length : null,
  };
}

/** Whether so many of all have failed that the run has to stop, judged apart from the importer. */
export const isTooMany = (bad: number, limit: FailureLimit, all: number): boolean =>
  'count' in limit ? bad > limit.count : bad * 100 > limit.percent * all;

/** The contact center as the scenario has it. */
export function booksOf(
  scenario: Scenario,
  { kinds }: Input,
  violated: (what: string) => void,
): Books {
  const { campaign, refusal, isBare, serverBytes, isNaive } = scenario;
  const bars: Partial<Record<RowKind, string>> = {
    blacklisted: MESSAGES.blacklisted,
    ...(campaign === 'phones_checked' ? { same_phone: MESSAGES.already } : {}),
  };
  const cards = [...kinds].flatMap(([client, kind]): Card[] =>
    kind === 'existing' && !isNaive
      ? [
          {
            ...{ id: 1000 + client, client, madeBy: null, isDeleted: false, name: '' },
            ...{ phones: new Map(), campaigns: new Set() },
          },
        ]
      : [],
  );
  return new Books({
    ...{ isNaive, cards, violated },
    refuses: (client) => kinds.get(client) === 'refused',
    bars: (client) => bars[kinds.get(client) ?? 'client'],
    whole: {
      ...{ serverBytes, refusal, isBare },
      isPoison: (operation, client) =>
        kinds.get(client) === (operation === 'addClients' ? 'poison' : 'enqueue_poison'),
    },
  });
}

export function settingsOf(
  scenario: Scenario,
  { rows }: Input,
  maxFailures: FailureLimit | null,
): ImportSettings {
  const { campaign, batchSize, requestBytes, concurrency, patienceMs } = scenario;
  const { settleAfterMs, serverDeadlineMs, pace, canary } = scenario;
  return {
    ...(scenario.adapts
      ? {
          concurrency: { max: concurrency },
          batchSize: { min: 1, first: Math.ceil(batchSize / 2), max: batchSize },
        }
      : { concurrency, batchSize }),
    ...{ bodyBytes: requestBytes, pace, canary, settleAfterMs, serverDeadlineMs },
    maxFailures: maxFailures ?? undefined,
    counted: { rows: rows.length, share: 1 },
    patience: { atStart: 10_000, later: patienceMs },
    campaign:
      campaign === 'none'
        ? null
        : {
            id: CAMPAIGN,
            maxCallCount: 3,
            disableDuplicatePhonesValidation: campaign === 'plain',
          },
    duplicates: duplicatesBy('sync'),
    identifierNames: ['offerId'],
    inputs: ['leads.csv'],
  };
}

/** The duplicate keys of a small file: no need for what holds millions of them. */
export function createSeen(): SeenKeys {
  const seen = new Map<string, SeenAt>();
  const textOf = (keys: Uint32Array, offset: number): string =>
    keys.subarray(offset, offset + KEY_WORDS).join();
  return {
    find: (keys, offset) => seen.get(textOf(keys, offset)) ?? null,
    add: (keys, offset, input, row) => seen.set(textOf(keys, offset), { input, row }),
    close: () => undefined,
  };
}

/** What an import reads; `pause` comes before each. */
export async function* inTurn<Chunk>(
  chunks: Iterable<Chunk> | AsyncIterable<Chunk>,
  pause: () => Promise<void> = () => Promise.resolve(),
): AsyncGenerator<Chunk, void, undefined> {
  for await (const chunk of chunks) {
    await pause();
    yield chunk;
  }
}
