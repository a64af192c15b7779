import { describe, expect, it } from 'vitest';
import { DEFAULT_DAYS, duplicatesBy } from '../../src/core/duplicates.js';
import type { Installation } from '../../src/installation/installation.js';
import { loadMapping } from '../../src/mapping/load.js';
import { compiled, faultsOf, fileOf } from './files.js';

const CARD: Installation['card'] = {
  id: { type: 'Number', sync: true, required: false },
};
const CREATING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { id: Id }
  phones:
    - { column: Mobile, type: MOB, transform: [{ phone: { country: RU } }] }
    - { column: Other, type: WORK, split: ';', invalid: drop }
`;
const ruleOf = async (rule: string, yaml = CREATING) =>
  (await loadMapping(await fileOf(`${yaml}duplicates: ${rule}\n`))).duplicates;
const faults = (rule: string, yaml = CREATING) => faultsOf(() => ruleOf(rule, yaml));

describe('the rule', () => {
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
    expect(await ruleOf(rule)).toEqual(expected);
  });

  it('takes days and a campaign with earlier runs alone', async () => {
    expect(await faults('{ by: phone, days: 7, campaign: any }')).toMatchObject([
      { path: 'duplicates', message: '"days" belongs beside "within: runs".' },
      { path: 'duplicates', message: '"campaign" belongs beside "within: runs".' },
    ]);
  });

  it.each([
    ['{ by: [] }', 'duplicates.by'],
    ['{ by: [sync, none] }', 'duplicates.by[1]'],
    ['{ within: runs, days: 0 }', 'duplicates.days'],
    ['{ keep: both }', 'duplicates.keep'],
  ])('%s is refused', async (rule, path) => {
    expect((await faults(rule)).map((fault) => fault.path)).toEqual([path]);
  });

  it('compares with earlier runs in the modes that create or enqueue', async () => {
    const update = `mode: update\nclient: { fields: { id: Id, name: Name } }\n`;
    expect(await faults('{ within: runs }', update)).toMatchObject([{ path: 'duplicates.within' }]);
    const enqueue = 'mode: enqueue\nclient: { fields: { id: Id } }\n';
    expect(await ruleOf('{ within: runs }', enqueue)).toMatchObject({ within: 'runs' });
    expect(await faults('{ by: [sync, phone] }', enqueue)).toMatchObject([
      { path: 'duplicates.by', message: 'mode enqueue sends no phones to compare.' },
    ]);
    expect(await ruleOf('{ by: phone }', `${enqueue}phones: [Mobile]\n`)).toMatchObject({
      by: ['phone'],
    });
  });
});

describe('phones', () => {
  const headers = ['Id', 'Mobile', 'Other'];
  const compared = async (cells: string[], yaml = `${CREATING}duplicates: { by: phone }\n`) => {
    const { map } = await compiled(yaml, { card: CARD, headers });
    const row = map(cells);
    return row.status === 'client' ? row.compared : row.problems;
  };

  it('are compared as E.164, whatever is sent', async () => {
    expect(await compared(['1', '8 (916) 123-45-67', '79161234568;9161234569'])).toEqual([
      79161234567, 79161234568, 79161234569,
    ]);
  });

  it('are compared as they are sent where they are no such number', async () => {
    expect(await compared(['1', '89161234567', '12345'])).toEqual([79161234567, '12345']);
  });

  it('are not looked at where nobody compares them', async () => {
    expect(await compared(['1', '89161234567', ''], CREATING)).toBeUndefined();
  });

  it('that are only compared count in mode enqueue', async () => {
    const yaml = `mode: enqueue
client: { fields: { id: Id } }
phones: [{ column: Mobile, transform: [{ phone: { country: RU } }] }, Other]
duplicates: { by: phone }
`;
    expect(await compared(['1', '89161234567', '8 916 123 45 68'], yaml)).toEqual([
      79161234567, 79161234568,
    ]);
  });

  it('that are left out are not compared', async () => {
    const yaml = `${CREATING.replace("type: WORK, split: ';'", 'type: { column: Kind, map: { w: WORK } }')}duplicates: { by: phone }\n`;
    const { map } = await compiled(yaml, { card: CARD, headers: [...headers, 'Kind'] });
    expect(map(['1', '89161234567', '89161234568', 'x'])).toMatchObject({
      status: 'client',
      compared: [79161234567],
    });
  });
});
