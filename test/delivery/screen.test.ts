import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KEY_WORDS, type PreparedChunk } from '../../src/core/prepared.js';
import {
  DUPLICATE_KINDS,
  type DuplicateKind,
  duplicatesBy,
  type EarlierRows,
} from '../../src/core/duplicates.js';
import { searchLaterRows, createSeenKeys } from '../../src/lists/seen.js';
import { screenChunk } from '../../src/delivery/import.js';
import { chunkOf, keyOf } from '../kit/chunks.js';

type Screen = Parameters<typeof screenChunk>[0];

/** A row as it is compared: who it is, and its phones. */
interface Lead {
  readonly id: number;
  readonly phones: readonly number[];
}

/** Whether the earlier run has sent it. */
const isSent = ({ id }: Lead): boolean => id > 24;

const leads = fc.array(
  fc.record({
    id: fc.nat(30),
    phones: fc.array(fc.nat(60), { maxLength: 3 }),
  }),
  { maxLength: 60 },
);
const rules = fc.constantFrom<readonly DuplicateKind[]>(['sync'], ['phone'], ['sync', 'phone']);

const textsOf = ({ id, phones }: Lead, by: readonly DuplicateKind[]): string[] => [
  ...(by.includes('sync') ? [`id ${id}`] : []),
  ...(by.includes('phone') ? phones.map((phone) => `phone ${phone}`) : []),
];

/** The reference: one map over all rows, in the order in which they win. Gives the row to which each gives way. */
function expectedOf(
  all: readonly Lead[],
  by: readonly DuplicateKind[],
  { isLast = false, hasRuns = false } = {},
): Map<number, number | 'run'> {
  const seen = new Map<string, number>();
  const held = new Map<number, number | 'run'>();
  const order = [...all.keys()];
  for (const row of isLast ? order.reverse() : order) {
    const lead = all[row]!;
    const texts = textsOf(lead, by);
    const other = texts.map((text) => seen.get(text)).find((found) => found !== undefined);
    if (hasRuns && isSent(lead)) held.set(row, 'run');
    else if (other !== undefined) held.set(row, other);
    else for (const text of texts) seen.set(text, row);
  }
  return held;
}

/** The rows in chunks of three. */
function chunksOf(all: readonly Lead[]): PreparedChunk[] {
  const chunks: PreparedChunk[] = [];
  for (let first = 0; first < all.length; first += 3) {
    const part = all.slice(first, first + 3);
    const keys = part.map(({ id, phones }) => [
      keyOf(`id ${id}`),
      ...phones.map((phone) => keyOf(`phone ${phone}`, 'phone')),
    ]);
    const chunk = chunkOf(
      part.map((_, at) => ({ id: first + at })),
      { first },
    );
    let end = 0;
    const keyEnds = Uint32Array.from(keys, (own) => (end += own.length));
    const clients = { ...chunk.clients, keys: Uint32Array.from(keys.flat(2)), keyEnds };
    chunks.push({ ...chunk, clients });
  }
  return chunks;
}

const SENT_KEYS = new Set([25, 26, 27, 28, 29, 30].map((id) => keyOf(`id ${id}`).join()));

/** What the earlier run has sent, by the first key of a row. */
const EARLIER: EarlierRows = {
  find: (keys, from) => {
    const found = { run: 'r1', file: null, row: 7, what: 'created', on: '2026-11-16' } as const;
    const first = keys.subarray(from * KEY_WORDS, (from + 1) * KEY_WORDS).join();
    return SENT_KEYS.has(first) ? { kind: 'sync', ...found } : null;
  },
  close: () => undefined,
};

const row = (at: number): number => at + 2;

