import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { criterionOf, fieldsOf, isList } from '../../../src/operations/arguments.js';
import {
  FILTER_OPERATORS,
  FILTER_VALUES,
  operations,
  type OperationName,
} from '../../../src/contract/operations.js';
import type { Installation } from '../../../src/installation/installation.js';
import { tablesIn } from '../../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'arguments.yaml') as [string, number | string][];

const field = { sync: false, required: false } as const;
const card: Installation['card'] = {
  offerId: { ...field, type: 'Number', sync: true },
  fullName: { ...field, type: 'TextField' },
  'like what': { ...field, type: 'TextField' },
  segment: { ...field, type: 'ComboBox', values: ['cold', 'warm'] },
};

function read(text: string, by = card) {
  const complaints: string[] = [];
  const criterion = criterionOf(text, by, (message, hint) =>
    complaints.push([message, hint].join(' ')),
  );
  return { criterion, complaints };
}

const good = (text: string, by = card) => {
  const { criterion, complaints } = read(text, by);
  expect(complaints).toEqual([]);
  return criterion;
};

describe('a filter', () => {
  it('is read as it was written, whatever its key, operator and value', () => {
    const keys = ['fullName', 'like what', 'phones.phoneNumber'];
    const value = fc
      .string({ minLength: 1 })
      .filter((text) => text.trim() === text && !/^["']/.test(text) && !/[\r\n]/.test(text));
    fc.assert(
      fc.property(
        fc.constantFrom(...keys),
        fc.constantFrom(...FILTER_OPERATORS),
        value.filter((text) => !/^[=!<>~]/.test(text)),
        (key, operator, text) => {
          expect(good(`${key} ${operator} ${text}`)).toEqual({ key, operator, value: text });
        },
      ),
    );
  });

  it('takes every value that the interface has for a key', () => {
    for (const [key, values] of Object.entries(FILTER_VALUES))
      for (const value of values)
        expect(good(`${key}=${value}`)).toEqual({ key, operator: '=', value });
  });

  it.each(CASES)('%j compares with %j', (text, value) => {
    expect(good(text)).toMatchObject({ value });
  });

  it('takes "id" for the card field of that name where there is one', () => {
    const text: Installation['card'] = { id: { ...field, type: 'TextField' } };
    expect(good('id = 1001', text)).toMatchObject({ value: '1001' });
  });

  it.each([
    ['application.status = STARTET', /"STARTED".*NONE, STARTED, FAILED/],
    ['application.status LIKE FAIL', /cannot be "FAIL"/],
    ['fulname = a', /Did you mean "fullName"\? There is: application\.status/],
    ['fullName <> a', /"<>" is not an operator\. There is: LIKE, NOT LIKE, =\./],
    ['fullName == a', /"==" is not an operator/],
    ['fullName IN a', /"IN" is not an operator/],
    ['fullName', /takes "key operator value"/],
    ['fullName LIKE', /takes "key operator value"/],
    ['', /takes "key operator value"/],
    ['id = me', /compared with a number/],
    ['segment = hot', /cannot be "hot"\. There is: cold, warm\./],
  ])('%j is refused', (text, told) => {
    const { complaints } = read(text);
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toMatch(told);
  });
});

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
