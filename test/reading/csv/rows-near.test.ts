import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSource } from '../../../src/source/source.js';
import { testFolder } from '../../kit/folder.js';

const ROWS = 40_000;
const cellsOf = (row: number): string[] => [
  `id${row}`,
  `first line\nsecond, "line" ${row}`,
  `end${row}`,
];

const folder = testFolder();

beforeAll(async () => {
  const quoted = (cell: string): string =>
    /[\n,"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = Array.from({ length: ROWS }, (_, row) => cellsOf(row).map(quoted).join(','));
  const text = ['a,b,c', ...lines].join('\r\n');
  await writeFile(join(folder, 'utf8.csv'), text);
  await writeFile(join(folder, 'utf16.csv'), Buffer.from(`\ufeff${text}`, 'utf16le'));
});

describe.each(['utf8.csv', 'utf16.csv'])('rows from the middle of %s', (name) => {
  it.each([0.2, 0.5, 0.77, 1])('are whole rows at %d', async (share) => {
    const { rowsNear } = await openSource(join(folder, name));
    const rows = (await rowsNear?.(share, 3)) ?? [];
    expect(rows.length).toBeGreaterThan(50);
    for (const { cells } of rows) {
      const row = Number(cells[0]?.slice(2));
      expect(cells).toEqual(cellsOf(row));
      expect(Math.abs(row / ROWS - share)).toBeLessThan(0.1);
    }
  });
});
