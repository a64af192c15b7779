import { expect, it } from 'vitest';
import { operations } from '../../src/contract/operations.js';
import { cardline } from '../kit/cardline.js';

it('prints the interface as an OpenAPI 3.1 document', async () => {
  const { code, stdout, stderr } = await cardline(['openapi']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const document = JSON.parse(stdout) as {
    openapi: string;
    paths: Record<string, Record<string, unknown>>;
  };
  expect(document.openapi).toMatch(/^3\.1\./);
  for (const { method, path } of Object.values(operations)) {
    expect(document.paths[path], path).toHaveProperty(method.toLowerCase());
  }
});

interface Form {
  readonly properties: object;
}

it.each([
  ['mapping', ['client', 'campaign', 'where', 'duplicates']],
  ['installation', ['baseUrl', 'card', 'limits', 'sandbox']],
])('prints the JSON Schema of a %s file', async (kind, sections) => {
  const { code, stdout, stderr } = await cardline(['schema', kind]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { anyOf, ...whole } = JSON.parse(stdout) as Form & { anyOf?: Form[] };
  const names = (anyOf ?? [whole]).flatMap(({ properties }) => Object.keys(properties));
  expect(names).toEqual(expect.arrayContaining(sections));
});