async function screened(
  chunks: readonly PreparedChunk[],
  by: readonly DuplicateKind[],
  { isLast = false, earlier = undefined as EarlierRows | undefined } = {},
): Promise<Map<number, number | 'run'>> {
  const seen = createSeenKeys(16, 64);
  const search = searchLaterRows(by, earlier, createSeenKeys(16, 64));
  for (const chunk of isLast ? chunks : []) search.add(chunk);
  const later = isLast ? await search.decide() : undefined;
  search.close();
  const duplicates = { ...duplicatesBy(...by), keep: isLast ? 'last' : 'first' } as const;
  const screen: Screen = { duplicates, inputs: ['a.csv'], seen, earlier, later };
  const held = new Map<number, number | 'run'>();
  for (const [number, chunk] of chunks.entries()) {
    const result = screenChunk(screen, chunk, number);
    expect(result.passed.length + result.duplicates.length).toBe(chunk.count);
    for (const [at, { message }] of result.duplicates) {
      const other = /of row (\d+), which goes/.exec(message)?.[1];
      held.set(chunk.first + at, other === undefined ? 'run' : Number(other) - 2);
    }
  }
  later?.close();
  seen.close();
  return held;
}

const inOrder = (held: Map<number, number | 'run'>) => [...held].sort(([a], [b]) => a - b);

/** Rows that an earlier run has sent are held back, and leave no keys. */
test.each([
  ['first', false, undefined],
  ['last', true, undefined],
  ['first', false, EARLIER],
  ['last', true, EARLIER],
] as const)('of some rows the %s goes, as a map over all says', async (_, isLast, earlier) => {
  await fc.assert(
    fc.asyncProperty(leads, rules, async (all, by) => {
      const held = await screened(chunksOf(all), by, { isLast, earlier });
      const expected = expectedOf(all, by, { isLast, hasRuns: earlier !== undefined });
      expect(inOrder(held)).toEqual(inOrder(expected));
    }),
    { numRuns: 75 },
  );
});

test('names what is shared, and where', () => {
  const all: Lead[] = [
    { id: 1, phones: [5] },
    { id: 2, phones: [6, 5] },
    { id: 1, phones: [7] },
  ];
  const seen = createSeenKeys();
  const screen = { duplicates: duplicatesBy(...DUPLICATE_KINDS), inputs: ['a.csv', 'b.csv'], seen };
  const [chunk] = chunksOf(all);
  const shared = (code: string, what: string) => {
    const message = `The row has ${what} of row ${row(0)}, which goes in its place.`;
    return { column: null, code, value: null, message };
  };
  const phone = [1, shared('duplicate_phone', 'a phone')];
  const duplicates = [phone, [2, shared('duplicate', 'the synchronization identifiers')]];
  expect(screenChunk(screen, chunk!, 0)).toEqual({ passed: [0], duplicates });
  const [again] = screenChunk(screen, { ...chunk!, input: 1 }, 1).duplicates;
  expect(again?.[1].message).toContain(`of row ${row(0)} of a.csv, which goes`);
  seen.close();
});

test('what was held back when a chunk was put on record stays so, and nothing else', () => {
  const all: Lead[] = [
    { id: 1, phones: [5] },
    { id: 2, phones: [5] },
    { id: 3, phones: [8] },
  ];
  const [chunk] = chunksOf(all);
  const why = { column: null, code: 'duplicate_phone_of_run', message: 'sent before', value: null };
  const earlier: EarlierRows = {
    find: () => {
      throw new Error('It is not asked again.');
    },
    close: () => undefined,
  };
  const seen = createSeenKeys();
  const screen = { duplicates: duplicatesBy('phone'), inputs: ['a.csv'], seen, earlier };
  expect(screenChunk(screen, chunk!, 0, { held: new Map([[2, why]]), waiting: new Set() })).toEqual(
    {
      passed: [0, 1],
      duplicates: [[2, why]],
    },
  );
  const later = screenChunk({ ...screen, earlier: undefined }, chunk!, 1);
  expect(later.duplicates.map(([at]) => at)).toEqual([0, 1]);
  seen.close();
});
