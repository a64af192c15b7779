import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowCollector } from '../../../src/source/csv/collector.js';
import { FastScanner, readRows } from '../../../src/source/csv/rows.js';
import { randomFrom } from '../../kit/random.js';
import { collect } from '../files.js';
import { byCsvParse, plainDialect } from './oracle.js';
import { tablesIn } from '../../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'differential.yaml') as {
  readonly scanned: string[];
  readonly alphabets: string[][];
};

/** Generated texts; a long run sets the variable, such as `CSV_FUZZ=1000000 npx vitest run test/reading/csv`. */
const RUNS = Number(process.env['CSV_FUZZ'] ?? 1_500);

async function* given(pieces: readonly string[]): AsyncGenerator<string> {
  yield* await Promise.resolve(pieces);
}

/** Reads the pieces by our reader and by csv-parse; rows, row numbers, the error's code and line must be the same. */
async function compare(pieces: readonly string[], delimiter: string): Promise<void> {
  const { rows, error } = await collect(readRows(given(pieces), 'x.csv', plainDialect(delimiter)));
  const ours = error ? { rows, error: [error.code, error.place.line] } : { rows };
  const theirs = byCsvParse(pieces.join(''), delimiter);
  if (JSON.stringify(ours) !== JSON.stringify(theirs))
    expect({ pieces, delimiter, outcome: ours }).toEqual({ outcome: theirs });
}

/** Cuts a text at the given places, as far as they lie in it and not inside of a character. */
function cut(text: string, places: readonly number[]): string[] {
  const sorted = [...places]
    .filter((place) => place < text.length && !/[\udc00-\udfff]/.test(text[place] ?? ''))
    .sort((a, b) => a - b);
  return [0, ...sorted].map((place, index) => text.slice(place, sorted[index]));
}

/** Rows as exporters spoil them, among rows that are well. */
const record = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('1,Anna,Main St 5,', '2,"Baker St, 7","say ""hi""",x') },
  fc.constantFrom(
    '3,"Main St" 5,x',
    '"Main" "St", "a",b"c',
    '"""x" y,"" z,""',
    '4,"two\nlines" and more,x',
    '"a""b\r\nc"d"e",',
    'short',
    '',
    '1,2,3,4,5,6',
    '5,"never closed,x',
    '"',
  ),
);
const lineEnd = fc.constantFrom('\n', '\n', '\r\n', '\r');
const dirtyText = fc
  .array(fc.tuple(record, lineEnd), { maxLength: 12 })
  .map((records) => records.flat().join(''));

describe('our reader gives what csv-parse gives', () => {
  // More of these: CSV_FUZZ.
  it('on texts of telling characters, cut anywhere', { timeout: 3_600_000 }, async () => {
    for (const { pieces, delimiter } of randomTexts(RUNS, 20_260_501))
      await compare(pieces, delimiter);
  });
});

/** A share of the texts each time, and all of them in depth. */
describe.each([0.25, 1])('and gives that for a share of %d of other texts', (share) => {
  const tags = share === 1 ? 'depth' : [];

  it('on texts that are shrunk when they show a difference', { tags }, async () => {
    const char = fc.constantFrom('a', '"', ',', ';', '\r', '\n', ' ', '\ufeff', 'я', '😀', '\0');
    const piece = fc.string({ unit: char, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), fc.constantFrom(',', ';', 'я'), compare),
      { numRuns: 2_000 * share },
    );
  });

  it(
    'on dirty files: stray and unclosed quotes, ragged rows, mixed line ends, cut anywhere',
    { tags },
    async () => {
      const places = fc.array(fc.nat(200), { maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(dirtyText, places, (text, at) => compare(cut(text, at), ',')),
        { numRuns: 3_000 * share },
      );
    },
  );

  it('on long records, which csv-parse reads for it, among short ones', { tags }, async () => {
    const long = fc
      .tuple(fc.constantFrom('"a""b\n', 'a"b', '"a" ', 'ы"', 'x'), fc.integer({ min: 1, max: 5 }))
      .map(([start, times]) => {
        const text = start + 'long text '.repeat(9_000 * times);
        return start.startsWith('"') && !start.endsWith(' ') ? `${text}",z` : `1,${text},z`;
      });
    const records = fc.array(fc.tuple(fc.oneof(record, long), lineEnd), { maxLength: 6 });
    const places = fc.array(fc.nat(1_000_000), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(records, places, (text, at) => compare(cut(text.flat().join(''), at), ',')),
      { numRuns: 60 * share },
    );
  });
});

/** Without this the comparison could pass with a scanner that leaves everything to csv-parse. */
it.each(CASES.scanned)('the fast scanner reads %j itself', (text) => {
  const scanner = new FastScanner(text, plainDialect(','), true, new RowCollector('x.csv'));
  const stop = scanner.scan();
  expect({ stop, rest: scanner.rest }).toEqual({ stop: 'more', rest: '' });
});

const ALPHABETS = CASES.alphabets;

interface RandomText {
  readonly pieces: readonly string[];
  readonly delimiter: string;
}

/** Short texts full of what decides how CSV is read, cut at random; the same for the same seed. */
function* randomTexts(count: number, seed: number): Generator<RandomText> {
  const below = random(seed);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  for (let index = 0; index < count; index++) {
    const alphabet = pick(ALPHABETS);
    const delimiter = pick([',', ',', ',', ';', 'я', '\t']);
    const pieces: string[] = [];
    for (let left = below(5) + 1; left > 0; left--) {
      let piece = '';
      for (let length = below(10); length > 0; length--) piece += pick(alphabet);
      if (piece !== '') pieces.push(delimiter === ',' ? piece : piece.replaceAll(',', delimiter));
    }
    yield { pieces, delimiter };
  }
}

function random(seed: number): (below: number) => number {
  const next = randomFrom(seed);
  return (below) => Math.floor(next() * below);
}
