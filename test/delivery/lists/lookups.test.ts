import { readdirSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileMapping } from '../../../src/mapping/compile.js';
import { loadMapping } from '../../../src/mapping/mapping.js';
import { isLarge } from '../../../src/mapping/transforms/step.js';
import { lookupTable } from '../../../src/prepare/lookup-table.js';
import { ConflictError, openLookup } from '../../../src/lists/lists.js';
import { testFolder } from '../../kit/folder.js';

const folder = testFolder();
let files = 0;
const fresh = (ending = 'lookup'): string => join(folder, `${++files}.${ending}`);

/** A lookup of rows that are numbered from 1, all of a batch. */
async function lookupOf(pairs: readonly (readonly [key: string, value: string])[]) {
  const file = fresh();
  writeFileSync(file, '');
  const rows = pairs.map(([key, value], at) => [key, value, at + 1] as const);
  const batches = [rows.slice(0, 200), rows.slice(200)];
  return await openLookup({ file, settings: '', entries: () => ReadableStream.from(batches) });
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ minLength: 300, maxLength: 700 }),
);

describe('a compiled lookup', () => {
  it('says of each key what it was made of, and nothing of others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(text, text, { maxKeys: 300 }),
        fc.array(text),
        async (said, others) => {
          const pairs = Object.entries(said);
          const table = await lookupOf([...pairs, ...pairs.slice(0, 3)]);
          for (const [key, value] of pairs) expect(table.get(key)).toBe(value);
          for (const key of others) expect(table.get(key)).toBe(new Map(pairs).get(key));
        },
      ),
      { numRuns: 20 },
    );
  });

  it('names the first row that says something else of a key', async () => {
    const pairs = Array.from({ length: 500 }, (_, at) => [`key ${at}`, 'a'] as const);
    const conflict = lookupOf([...pairs, ['key 7', 'a'], ['key 499', 'b'], ['key 0', 'b']]);
    await expect(conflict).rejects.toThrow(ConflictError);
    await expect(conflict).rejects.toThrow(expect.objectContaining({ row: 502 }) as Error);
    // Nothing is left of what could not be used.
    expect(readdirSync(folder).filter((name) => /lock|new/.test(name))).toEqual([]);
  });
});

describe('a large lookup table of a mapping', () => {
  /** More than a mebibyte. */
  const rows = Array.from(
    { length: 30_000 },
    (_, at) => `${at} , "zone, ${at % 40}",${'x'.repeat(30)}`,
  );
  const csv = (...more: readonly string[]): string => {
    const file = fresh('csv');
    writeFileSync(file, ['Area,Zone,Rest', ...rows, ...more, ''].join('\n'));
    return file;
  };
  const zones = { key: 'Area', value: 'Zone' };

  async function mapped(file: string, key = 'Area') {
    const mapping = fresh('yaml');
    writeFileSync(
      mapping,
      `client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields:
    id: Id
    zone: { column: Area, transform: { lookup: { file: "${file}", key: ${key}, value: Zone } } }
  phones: [{ column: Phone, type: MOB }]
`,
    );
    const loaded = await loadMapping(mapping, { readTable: lookupTable });
    const { map } = compileMapping({ mapping: loaded, headers: ['Id', 'Area', 'Phone'] });
    return { map, digest: loaded.digests.tables };
  }

  it('is looked up like a small one', async () => {
    const { map } = await mapped(csv());
    expect(map(['1', ' 77 ', '123'])).toMatchObject({
      status: 'client',
      payload: { fields: { values: ['1', 'zone, 37'] } },
    });
    expect(map(['1', '30000', '123'])).toMatchObject({
      status: 'rejected',
      problems: [{ column: 'Area', code: 'not_in_table' }],
    });
  });

  it('is compiled once, and again when the file has changed', async () => {
    const file = csv();
    const zoneOf = async (key: string): Promise<string | undefined> => {
      const table = await lookupTable(file, [zones]);
      const entries = isLarge(table) ? table.entries(zones) : undefined;
      return entries && 'get' in entries ? entries.get(key) : undefined;
    };
    expect(await zoneOf('5')).toBe('zone, 5');
    const compiled = readdirSync(folder).find((name) => join(folder, name).startsWith(`${file}.`))!;
    const made = statSync(join(folder, compiled)).ino;
    utimesSync(file, 1, 1);
    expect(await zoneOf('5')).toBe('zone, 5');
    expect(statSync(join(folder, compiled)).ino).toBe(made);
    writeFileSync(file, ['Area,Zone,Rest', ...rows.toReversed(), '30000,new,', ''].join('\n'));
    expect(await zoneOf('30000')).toBe('new');
    // Cut off, or of the form that earlier versions had.
    for (const left of [statSync(join(folder, compiled)).size - 1, 'cardline lookup\n{}']) {
      if (typeof left === 'number') truncateSync(join(folder, compiled), left);
      else writeFileSync(join(folder, compiled), left);
      expect(await zoneOf('30000')).toBe('new');
    }
    expect(statSync(join(folder, compiled)).mode & 0o777).toBe(0o600);
  });

  it('binds a run to what it holds', async () => {
    const digests = [csv(), csv(), csv('30000,new,')].map(
      async (file) => (await mapped(file)).digest,
    );
    const [one, same, other] = await Promise.all(digests);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    // The name of the file counts, too, as it always did.
    expect(new Set([one, same, other]).size).toBe(3);
    const file = csv();
    const before = (await mapped(file)).digest;
    expect((await mapped(file)).digest).toBe(before);
    writeFileSync(file, ['Area,Zone,Rest', ...rows, '30000,new,', ''].join('\n'));
    expect((await mapped(file)).digest).not.toBe(before);
  });

  it('is refused in the words of a small one', async () => {
    await expect(mapped(csv(), 'Aera')).rejects.toThrow(
      /has no column "Aera".*Did you mean "Area"/s,
    );
    await expect(mapped(csv('30000,a,', '30000,b,'))).rejects.toThrow(
      /row 30003 of .* says something else for a key that stands further up/,
    );
  });
});
