import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Passing, Row } from '../../../src/core/table.js';
import { openSource } from '../../../src/source/source.js';
import { testFolder } from '../../kit/folder.js';

const folder = testFolder();

const CELL_TEXT = 16;

/** Lines that are counted, and lines that only reading tells what they are. */
const PLAIN = [
  '1,Ada Lovelace,"Main St. 5, Flat 2",+44 20 7946 0000',
  '2,Сергей Иванов,"ул. Ленина, д. ""7"", кв. 3",+7 912 4472812',
  "3,Zoë O'Hara,Ærø and Łódź,+45 32 95 11 22",
  'Ж5,Żaneta,Łąkowa 3,+48 22 555 00 00',
  '4,Ґалаґан Їжак,"",+380 44 279 00 00',
];
const ODD = [
  '5,"Two\nlines, one cell",Rue 3,+33 1 40 20 50 50',
  '6,"stray, of one line,Rue 4,+33 1 40 20 50 50',
  "7,'0049 30 1234,Rue 7,-",
  `8,"'0049 30 1234",Rue 8,-`,
  '9,the "best" of them,Rue 9,-',
  '10,="00123",Rue 10,-',
  '11,Jose\u0301 and so\u00adft,zero\u200bwidth,\u0434\u0483',
  '11,only so\u00adft,Rue 11,-',
  '12,名前,emoji 😀 and ’quotes’,-',
  '',
  '\x1a',
  ',,,',
  'a,b',
  '13,Ctrl\x1aZ,nul\0nul,bell\x07',
  `14,${'long '.repeat(60_000)},x,y`,
];
const lines = fc.array(
  fc.record({
    line: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...PLAIN) },
      { weight: 1, arbitrary: fc.constantFrom(...ODD) },
    ),
    times: fc.integer({ min: 1, max: 40 }),
    end: fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom('\n', '\r\n') },
      { weight: 1, arbitrary: fc.constantFrom('\r', '\x1a\n', '\n\x1a') },
    ),
  }),
  { minLength: 40, maxLength: 200 },
);

const weightOf = (rows: readonly Row[]): { cells: number; text: number } => {
  const cells = rows.flatMap((row) => row.cells);
  return { cells: cells.length, text: cells.reduce((sum, cell) => sum + (cell?.length ?? 0), 0) };
};

/** The rows, read as `budget` says before each batch; how it ended stands behind them. */
async function read(path: string, budget?: () => Partial<Passing>): Promise<unknown[]> {
  const source = await openSource(path, { delimiter: ',' });
  const passing: Passing = { rows: 0, text: 0, cellText: CELL_TEXT };
  const found: unknown[] = [];
  try {
    for await (const batch of source.batches(budget && passing)) {
      found.push(...batch);
      Object.assign(passing, budget?.());
    }
  } catch (error) {
    found.push(String(error));
  }
  return found;
}

test('lines that are only counted are counted as they are read', async () => {
  const path = join(folder, 'lines.csv');
  let [counted, all] = [0, 0];
  await fc.assert(
    fc.asyncProperty(lines, fc.nat(), async (made, seed) => {
      const text = made.map(({ line, times, end }) =>
        (line + end).repeat(ODD.includes(line) ? 1 : times),
      );
      await writeFile(path, `Id,Name,Address,Phone\n${text.join('')}`);
      const whole = await read(path);
      const byNumber = new Map(whole.map((row, at) => [(row as Row).row, at]));
      let step = seed;
      const budget = (): Partial<Passing> => {
        step = (step * 1103515245 + 12345) % 2 ** 31;
        return {
          rows: [0, 1, 7, 300, 5000][step % 5] ?? 0,
          text: [90, 5000, 10 ** 7][step % 3] ?? 0,
        };
      };
      let at = 0;
      const [found, expected]: [unknown[], unknown[]] = [[], []];
      for (const row of (await read(path, budget)) as Row[]) {
        if (row.passed === undefined) {
          found.push(row);
          expected.push(whole[at++]);
        } else {
          const { rows, ...weight } = row.passed;
          found.push({ ...weight, last: byNumber.get(row.row) });
          expected.push({ ...weightOf(whole.slice(at, at + rows) as Row[]), last: at + rows - 1 });
          [at, counted] = [at + rows, counted + rows];
        }
      }
      // All at once: thousands of comparisons would take longer than the reading.
      expect(found).toEqual(expected);
      expect(at).toBe(whole.length);
      all += at;
    }),
    { numRuns: 30 },
  );
  // The others are read since they are odd, since the line before them is, or since nobody asks for less.
  expect(counted).toBeGreaterThan(all / 20);
}, 120_000);

test('no more lines are counted than are asked for', async () => {
  const path = join(folder, 'asked.csv');
  await writeFile(path, `Id,Name,Address,Phone\n${`${PLAIN.join('\n')}\n`.repeat(500)}`);
  const limits = [
    { rows: 3, text: 10 ** 6 },
    { rows: 300, text: 1000 },
  ];
  for (const limit of limits) {
    const passed = ((await read(path, () => limit)) as Row[]).flatMap((row) => row.passed ?? []);
    expect(passed.length).toBeGreaterThan(5);
    for (const { rows, cells, text } of passed) {
      expect(rows).toBeLessThanOrEqual(limit.rows);
      // The last line may go beyond it.
      expect(text + CELL_TEXT * cells).toBeLessThan(limit.text + 200);
    }
  }
});
