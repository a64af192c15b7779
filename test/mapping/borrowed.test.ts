import { describe, expect, test } from 'vitest';
import type { Installation } from '../../src/installation/installation.js';
import { duplicatesBy, NO_DUPLICATES } from '../../src/core/duplicates.js';
import type { Mode } from '../../src/core/outcome.js';
import { loadMapping } from '../../src/mapping/mapping.js';
import { compiled, faultsOf, fileOf } from './files.js';
import { tablesIn } from '../kit/tables.js';

/** A mapping that is used in another mode than the one that it was written for. */

const CARD: Installation['card'] = {
  id: { type: 'Number', sync: true, required: false },
  name: { type: 'TextField', sync: false, required: true },
};

const CREATING = tablesIn(import.meta.dirname, 'borrowed.yaml') as string;

const borrowed = async (mode: Mode, yaml = CREATING) =>
  loadMapping(await fileOf(yaml), { mode, readTable: () => Promise.resolve([['a', 'b']]) });

describe.each(['enqueue', 'dequeue', 'delete'] as const)('mode %s', (mode) => {
  test('asks a file for the identifiers alone, whatever else the mapping wants', async () => {
    const { map, columns } = await compiled(CREATING, { card: CARD, headers: ['Id'], mode });
    expect(columns).toEqual(['Id']);
    expect(map(['5'])).toMatchObject({ status: 'client', identifiers: [5] });
    expect(map(['x'])).toMatchObject({ problems: [{ column: 'Id', code: 'not_a_number' }] });
  });

  test('the row keeps the uuid that it was created with', async () => {
    const headers = ['Id', 'Name', 'Phone', 'Active', 'Tier'];
    const readTable = () =>
      Promise.resolve([
        ['a', 'b'],
        ['x', 'VIP'],
      ]);
    const setup = { card: CARD, headers, readTable };
    const cells = ['5', 'Anna', '79990001000', null, 'x'];
    const created = (await compiled(CREATING, setup)).map(cells);
    expect(created.status).toBe('client');
    expect((await compiled(CREATING, { ...setup, mode })).map(cells)).toMatchObject({
      uuid: created.uuid,
    });
  });

  test('tables that it does not need are not read', async () => {
    expect((await loadMapping(await fileOf(CREATING), { mode })).tables.size).toBe(0);
  });

  test('what is left out of the mapping has its usual value', async () => {
    expect(await borrowed(mode)).toMatchObject({
      ...{ mode, borrowed: true, recovery: false, duplicates: { by: ['sync'] } },
    });
  });
});

test('the campaign goes along where the mode has one, with what it uses of it', async () => {
  const campaigns: Record<string, unknown> = {};
  for (const mode of ['upsert', 'enqueue', 'dequeue', 'delete', 'update'] as const) {
    campaigns[mode] = (await borrowed(mode)).campaign;
  }
  expect(campaigns).toStrictEqual({
    upsert: { id: 7, maxCallCount: 3 },
    enqueue: { id: 7, maxCallCount: 3 },
    dequeue: { id: 7 },
    delete: undefined,
    update: undefined,
  });
});

test('a rule for duplicates that the mode has is kept', async () => {
  expect((await borrowed('upsert')).duplicates).toEqual(duplicatesBy('phone'));
  expect((await borrowed('update')).duplicates).toEqual(duplicatesBy('phone'));
  const none = CREATING.replace('by: phone', 'by: none');
  expect((await borrowed('delete', none)).duplicates).toEqual(NO_DUPLICATES);
});

test('of a rule over time, a mode keeps what it can do', async () => {
  const rule = 'by: [sync, phone], within: runs, days: 7, campaign: any, keep: last';
  const yaml = CREATING.replace('by: phone', rule);
  const whole = { by: ['sync', 'phone'], within: 'runs', days: 7, campaign: 'any', keep: 'last' };
  expect((await borrowed('upsert', yaml)).duplicates).toEqual(whole);
  expect((await borrowed('enqueue', yaml)).duplicates).toEqual({ ...whole, by: ['sync'] });
  const inFile = { ...duplicatesBy('sync', 'phone'), keep: 'last' };
  expect((await borrowed('update', yaml)).duplicates).toEqual(inFile);
  expect((await borrowed('delete', yaml)).duplicates).toEqual({ ...inFile, by: ['sync'] });
});

test('upsert takes all of it, update what it can change', async () => {
  const headers = ['Id', 'Name', 'Phone', 'Active'];
  const yaml = CREATING.replace(/ {2}type:.*\n/, '');
  const cells = ['5', 'Anna', '79990001000', 'no'];
  const [upsert, update] = await Promise.all(
    (['upsert', 'update'] as const).map((mode) => compiled(yaml, { card: CARD, headers, mode })),
  );
  expect(upsert?.map(cells)).toMatchObject({
    payload: { clientRoleId: 1, phones: [{ phoneNumber: '79990001000', active: false }] },
  });
  expect(update?.map(cells)).toMatchObject({
    payload: { fields: { name: 'Anna' }, phones: [{ phoneNumber: '79990001000', type: 'MOB' }] },
  });
});

test('contacts get a status by the columns that say how a created one is', async () => {
  const { map } = await compiled(CREATING, {
    ...{ card: CARD, headers: ['Id', 'Phone', 'Active'], mode: 'contacts' as const },
  });
  expect(map(['5', '79990001000', 'no'])).toMatchObject({
    payload: { phones: [{ phoneNumber: '79990001000', active: false }] },
  });
});

test('what the mode needs and the mapping lacks is told', async () => {
  const missing = async (mode: Mode, yaml = CREATING) =>
    (await faultsOf(() => borrowed(mode, yaml))).map(({ message }) => message);
  expect(await missing('callbacks')).toEqual(['mode callbacks needs callback.']);
  expect(await missing('rekey')).toEqual(['mode rekey needs clientId.']);
  expect(await missing('contacts', CREATING.replace(', active: Active', ''))).toEqual([
    'mode contacts needs client.phones[0].active.',
  ]);
  expect(await missing('create', 'mode: delete\nclient: { fields: { id: Id } }\n')).toEqual([
    'mode create needs client.clientRoleId.',
    'mode create needs client.timeZone.',
    'mode create needs client.phones.',
  ]);
});

test('a slip is a fault in every mode', async () => {
  const found = await faultsOf(() => borrowed('delete', `${CREATING}campain: { id: 1 }\n`));
  expect(found).toMatchObject([{ line: 10, column: 1, path: 'campain' }]);
});

test('its own mode named on the command line changes nothing', async () => {
  expect(await borrowed('create')).toMatchObject({ mode: 'create', borrowed: false });
  const yaml = `mode: delete\n${CREATING}`;
  expect((await faultsOf(() => borrowed('delete', yaml))).map(({ path }) => path)).toContain(
    'client.phones',
  );
});
