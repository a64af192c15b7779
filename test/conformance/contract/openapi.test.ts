import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '../../../src/contract/openapi.js';
import { type Operation, operations } from '../../../src/contract/operations.js';

const operationObject = z.looseObject({
  operationId: z.string(),
  description: z.string(),
  parameters: z.array(z.looseObject({ name: z.string() })).optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
});
const shape = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationObject)),
  components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }),
});
const { paths, components } = shape.parse(openApiDocument());
const listed = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);
const byId = new Map(listed.map((operation) => [operation.operationId, operation]));

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate({ ...openApiDocument() });
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('has all 24 operations of the table, at their method and path', () => {
    expect(listed).toHaveLength(24);
    for (const [name, entry] of Object.entries<Operation>(operations)) {
      const { method, path, section, status = 200 } = entry;
      const operation = byId.get(name);
      expect(operation).toMatchObject({ method: method.toLowerCase(), path });
      expect(operation?.description).toContain(section);
      expect(Object.keys(operation?.responses ?? {})).toEqual([String(status), 'default']);
    }
  });

  it('names every parameter that a path holds, and no other', () => {
    for (const { path, parameters = [] } of listed) {
      const inPath = parameters.filter((parameter) => parameter['in'] === 'path');
      const held = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(inPath.map(({ name }) => name)).toEqual(held);
    }
  });

  it('refers only to schemas that it has, and has none that nobody refers to', () => {
    const text = JSON.stringify(openApiDocument());
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    const used = new Set(references.map((match) => match[1]));
    expect([...used].sort()).toEqual(Object.keys(components.schemas).sort());
    expect(text).not.toContain('"$id"');
  });

  it('spreads the free query of the list of call applications', () => {
    expect(byId.get('listApplications')?.parameters).toMatchObject([
      { in: 'query', required: true, style: 'form', explode: true, schema: { type: 'object' } },
    ]);
    expect(byId.get('createCallback')?.parameters).toMatchObject([
      { name: 'type', in: 'query', required: true, schema: { const: 'tm' } },
    ]);
    expect(byId.get('listCampaigns')?.parameters).toMatchObject([
      { name: 'limit', required: true, schema: { maximum: 100, minimum: 0 } },
      { name: 'offset', required: false },
    ]);
  });

  it('says the rules of a client', () => {
    expect(components.schemas['Client']).toMatchObject({
      properties: {
        timeZone: { maxLength: 25, pattern: '\\S' },
        phones: { minItems: 1, items: { $ref: '#/components/schemas/Phone' } },
      },
    });
    expect(components.schemas['SyncIdentifiers']).toMatchObject({ minProperties: 1 });
  });

  it('names the messages of the interface', () => {
    const failure = byId.get('createCallback')?.responses['default'];
    expect(failure?.description).toContain('`callAt must be in future`');
  });
});
