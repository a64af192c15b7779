import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { suggestMapping } from '../../src/setup/suggest.js';
import { cardline } from '../kit/cardline.js';
import { CARDS } from './cards.js';
import { allExports, type Export } from './exports.js';
import { figuresOf, type Suggested } from './figures.js';
import { fileOf } from './shapes.js';
import { testFolder } from '../kit/folder.js';

const shaped = allExports().filter(({ shape }) => shape !== undefined);

/** Row of the header by the shape. */
const HEADER: Readonly<Record<string, number | 'none'>> = {
  headless: 'none',
  titles: 5,
  'two-row': 2,
};

const folder = testFolder();
let suggested: Suggested[];
const nameOf = ({ name }: Export, ending: string): string => join(folder, `${name}.${ending}`);

beforeAll(async () => {
  suggested = await Promise.all(
    shaped.map(async (each) => [each, await suggestOne(each)] as const),
  );
});

async function suggestOne(each: Export): Promise<Suggested[1]> {
  const installation = nameOf(each, 'center.yaml');
  const center = { name: 'test', baseUrl: 'http://127.0.0.1:9', card: CARDS[each.card] };
  await writeFile(installation, JSON.stringify(center));
  await writeFile(nameOf(each, 'csv'), fileOf(each));
  const found = await suggestMapping({
    file: nameOf(each, 'csv'),
    installation,
    ledger: join(folder, 'none.db'),
  });
  await writeFile(nameOf(each, 'yaml'), found.mapping);
  return found;
}

describe('what is suggested for files with two header rows, with titles, and without a header', () => {
  it('finds the header', () => {
    for (const [{ name, shape }, { source }] of suggested)
      expect({ name, row: source.headerRow }).toEqual({ name, row: HEADER[shape ?? ''] });
  });

  it('is what a person would choose', () => {
    const { columns, right, wrongAndSure, complete, accepted, smallestShare, misses } =
      figuresOf(suggested);
    expect(right / columns, misses.join('\n')).toBeGreaterThanOrEqual(0.95);
    expect(wrongAndSure / columns, misses.join('\n')).toBeLessThanOrEqual(0.01);
    expect({ complete, accepted }, misses.join('\n')).toEqual({
      complete: shaped.length,
      accepted: shaped.length,
    });
    expect(smallestShare, misses.join('\n')).toBeGreaterThanOrEqual(0.9);
  });

  it('knows the country of phones without a header', () => {
    const [, found] = suggested.find(([{ name }]) => name === 'headless-tab') ?? [];
    expect(found?.mapping).toContain('timeZone: { value: Europe/Berlin }');
  });

  it.each(['two-row-header', 'title-rows', 'no-header'])(
    'is accepted by check: %s',
    async (name) => {
      const [each] = suggested.find(([{ name: other }]) => other === name) ?? [];
      if (!each) throw new Error(`there is no export ${name}`);
      const args = ['check', nameOf(each, 'csv'), '-m', nameOf(each, 'yaml')];
      const more = ['-i', nameOf(each, 'center.yaml'), '--json', '-o', join(folder, name)];
      const ended = await cardline([...args, ...more], { cwd: folder });
      expect(ended.code, ended.stderr).toBe(0);
      expect(JSON.parse(ended.stdout)).toMatchObject({ rows: 150, clients: 150, rejected: 0 });
    },
  );
});
