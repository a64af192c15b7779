import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_DAYS, duplicatesBy } from '../../src/core/duplicates.js';
import { loadMapping } from '../../src/mapping/mapping.js';
import { cardOf, compiled, fileOf, withName } from './files.js';

const loaded = async (yaml: string) => loadMapping(await fileOf(yaml));

it('without a mode, clients are created', async () => {
  expect(await loaded(withName('Name'))).toMatchObject({
    ...{ mode: 'create', recovery: false, duplicates: { by: ['sync'] }, borrowed: false },
  });
});

it('a table lies beside the mapping, and is read once', async () => {
  const lookup = '{ column: Name, transform: { lookup: { file: t.csv, key: a, value: b } } }';
  const file = await fileOf(withName(lookup));
  const read: string[] = [];
  const readTable = (table: string) => {
    read.push(table);
    return Promise.resolve([['a', 'b']]);
  };
  const { tables } = await loadMapping(file, { readTable });
  expect(read).toEqual([join(dirname(file), 't.csv')]);
  expect(tables.get('t.csv')).toEqual([['a', 'b']]);
});

it('headers are compared without white space at their ends, and other columns do not matter', async () => {
  const headers = [' Id', 'Name ', '', 'Phone', 'cardline:outcome', 'cardline:problems'];
  const { map, columns } = await compiled(withName('Name'), { headers });
  expect(columns).toEqual(['Id', 'Name', 'Phone']);
  expect(map(['1', 'Anna', null, '123', 'rejected', 'x']).status).toBe('client');
});

it('an update needs the identifiers, and not the required fields', async () => {
  const card = cardOf({ id: { sync: true }, code: { sync: true }, name: { required: true } });
  const yaml = 'mode: update\nclient: { fields: { id: Id, code: Code }, emails: [Name] }\n';
  const { columns } = await compiled(yaml, { card, headers: ['Id', 'Code', 'Name', 'Phone'] });
  expect(columns).toEqual(['Id', 'Code', 'Name']);
});

describe('the rule for duplicates', () => {
  const enqueue = 'mode: enqueue\nclient: { fields: { id: Id } }\n';

  it.each([
    ['{ by: phone }', duplicatesBy('phone')],
    ['{ by: [phone, sync] }', duplicatesBy('sync', 'phone')],
    ['{ by: none }', duplicatesBy()],
    ['{ keep: last }', { ...duplicatesBy('sync'), keep: 'last' }],
    ['{ within: runs }', { ...duplicatesBy('sync'), within: 'runs', days: DEFAULT_DAYS }],
    [
      '{ by: phone, within: runs, days: 7, campaign: any }',
      { ...duplicatesBy('phone'), within: 'runs', days: 7, campaign: 'any' },
    ],
  ])('%s is understood', async (rule, expected) => {
    const { duplicates } = await loaded(withName('Name', `duplicates: ${rule}\n`));
    expect(duplicates).toEqual(expected);
  });

  it.each([
    ['duplicates: { within: runs }', { within: 'runs' }],
    ['phones: [Mobile]\nduplicates: { by: phone }', { by: ['phone'] }],
  ])('mode enqueue takes %j', async (rest, expected) => {
    expect((await loaded(`${enqueue}${rest}\n`)).duplicates).toMatchObject(expected);
  });
});
