import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { MODES } from '../../src/core/outcome.js';
import { installationJsonSchema } from '../../src/installation/installation.js';
import { mappingJsonSchema } from '../../src/mapping/mapping.js';
import { pickupJsonSchema } from '../../src/nightly/pickup/schema.js';

const folder = join(import.meta.dirname, '../../mappings');
const sample = (name: string): object => parse(readFileSync(join(folder, name), 'utf8')) as object;

const PICKUP = {
  pickups: [
    {
      name: 'a',
      from: 'in',
      files: '*.csv',
      import: { mapping: 'm.yaml', installation: 'i.yaml' },
    },
  ],
};

/** Options of a schema without a description, by their path. */
function undescribed(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, inner]: [string, unknown]) => {
    const here = `${path}/${key}`;
    if (key !== 'properties') return undescribed(inner, here);
    return Object.entries(inner as Record<string, object>).flatMap(([name, option]) => [
      ...('description' in option ? [] : [`${here}/${name}`]),
      ...undescribed(option, `${here}/${name}`),
    ]);
  });
}

/** The rows of a table of texts: keys, and what they are for. */
const rowsOf = (file: string): string[][] =>
  readFileSync(join(import.meta.dirname, '../../src', file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));

describe.each([
  ['mapping', mappingJsonSchema(), 'mapping/data/mapping-keys.tsv', sample('leads.yaml')],
  [
    'installation',
    installationJsonSchema(),
    'installation/data/installation-keys.tsv',
    sample('installation.yaml'),
  ],
  ['pickup file', pickupJsonSchema(), 'nightly/pickup/data/pickup-keys.tsv', PICKUP],
] as const)('the JSON Schema of the %s', (_, schema, texts, good) => {
  test('is plain JSON of draft 7', () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    expect(schema['$schema']).toBe('http://json-schema.org/draft-07/schema#');
  });

  test('describes every option', () => {
    expect(undescribed(schema)).toEqual([]);
  });

  test('says all that the table of texts has', () => {
    const said = JSON.stringify(schema);
    const unsaid = rowsOf(texts).filter(([, text = '']) => !said.includes(JSON.stringify(text)));
    expect(unsaid).toEqual([]);
  });

  test('takes a good file and refuses an unknown key', () => {
    const check = z.fromJSONSchema(schema);
    expect(check.safeParse(good).error).toBeUndefined();
    expect(check.safeParse({ ...good, unknown: 1 }).success).toBe(false);
  });
});

describe('the JSON Schema of the mapping, by the mode', () => {
  const check = z.fromJSONSchema(mappingJsonSchema());
  const mappings = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml') && name !== 'installation.yaml')
    .map((name) => [name, sample(name)] as const);
  const modes = new Set(
    mappings.map(([, mapping]) => ('mode' in mapping ? mapping.mode : 'create')),
  );

  test('there is a mapping for every mode', () => {
    expect(modes).toEqual(new Set(MODES));
  });

  test.each(mappings)('takes %s, and refuses it in a mode that it does not suit', (_, mapping) => {
    expect(check.safeParse(mapping).error).toBeUndefined();
    const suits = MODES.filter((mode) => check.safeParse({ ...mapping, mode }).success);
    const own = 'mode' in mapping ? mapping.mode : 'create';
    const alike: Record<string, string[]> = {
      create: ['create', 'upsert'],
      upsert: ['create', 'upsert'],
      // Whether it would change anything, only the card tells.
      delete: ['update', 'enqueue', 'dequeue', 'delete'],
    };
    expect(suits).toEqual(alike[String(own)] ?? [own]);
    expect(check.safeParse({ ...mapping, mode: 'unknown' }).success).toBe(false);
  });
});
