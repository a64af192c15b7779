import { editMapping, mappingEdit } from '../../../src/mapping/edit.js';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { tablesIn } from '../../kit/tables.js';

/** What the file says of its keys. */
interface Case {
  readonly case: string;
  readonly from?: string;
  readonly edits: readonly unknown[];
  readonly instead?: readonly (readonly [from: string, to: string])[];
  readonly text?: string;
  readonly has?: Readonly<Record<string, unknown>>;
  readonly back?: readonly unknown[];
  readonly refused?: object;
  readonly mistakes?: readonly object[];
}

const { leads, cases } = tablesIn(import.meta.dirname, 'edits.yaml') as Readonly<{
  leads: string;
  cases: readonly Case[];
}>;

const edit = (text: string, one: unknown) => editMapping(text, mappingEdit.parse(one));

/** The text after these edits, each as it comes from the page. */
function edited(yaml: string, edits: readonly unknown[]): string {
  return edits.reduce<string>((text, one) => {
    const result = edit(text, one);
    if (!('yaml' in result)) throw new Error(JSON.stringify(result));
    return result.yaml;
  }, yaml);
}

const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);

it.each(cases.map((one) => [one.case, one] as const))('%s', (_name, one) => {
  const { from = leads, edits, refused, mistakes, has = {}, back } = one;
  if (refused ?? mistakes) {
    expect(edit(from, edits[0])).toMatchObject(refused ? { refused } : { mistakes });
    return;
  }
  const text = edited(from, edits);
  if (one.text !== undefined) expect(text).toBe(one.text);
  if (one.instead) {
    const wanted = one.instead.reduce((whole, [old, now]) => whole.replace(old, () => now), from);
    expect(text).toBe(wanted);
  }
  for (const [path, value] of Object.entries(has))
    expect(at(parse(text), path) ?? null).toEqual(value);
  for (const comment of from.match(/#.*/g) ?? []) expect(text).toContain(comment);
  if (back) expect(edited(text, back)).toBe(from);
});

it.each(['a: b', '# c', "it's", '"q"', '- x', '{', 'A', '1', 'yes', 'a\nb', '*r', 'é\u00a0ü'])(
  'a column may have any name: %j',
  (column) => {
    const yaml = edited(leads, [{ kind: 'become', column, target: 'fields.odd' }]);
    expect(parse(yaml)).toHaveProperty('client.fields.odd', column);
    expect(edited(yaml, [{ kind: 'become', column, target: null }])).toBe(leads);
  },
);

describe('the mappings of the samples', async () => {
  const folder = join(import.meta.dirname, '../../../mappings');
  const names = (await readdir(folder)).filter(
    (name) => name.endsWith('.yaml') && name !== 'installation.yaml',
  );

  it.each(names)('%s is the same again after an edit and its opposite', async (name) => {
    const yaml = await readFile(join(folder, name), 'utf8');
    for (const text of [yaml, yaml.replaceAll('\n', '\r\n')]) {
      const become = { kind: 'become', column: 'New: one', target: 'fields.extra' };
      const there = edited(text, [become]);
      expect(there).not.toBe(text);
      expect(edited(there, [{ ...become, target: null }])).toBe(text);
    }
  });
});
