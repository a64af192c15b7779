import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { installationJsonSchema, mappingJsonSchema } from '../../src/mapping/schemas.js';

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

describe.each([
  [
    'mapping',
    mappingJsonSchema(),
    MAPPING,
    ['source', 'where', 'uuid', 'client', 'duplicates', 'campaign'],
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
    expect(Object.keys(schema['properties'] as object)).toEqual(
      expect.arrayContaining([...sections]),
    );
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
