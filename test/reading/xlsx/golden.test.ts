import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/core/errors.js';
import type { Cell, Row } from '../../../src/core/table.js';
import { readFile } from './workbook.js';

const CORPORA = fileURLToPath(new URL('../../../../shared/corpora/', import.meta.url));
const here = existsSync(CORPORA);

type Golden = [sheet: string, row: number, column: number, type: string, value: unknown];

const books = here
  ? ['poi', 'calamine', 'sheetjs'].flatMap((set) =>
      readdirSync(join(CORPORA, 'xlsx', set)).map((name) => `${set}/${name}`),
    )
  : [];
const goldenOf = (book: string) => join(CORPORA, 'golden', `${book}.json`);
const withGolden = books.filter((book) => existsSync(goldenOf(book)));
const without = books.filter((book) => !existsSync(goldenOf(book)));

/** One of so many is read each time, from one end of the corpora to the other; the others in depth. */
const EVERY = 5;
const tagsAt = (at: number) => (at % EVERY === 0 ? [] : 'depth');

describe.skipIf(!here)(
  'workbooks of other projects (needs the corpora beside the repository)',
  () => {
    it('is not tested against nothing', () => {
      expect(withGolden.length).toBeGreaterThan(300);
    });

    for (const [at, book] of withGolden.entries())
      it(`${book}: every golden cell is equal`, { tags: tagsAt(at) }, async () => {
        const cells = index(await readFile(join(CORPORA, 'xlsx', book), { allSheets: true }));
        const golden = JSON.parse(readFileSync(goldenOf(book), 'utf8')) as Golden[];
        const wrong = golden.filter(
          ([sheet, row, column, type, value]) =>
            !isEqual(cellOf(cells.get(`${sheet}\n${row}`), column - 1, type), type, value),
        );
        expect(wrong).toEqual([]);
      });

    for (const [at, book] of without.entries())
      it(
        `${book}: ends with rows or a clear error`,
        { tags: tagsAt(at), timeout: 10_000 },
        async () => {
          const file = join(CORPORA, 'xlsx', book);
          const ended = await readFile(file, { allSheets: true }).catch((error: unknown) => error);
          expect(ended).toSatisfy((end) => Array.isArray(end) || end instanceof InputError);
        },
      );
  },
);

function index(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [`${row.sheet}\n${row.row}`, row]));
}

/** Golden numbers are stored ones, where a format shows another text. */
function cellOf(row: Row | undefined, at: number, type: string): Cell {
  const stored = row?.numbers?.find(([column]) => column === at)?.[1];
  return (type === 'n' ? stored : undefined) ?? row?.cells[at] ?? null;
}

function isEqual(cell: Cell, type: string, value: unknown): boolean {
  if (cell === null) return value === '';
  if (type === 'n') return Math.abs(Number(cell) - Number(value)) <= 1e-9 * Math.abs(Number(value));
  if (type === 'd') return Math.abs(secondsOf(cell) - secondsOf(String(value))) <= 0.5;
  return cell === String(value);
}

/** Dates from 1970, times from midnight; `2 days, 03:00:00` is an elapsed time. NaN for anything else. */
function secondsOf(text: string): number {
  const elapsed = /^(?:(\d+) days?, )?(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(text);
  if (elapsed !== null) {
    const [, days = '0', hours, minutes, seconds] = elapsed;
    return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  }
  const date = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(\.\d+)?)?$/.exec(text);
  if (date === null) return NaN;
  const [, day, time = '00:00:00', fraction = '0'] = date;
  return Date.parse(`${day}T${time}Z`) / 1000 + Number(fraction);
}
