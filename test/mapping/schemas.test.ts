import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { MODES } from '../../src/core/mode.js';
import { installationJsonSchema, mappingJsonSchema } from '../../src/mapping/mapping.js';

const MAPPING = {
  client: {
    clientRoleId: { value: 1 },
    timeZone: 'TZ',
    fields: { id: { column: 'Id', transform: ['trim', { phone: { country: 'RU' } }] } },
    phones: [{ column: 'Phone', type: 'MOB' }],
  },
  where: { any: [{ column: 'A', in: [1] }, { not: { column: 'B', empty: true } }] },
};
const INSTALLATION = {
  name: 'a',
  baseUrl: 'http://b',
  card: { id: { type: 'Number', sync: true } },
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

/** Names at the top of a file, in any of its forms. */
function sectionsOf({ anyOf, properties }: Record<string, unknown>): string[] {
  const forms = (anyOf ?? [{ properties }]) as { properties: object }[];
  return forms.flatMap((form) => Object.keys(form.properties));
}

describe.each([
  [
    'mapping',
    mappingJsonSchema(),
    MAPPING,
    [
      ...['mode', 'source', 'where', 'uuid', 'client', 'duplicates', 'campaign', 'recovery'],
      ...['cancelCallbacks', 'callback', 'clientId'],
    ],
  ],
  [
    'installation',
    installationJsonSchema(),
    INSTALLATION,
    ['name', 'baseUrl', 'headers', 'card', 'clientRoles', 'limits', 'transport', 'sandbox'],
  ],
] as const)('the JSON Schema of the %s', (_, schema, good, sections) => {
  test('is plain JSON of draft 7 and knows every section', () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    expect(schema['$schema']).toBe('http://json-schema.org/draft-07/schema#');
    expect(sectionsOf(schema)).toEqual(expect.arrayContaining([...sections]));
  });

  test('describes every option', () => {
    expect(undescribed(schema)).toEqual([]);
  });

  test('takes a good file and refuses an unknown key', () => {
    const check = z.fromJSONSchema(schema);
    expect(check.safeParse(good).error).toBeUndefined();
    expect(check.safeParse({ ...good, unknown: 1 }).success).toBe(false);
  });
});

describe('the JSON Schema of the mapping, by the mode', () => {
  const check = z.fromJSONSchema(mappingJsonSchema());
  const folder = fileURLToPath(new URL('../../mappings/', import.meta.url));
  const mappings = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml') && name !== 'installation.yaml')
    .map((name) => [name, parse(readFileSync(join(folder, name), 'utf8')) as object] as const);
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
