import { randomBytes } from 'node:crypto';
import { copyFile, readFile, utimes } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zip } from '../kit/zip.js';
import { parts } from '../reading/xlsx/workbook.js';
import {
  type Bench,
  type Imported,
  countOutcomes,
  csv,
  lead,
  openBench,
  twice,
  until,
} from './harness.js';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(async () => {
  expect(bench.center.violations).toEqual([]);
  expect(twice(bench.center.creations)).toEqual([]);
  await bench.close();
});

const ROWS = 2200;
/** So much of each row belongs to a column that nobody maps that the file is not digested before it is sent. */
const NOTES = 'n'.repeat(4000);

const LARGE = ((): string => {
  const [head = '', ...lines] = csv(
    Array.from({ length: ROWS }, (_, n) => lead(n + 1, { Comment: '' })),
  )
    .trimEnd()
    .split('\r\n');
  return [`${head},"Notes"`, ...lines.map((line) => `${line},"${NOTES}"`)].join('\r\n');
})();

const run = (file: string, options: readonly string[] = []): Promise<Imported> =>
  bench.import('run', [bench.at(file)], options);

it('is not repeated when it was imported, under another name and of another time neither', async () => {
  await bench.write('leads.csv', LARGE);
  const first = await run('leads.csv');
  expect(first.code, first.stderr).toBe(0);
  expect(countOutcomes(first.report())).toEqual({ created: ROWS });
  const requests = bench.center.requests.length;
  await copyFile(bench.at('leads.csv'), bench.at('copy.csv'));
  await utimes(bench.at('copy.csv'), new Date(0), new Date(0));
  for (const file of ['leads.csv', 'copy.csv']) expect((await run(file)).code).toBe(0);
  expect(bench.center.requests).toHaveLength(requests);
});

it(
  'is imported when it has changed where no sample of it was taken',
  { tags: 'depth' },
  async () => {
    await bench.write('leads.csv', LARGE);
    const first = await run('leads.csv');
    expect(first.code, first.stderr).toBe(0);
    const requests = bench.center.requests.length;
    const bytes = await readFile(bench.at('leads.csv'));
    // The pieces of the sample are a sixteenth of the file apart.
    const at = bytes.indexOf(NOTES, Math.floor((bytes.length / 15) * 1.5)) + 2000;
    bytes.write('x', at);
    await bench.write('changed.csv', bytes);
    bench.center.behave = () => ({
      answer: { status: 400, body: '{"errorMessage":"no"}' },
      untouched: true,
    });
    await run('changed.csv');
    expect(bench.center.requests.length).toBeGreaterThan(requests);
  },
);

it('is continued when it broke off, and not when it has changed', async () => {
  const file = await bench.write('leads.csv', LARGE);
  bench.center.behave = () => ({ delay: 50 });
  const { child, ended } = bench.start('run', [file], ['--batch-size', '50']);
  // By then its digest is on record, also where processors are busy.
  await until(() => bench.center.requests.length >= 20, 'requests arrive');
  child.kill('SIGINT');
  expect((await ended).code).toBe(3);
  bench.center.behave = () => undefined;
  const text = await readFile(file, 'utf8');
  await bench.write('leads.csv', text.replace('nnn"', 'nnx"'));
  const refused = await run('leads.csv');
  expect(refused.code).toBe(64);
  expect(refused.stderr).toContain('the input has changed');
  await bench.write('leads.csv', text);
  const continued = await run('leads.csv');
  expect(continued.code, continued.stderr).toBe(0);
  expect(continued.stderr).toContain('Continuing');
  expect(countOutcomes(continued.report())).toEqual({ created: ROWS });
});

describe('what is packed and larger than what is read ahead', () => {
  /** Good rows, each with something that does not pack. */
  const table = ((): string[][] => {
    const rows = Array.from({ length: 3000 }, (_, n) => lead(n + 1, { Comment: '' }));
    const lines = csv(rows).trimEnd().split('\r\n');
    const cells = lines.map((line) => line.slice(1, -1).split('","'));
    return cells.map((all, n) => [...all, n === 0 ? 'Notes' : randomBytes(700).toString('hex')]);
  })();
  const asCsv = (rows: readonly string[][]): string =>
    rows.map((row) => `"${row.join('","')}"`).join('\n');
  const asSheet = (rows: readonly string[][]): string => {
    const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    return rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('');
  };

  it('is imported when it is whole', async () => {
    await bench.write('leads.csv.gz', gzipSync(asCsv(table)));
    const ended = await run('leads.csv.gz');
    expect(ended.code, ended.stderr).toBe(0);
    expect(countOutcomes(ended.report())).toEqual({ created: 3000 });
  });

  it.each([
    [
      'a gzip file with a wrong checksum',
      'damaged',
      () => Buffer.concat([gzipSync(asCsv(table)).subarray(0, -8), Buffer.alloc(8)]),
    ],
    ['a gzip file that is cut off', 'cut off', () => gzipSync(asCsv(table)).subarray(0, -100_000)],
    [
      'a gzip bomb of good rows',
      'unpacks to more than',
      () => {
        const [head = [], row = []] = table;
        const rows = Buffer.alloc(100 * 2 ** 20, `${asCsv([[...row.slice(0, -1), '']])}\n`);
        return Buffer.concat([gzipSync(`${asCsv([head])}\n`), gzipSync(rows)]);
      },
    ],
    [
      'a workbook with a wrong checksum',
      'does not match its checksum',
      () =>
        zip(
          parts(asSheet(table)).map((part) =>
            part.name.includes('sheet1') ? { ...part, crc: 1 } : part,
          ),
        ),
    ],
  ])('is not sent in part: %s', async (_name, words, bytes) => {
    await bench.write('broken.file', bytes());
    const { code, stderr } = await run('broken.file');
    expect(code, stderr).toBe(64);
    expect(stderr).toContain(words);
    expect(bench.center.requests).toEqual([]);
  });
});
