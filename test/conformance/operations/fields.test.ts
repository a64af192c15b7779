import { expect, it } from 'vitest';
import { fieldsOf, isList } from '../../../src/operations/fields.js';
import { operations, type OperationName } from '../../../src/contract/operations.js';

const names = Object.keys(operations) as OperationName[];
const all = names.flatMap((name) =>
  fieldsOf(name).map((field) => ({ ...field, key: `${name}.${field.name}` })),
);

it('every field of the interface can be given by itself, but for the clients to add', () => {
  expect(all.filter(({ kind }) => kind === 'nested').map(({ key }) => key)).toEqual([
    'addClients.clients',
  ]);
});

it('fields are told apart by what they mean', () => {
  const keysOf = (kind: string): string[] =>
    all.filter((field) => field.kind === kind).map(({ key }) => key);
  expect(keysOf('identifiers')).toHaveLength(13);
  expect(keysOf('clients')).toEqual(['addApplications.clients']);
  expect(keysOf('criteria')).toEqual(['removeApplications.criteria']);
  expect(keysOf('card')).toEqual(['changeClient.fieldsToUpdate']);
  expect(keysOf('task')).toEqual(['assignTask.taskId']);
  expect(keysOf('campaign')).toHaveLength(9);
});

it('what is required, chosen and described comes from the contract', () => {
  const [, phoneNumber, type] = fieldsOf('addPhone');
  expect(phoneNumber).toMatchObject({ kind: 'text', required: true, description: 'Phone number.' });
  expect(type).toMatchObject({ kind: 'choice', choices: ['MOB', 'HOME', 'WORK', 'FAX'] });
  expect(fieldsOf('createCampaign')).toContainEqual({
    name: 'previewTimeout',
    part: 'body',
    kind: 'integer',
    required: false,
    description: 'Card preview time, seconds; only for the preview calling mode.',
  });
  for (const { description, key } of all) expect(description, key).toMatch(/\S/);
});

it('lists are those of 4.12 and 4.19', () => {
  expect(names.filter(isList)).toEqual(['listApplications', 'listCampaigns']);
});
