import { appendFileSync, renameSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cardline } from '../kit/cardline.js';
import { zip } from '../kit/zip.js';
import { parts } from '../reading/xlsx/workbook.js';
import { type Bench, csv, identityOf, lead, openBench, twice } from './harness.js';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench('{ concurrency: 1 }');
});
afterEach(async () => {
  expect(bench.center.violations).toEqual([]);
  expect(twice(bench.center.creations)).toEqual([]);
  await bench.close();
});

const ROWS = 2500;
/** Rows of the list that takes the place of the other one: as long, byte for byte, and of other clients. */
const OTHERS = 400_000;

const rowsFrom = (first: number) =>
  Array.from({ length: ROWS }, (_, n) => lead(first + n + 1, { Comment: '', First: 'Fedor' }));

/** The clients of the file as it was. */
const OWN = new Set(rowsFrom(0).map(identityOf));

/** Cells of a list with a column that nobody maps. `notes`: how long its cells are; nothing of it packs. */
function cellsOf(first: number, notes: number): string[][] {
  const lines = csv(rowsFrom(first)).trimEnd().split('\r\n');
  let seed = 1 + first;
  const noise = (): string => {
    let text = '';
    while (text.length < notes) {
      seed = (seed * 48_271) % 2_147_483_647;
      text += seed.toString(36).padStart(6, '0');
    }
    return text.slice(0, notes);
  };
  return lines.map((line, n) => [...line.slice(1, -1).split('","'), n === 0 ? 'Notes' : noise()]);
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
  'a CSV file over 8 MiB': { name: 'leads.csv', write: asCsv, notes: 4000 },
  'a small packed file': {
    name: 'leads.csv.gz',
    write: (cells) => gzipSync(asCsv(cells)),
    notes: 0,
  },
  'a packed file over 8 MiB': {
    name: 'leads.csv.gz',
    write: (cells) => gzipSync(asCsv(cells), { level: 1 }),
    notes: 6000,
  },
  'JSON Lines': { name: 'leads.jsonl', write: asJsonLines, notes: 1000 },
  'a small workbook': { name: 'leads.xlsx', write: asWorkbook, notes: 0 },
  'a workbook over 8 MiB': { name: 'leads.xlsx', write: asWorkbook, notes: 4000 },
} satisfies Record<
  string,
  { name: string; notes: number; write: (cells: readonly string[][]) => string | Buffer }
>;

/** What somebody does to a file. `other`: another list, as long. */
const CHANGES = {
  'overwritten in place': (path: string, other: Buffer) => {
    writeFileSync(path, other, { flag: 'r+' });
  },
  'overwritten in place, its time set back': (path: string, other: Buffer, time: Date) => {
    writeFileSync(path, other, { flag: 'r+' });
    utimesSync(path, time, time);
  },
  'replaced by another one': (path: string, other: Buffer) => {
    writeFileSync(`${path}.new`, other);
    renameSync(`${path}.new`, path);
  },
  truncated: (path: string, other: Buffer) => {
    truncateSync(path, Math.floor(other.length / 2));
  },
  'appended to': (path: string) => {
    appendFileSync(path, '\r\n"400001","x"');
  },
} as const;

type Format = keyof typeof FORMATS;
type Change = keyof typeof CHANGES;

/** Every format, and every change of a file that is digested at once and of one that is not. */
const CASES: readonly (readonly [Format, Change])[] = [
  ...(Object.keys(FORMATS) as Format[]).map((format) => [format, 'overwritten in place'] as const),
  ...(Object.keys(CHANGES) as Change[])
    .slice(1)
    .flatMap((change) => [
      ['a small CSV file', change] as const,
      ['a CSV file over 8 MiB', change] as const,
    ]),
];

/** What takes long to write and to read. A large file is tried in one format, with one change in place and one of the name. */
const isInDepth = (format: Format, change: Change): boolean =>
  ['a packed file over 8 MiB', 'a workbook over 8 MiB'].includes(format) ||
  (format === 'a CSV file over 8 MiB' &&
    !['overwritten in place', 'replaced by another one'].includes(change));

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
async function changedWhile(format: Format, change: Change, at = 1): Promise<string> {
  const { own, other } = bytesOf(format);
  const file = await bench.write(FORMATS[format].name, own);
  const { mtime } = await stat(file);
  let left = at;
  bench.center.behave = ({ operation }) => {
    if (operation === '4.1' && --left === 0) CHANGES[change](file, other, mtime);
    return undefined;
  };
  return file;
}

describe('a file that is changed while it is imported', () => {
  for (const [format, change] of CASES)
    it(
      `${format} that is ${change} is told, and nothing of the other list is sent`,
      { tags: isInDepth(format, change) ? 'depth' : [] },
      async () => {
        const file = await changedWhile(format, change);
        const ended = await bench.import('run', [file], ['--batch-size', '50']);
        expect(ended.code, ended.stderr).toBe(2);
        expect(ended.stderr).toMatch(
          /leads\.\S+ was changed (while it was being|after it had been) read/,
        );
        expect(ended.stdout).toMatch(/leads\.\S+ was changed/);
        const { changedInputs } = ended.summary() as { changedInputs?: unknown };
        expect(changedInputs).toEqual([{ name: file, wasRead: expect.any(Boolean) as unknown }]);
        for (const identity of bench.center.creations.keys()) expect(OWN).toContain(identity);
        const report = await cardline(['report', '--format', 'text', '--ledger', ended.ledger], {
          cwd: bench.at('.'),
        });
        expect(report.stdout).toMatch(/^changed +.*leads\.\S+ was changed/m);
      },
    );
});
