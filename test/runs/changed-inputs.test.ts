import { createHash } from 'node:crypto';
import { renameSync, utimesSync, writeFileSync } from 'node:fs';
import { copyFile, stat, utimes } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { zip } from '../kit/zip.js';
import { parts } from '../reading/xlsx/workbook.js';
import {
  type Imported,
  countOutcomes,
  csv,
  until,
  identityOf,
  inOrder,
  lead,
  useBench,
} from '../kit/bench.js';

const bench = useBench({ limits: '{ concurrency: 1 }', after: inOrder });

const ROWS = 1250;
/** Rows of the list that takes the place of the other one: as long, byte for byte, and of other clients. */
const OTHERS = 400_000;

const rowsFrom = (first: number) =>
  Array.from({ length: ROWS }, (_, n) => lead(first + n + 1, { Comment: '', First: 'Fedor' }));

/** The clients of the file as it was. */
const OWN = new Set(rowsFrom(0).map(identityOf));

/** Cells of a list with a column that nobody maps. `notes`: how long its cells are; nothing of it packs. */
function cellsOf(first: number, notes: number): string[][] {
  const lines = csv(rowsFrom(first)).trimEnd().split('\r\n');
  const noiseOf = (line: string): string =>
    createHash('shake256', { outputLength: notes })
      .update(line)
      .digest('base64url')
      .slice(0, notes);
  return lines.map((line, n) => [
    ...line.slice(1, -1).split('","'),
    n === 0 ? 'Notes' : notes === 0 ? '' : noiseOf(line),
  ]);
}

const asCsv = (cells: readonly string[][]): string =>
  cells.map((row) => `"${row.join('","')}"`).join('\r\n');

const asJsonLines = ([head = [], ...rows]: readonly string[][]): string =>
  rows
    .map((row) => JSON.stringify(Object.fromEntries(row.map((cell, n) => [head[n], cell]))))
    .join('\n');

