import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Batch } from '../../../src/source/batch.js';
import { exactRows } from '../../../src/source/csv/exact.js';
import { FastScanner } from '../../../src/source/csv/fast.js';
import { readRows } from '../../../src/source/csv/rows.js';
import { collect } from '../files.js';
import { randomTexts } from './random-texts.js';

/** Generated texts; a long run sets the variable, such as `CSV_FUZZ=1000000 npx vitest run test/source/csv`. */
const RUNS = Number(process.env['CSV_FUZZ'] ?? 5_000);

async function* given(pieces: readonly string[]): AsyncGenerator<string> {
  yield* await Promise.resolve(pieces);
}

/** Reads the pieces by both readers; what they give, the error's code and line included, must be the same. */
async function compare(pieces: readonly string[], delimiter: string): Promise<void> {
  const csv = { file: 'x.csv', delimiter };
  const exact = await outcome(exactRows(given(pieces), csv, { row: 1, line: 1 }));
  const fast = await outcome(readRows(given(pieces), csv));
  if (fast !== exact) expect({ pieces, delimiter, outcome: fast }).toEqual({ outcome: exact });
}

async function outcome(batches: ReturnType<typeof readRows>): Promise<string> {
  const { rows, error } = await collect(batches);
  return JSON.stringify([rows, error?.code, error?.place.line]);
}

describe('the fast scanner, with csv-parse behind it, gives what csv-parse alone gives', () => {
  it('on texts of telling characters, cut anywhere', { timeout: 3_600_000 }, async () => {
    for (const { pieces, delimiter } of randomTexts(RUNS, 20_260_501))
      await compare(pieces, delimiter);
  });

  it('on texts that are shrunk when they tell a difference', async () => {
    const char = fc.constantFrom('a', '"', ',', ';', '\r', '\n', ' ', '\ufeff', 'я', '😀', '\0');
    const piece = fc.string({ unit: char, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), fc.constantFrom(',', ';', 'я'), compare),
      { numRuns: 2_000 },
    );
  });
});

/** Without this the comparison could pass with a scanner that leaves everything to csv-parse. */
it.each(['a,b\n1,2\r\n3,4\r\n', '"a","b ""c"" d"\r"1\n2",\n\n,,\n', '15" monitor,x\n'])(
  'the fast scanner reads regular text itself: %j',
  (text) => {
    const scanner = new FastScanner(text, ',', true, { row: 1, line: 1 });
    const stop = scanner.scan(new Batch());
    expect({ stop, end: scanner.end }).toEqual({ stop: 'more', end: text.length });
  },
);