function asWorkbook(cells: readonly string[][]): Buffer {
  const cell = (text: string): string =>
    `<c t="inlineStr"><is><t>${text.replaceAll('"', '')}</t></is></c>`;
  return zip(parts(cells.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')));
}

/** How a list is written, and how long its notes are so that it is larger or smaller than what is digested at once. */
const FORMATS = {
  'a small CSV file': { name: 'leads.csv', write: asCsv, notes: 0 },
  'a CSV file over 8 MiB': { name: 'leads.csv', write: asCsv, notes: 8000 },
  'a small packed file': {
    name: 'leads.csv.gz',
    write: (cells) => gzipSync(asCsv(cells)),
    notes: 0,
  },
  'a packed file over 8 MiB': {
    name: 'leads.csv.gz',
    write: (cells) => gzipSync(asCsv(cells), { level: 1 }),
    notes: 12_000,
  },
  'JSON Lines': { name: 'leads.jsonl', write: asJsonLines, notes: 2000 },
  'a small workbook': { name: 'leads.xlsx', write: asWorkbook, notes: 0 },
  'a workbook over 8 MiB': { name: 'leads.xlsx', write: asWorkbook, notes: 12_000 },
} satisfies Record<
  string,
  { name: string; notes: number; write: (cells: readonly string[][]) => string | Buffer }
>;

/** What somebody does to a file; all that can be done: `seen-inputs`. `other`: another list, as long. */
const CHANGES = {
  'overwritten in place, its time set back': (path: string, other: Buffer, time: Date) => {
    writeFileSync(path, other, { flag: 'r+' });
    utimesSync(path, time, time);
  },
  'replaced by another one': (path: string, other: Buffer) => {
    writeFileSync(`${path}.new`, other);
    renameSync(`${path}.new`, path);
  },
} as const;

type Format = keyof typeof FORMATS;
type Change = keyof typeof CHANGES;

/** Every format, and both changes of a file that is digested at once and of one that is not. */
const CASES: readonly (readonly [Format, Change])[] = [
  ...(Object.keys(FORMATS) as Format[]).map(
    (format) => [format, 'overwritten in place, its time set back'] as const,
  ),
  ['a small CSV file', 'replaced by another one'],
  ['a CSV file over 8 MiB', 'replaced by another one'],
];

/** What takes long to write and to read. */
const IN_DEPTH: readonly Format[] = ['a packed file over 8 MiB', 'a workbook over 8 MiB'];

const written = new Map<string, { readonly own: Buffer; readonly other: Buffer }>();

/** Both lists in a format, the other one as long as the first. */
function bytesOf(format: Format): { readonly own: Buffer; readonly other: Buffer } {
  const known = written.get(format);
  if (known) return known;
  const { write, notes } = FORMATS[format];
  const own = Buffer.from(write(cellsOf(0, notes)));
  const other = Buffer.alloc(own.length);
  Buffer.from(write(cellsOf(OTHERS, notes))).copy(other);
  written.set(format, { own, other });
  return { own, other };
}

/** Has the file changed with the first request that brings clients. */
async function changedWhile(format: Format, change: Change): Promise<string> {
  const { own, other } = bytesOf(format);
  const file = await bench.write(FORMATS[format].name, own);
  const { mtime } = await stat(file);
  bench.center.behave = ({ operation, number }) => {
    if (operation === '4.1' && number === 1) CHANGES[change](file, other, mtime);
    return undefined;
  };
  return file;
}

describe('a file that is changed while it is imported', () => {
  for (const [format, change] of CASES)
    it(
      `${format} that is ${change} is told, and nothing of the other list is sent`,
      { tags: IN_DEPTH.includes(format) ? 'depth' : [] },
      async () => {
        const file = await changedWhile(format, change);
        const ended = await bench.import('run', [file], ['--batch-size', '200']);
        expect(ended.code, ended.stderr).toBe(2);
        expect(ended.stderr).toMatch(
          /leads\.\S+ was changed (while it was being|after it had been) read/,
        );
        expect(ended.stdout).toMatch(/leads\.\S+ was changed/);
        const { changedInputs } = ended.summary() as { changedInputs?: unknown };
        expect(changedInputs).toEqual([{ name: file, wasRead: expect.any(Boolean) as unknown }]);
        for (const identity of bench.center.creations.keys()) expect(OWN).toContain(identity);
        const report = await bench.run('report', '--format', 'text', '--ledger', ended.ledger);
        expect(report.stdout).toMatch(/^changed +.*leads\.\S+ was changed/m);
      },
    );
});

describe('a large file, whose digest is known while it is sent', () => {
  const { own: LARGE } = bytesOf('a CSV file over 8 MiB');
  const imported = (name: string): Promise<Imported> => bench.import('run', [bench.at(name)]);

  it(
    'is imported when it has changed where no sample of it was taken',
    { tags: 'depth' },
    async () => {
      await bench.write('leads.csv', LARGE);
      expect((await imported('leads.csv')).code).toBe(0);
      const requests = bench.center.requests.length;
      const bytes = Buffer.from(LARGE);
      // The pieces of the sample are a sixteenth of the file apart.
      bytes.write('!', Math.floor((bytes.length / 15) * 1.5));
      await bench.write('changed.csv', bytes);
      const answer = { status: 400, body: '{"errorMessage":"no"}' };
      bench.center.behave = () => ({ answer, untouched: true });
      await imported('changed.csv');
      expect(bench.center.requests.length).toBeGreaterThan(requests);
    },
  );

  it('is continued when it broke off, not when it has changed, and not repeated under another name and time', async () => {
    const file = await bench.write('leads.csv', LARGE);
    bench.center.behave = () => ({ delay: 50 });
    const stop = new AbortController();
    const run = bench.import('run', [file], ['--batch-size', '50'], stop.signal);
    // By then its digest is on record, also where processors are busy.
    await until(() => bench.center.requests.length >= 20, 'requests arrive');
    stop.abort();
    expect((await run).code).toBe(3);
    bench.center.behave = () => undefined;
    const changed = Buffer.from(LARGE);
    changed.write('!', changed.length - 3);
    await bench.write('leads.csv', changed);
    const refused = await imported('leads.csv');
    expect([refused.code, refused.stderr]).toEqual([
      64,
      expect.stringContaining('the input has changed'),
    ]);
    await bench.write('leads.csv', LARGE);
    const continued = await imported('leads.csv');
    expect(continued.code, continued.stderr).toBe(0);
    expect(continued.stderr).toContain('Continuing');
    expect(countOutcomes(continued.report())).toEqual({ created: ROWS });
    const requests = bench.center.requests.length;
    await copyFile(file, bench.at('copy.csv'));
    await utimes(bench.at('copy.csv'), new Date(0), new Date(0));
    for (const name of ['leads.csv', 'copy.csv']) expect((await imported(name)).code).toBe(0);
    expect(bench.center.requests).toHaveLength(requests);
  });
});
