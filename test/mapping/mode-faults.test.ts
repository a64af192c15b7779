import { describe, expect, test } from 'vitest';
import type { Installation } from '../../src/installation/installation.js';
import { MODES } from '../../src/core/mode.js';
import { loadMapping } from '../../src/mapping/load.js';
import { compiled, faultsOf, fileOf } from './files.js';

const loading = (yaml: string) => faultsOf(async () => loadMapping(await fileOf(yaml)));

const CARD: Installation['card'] = {
  id: { type: 'Number', sync: true, required: false },
  code: { type: 'TextField', sync: true, required: false },
  name: { type: 'TextField', sync: false, required: true },
};
const SETUP = { card: CARD, headers: ['Id', 'Code', 'Name', 'Phone', 'Time'] };
const compiling = (yaml: string) => faultsOf(() => compiled(yaml, SETUP));

const WHO = 'client: { fields: { id: Id, code: Code } }\n';
const CREATING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { id: Id, code: Code, name: Name }
  phones: [{ column: Phone, type: MOB }]
`;

describe('the mode itself', () => {
  test('a mode that does not exist is the only fault that is told', async () => {
    expect(await loading('mode: delte\nunknown: 1\n')).toEqual([
      {
        line: 1,
        column: 7,
        path: 'mode',
        message: `it must be one of ${MODES.join(', ')}.`,
        suggestion: 'Did you mean "delete"?',
      },
    ]);
  });

  test('without a mode, clients are created', async () => {
    expect(await loadMapping(await fileOf(CREATING))).toMatchObject({
      ...{ mode: 'create', recovery: false, duplicates: { by: ['sync'] }, borrowed: false },
    });
  });
});

describe('parts that a mode does not use', () => {
  test('are refused, all at once, with what it uses', async () => {
    expect(await loading(`mode: delete\n${CREATING}recovery: true\ncallback: {}\n`)).toEqual([
      {
        line: 3,
        column: 3,
        path: 'client.clientRoleId',
        message: 'mode delete does not use client.clientRoleId. It belongs to: create, upsert.',
        suggestion: 'Of client it uses: fields.',
      },
      {
        line: 4,
        column: 3,
        path: 'client.timeZone',
        message: 'mode delete does not use client.timeZone. It belongs to: create, upsert.',
        suggestion: 'Of client it uses: fields.',
      },
      {
        line: 6,
        column: 3,
        path: 'client.phones',
        message: 'mode delete does not use client.phones.',
        suggestion: 'Of client it uses: fields.',
      },
      {
        line: 7,
        column: 1,
        path: 'recovery',
        message: 'mode delete does not use recovery. It belongs to: create, upsert.',
        suggestion:
          'It uses: mode, source, blank, where, uuid, checks, report, client, duplicates.',
      },
      {
        line: 8,
        column: 1,
        path: 'callback',
        message: 'mode delete does not use callback. It belongs to: callbacks.',
        suggestion:
          'It uses: mode, source, blank, where, uuid, checks, report, client, duplicates.',
      },
    ]);
  });

  test.each([
    ['create', CREATING, ['callback', 'clientId', 'cancelCallbacks']],
    ['upsert', CREATING, ['callback', 'clientId', 'cancelCallbacks']],
    ['update', 'client: { fields: {} }\n', ['recovery', 'campaign', 'clientId', 'callback']],
    ['enqueue', WHO, ['recovery', 'cancelCallbacks', 'callback', 'clientId']],
    ['dequeue', WHO, ['recovery', 'callback', 'clientId']],
    [
      'contacts',
      'client: { fields: {}, phones: [{ column: Phone, active: true }] }\n',
      ['recovery', 'campaign', 'callback', 'clientId', 'cancelCallbacks'],
    ],
    ['callbacks', WHO, ['recovery', 'clientId', 'cancelCallbacks']],
    ['rekey', WHO, ['recovery', 'campaign', 'callback', 'cancelCallbacks']],
    ['delete', WHO, ['recovery', 'campaign', 'callback', 'clientId', 'cancelCallbacks']],
  ])('mode %s', async (mode, client, unused) => {
    const rest = unused.map((part) => `${part}: x\n`).join('');
    const found = await loading(`mode: ${mode}\n${client}${rest}`);
    const refused = found.filter(({ message }) => message.includes(`${mode} does not use`));
    expect(refused.map(({ path }) => path)).toEqual(unused);
  });

  test.each([
    ['update', 'phones: [{ column: Phone, type: MOB, active: true }]', 'client.phones[0].active'],
    [
      'update',
      'phones: [{ column: Phone, type: MOB, disabled: true }]',
      'client.phones[0].disabled',
    ],
    ['update', 'emails: [{ column: Name, active: true }]', 'client.emails[0].active'],
    [
      'update',
      'addresses: [{ column: Name, type: HOME, active: Id }]',
      'client.addresses[0].active',
    ],
    ['update', 'type: { value: VIP }', 'client.type'],
    ['contacts', 'phones: [{ column: Phone, type: MOB, active: true }]', 'client.phones[0].type'],
    [
      'contacts',
      'phones: [{ column: P, disabled: true, active: true }]',
      'client.phones[0].disabled',
    ],
  ])('mode %s: %s', async (mode, part, path) => {
    expect(
      await loading(`mode: ${mode}\nclient:\n  fields: { id: Id }\n  ${part}\n`),
    ).toMatchObject([
      { path, message: expect.stringContaining(`mode ${mode} does not use ${path}.`) as string },
    ]);
  });

  test.each(['dequeue', 'callbacks'])(
    'mode %s makes no calls, and wants no limit',
    async (mode) => {
      const campaign =
        'campaign: { id: 1, maxCallCount: 2, disableDuplicatePhonesValidation: true }\n';
      const found = await loading(`mode: ${mode}\n${WHO}${campaign}`);
      expect(found.filter(({ path }) => path?.startsWith('campaign'))).toMatchObject([
        {
          path: 'campaign.maxCallCount',
          message: `mode ${mode} does not use campaign.maxCallCount. It belongs to: create, upsert, enqueue.`,
          suggestion: 'Of campaign it uses: id, name.',
        },
        { path: 'campaign.disableDuplicatePhonesValidation' },
      ]);
    },
  );

  test('what no mode knows is still told as a slip', async () => {
    expect(await loading(`mode: delete\n${WHO}campain: { id: 1 }\n`)).toMatchObject([
      { path: 'campain', message: '"campain" is not known here.' },
    ]);
  });

  test.each(['dequeue', 'callbacks', 'rekey', 'delete'])(
    'mode %s has no phones to tell duplicates by',
    async (mode) => {
      const found = await loading(`mode: ${mode}\n${WHO}duplicates: { by: phone }\n`);
      expect(found.filter(({ path }) => path === 'duplicates.by')).toMatchObject([
        { message: `mode ${mode} sends no phones to compare.`, suggestion: 'Use sync or none.' },
      ]);
    },
  );
});

describe('parts that a mode needs', () => {
  test.each([
    ['create', '', ['client']],
    ['create', 'client: {}\n', ['clientRoleId', 'timeZone', 'fields', 'phones']],
    ['upsert', 'client: {}\n', ['clientRoleId', 'timeZone', 'fields', 'phones']],
    ['update', 'client: {}\n', ['fields']],
    ['enqueue', 'client: {}\n', ['fields']],
    ['delete', '', ['client']],
  ])('mode %s with %j', async (mode, client, parts) => {
    const found = await loading(`mode: ${mode}\n${client}`);
    expect(found.map(({ message }) => message)).toEqual(
      parts.map((part) => `mode ${mode} needs ${client === '' ? part : `client.${part}`}.`),
    );
  });

  test('a section that is missing is told with what it holds', async () => {
    expect(await loading(`mode: callbacks\n${WHO}`)).toEqual([
      {
        line: 1,
        column: 1,
        path: 'callback',
        message: 'mode callbacks needs callback.',
        suggestion: 'It holds: name, description, phone, operatorId, callAt, callAutomatically.',
      },
    ]);
  });

  test('every part of a callback is needed, and told at its place', async () => {
    expect(
      await loading(`mode: callbacks\n${WHO}callback: { name: Name, phone: Phone }\n`),
    ).toEqual(
      ['description', 'operatorId', 'callAt', 'callAutomatically'].map((part) => ({
        line: 3,
        column: 1,
        path: `callback.${part}`,
        message: `mode callbacks needs callback.${part}.`,
        suggestion: expect.stringContaining('Add') as string,
      })),
    );
  });

  test('rekey needs the id of the client', async () => {
    expect(await loading(`mode: rekey\n${WHO}`)).toMatchObject([
      { path: 'clientId', message: 'mode rekey needs clientId.' },
    ]);
  });

  test('contacts need a contact, and each of them a status', async () => {
    const none = 'mode contacts needs client.phones, client.emails or client.addresses.';
    expect(await loading(`mode: contacts\n${WHO}`)).toMatchObject([
      { line: 2, path: 'client', message: none },
    ]);
    expect(await loading('mode: contacts\nclient: { phones: [] }\n')).toMatchObject([
      { path: 'client.fields', message: 'mode contacts needs client.fields.' },
      { path: 'client', message: none },
    ]);
    const entries = 'phones: [{ column: Phone }], emails: [Mail], addresses: [{ active: true }]';
    expect(
      await loading(`mode: contacts\nclient: { fields: { id: Id }, ${entries} }\n`),
    ).toMatchObject([
      {
        path: 'client.phones[0].active',
        message: 'mode contacts needs client.phones[0].active.',
      },
      {
        path: 'client.emails[0]',
        message: 'mode contacts needs client.emails[0].active.',
        suggestion: 'Write { column: Mail, active: … }.',
      },
      {
        path: 'client.addresses[0]',
        message:
          'it does not say where the value comes from. Add column, columns, template or value.',
      },
    ]);
  });

  test('a pattern of times needs a time zone', async () => {
    const callback =
      '{ name: Name, description: Name, phone: Phone, operatorId: Id, callAutomatically: true, ' +
      'callAt: { column: Time, pattern: dd.MM.yyyy HH:mm } }';
    expect(await loading(`mode: callbacks\n${WHO}callback: ${callback}\n`)).toMatchObject([
      {
        path: 'callback.callAt',
        message: '"pattern" has no offset from UTC. Add "timeZone", such as Europe/Moscow.',
      },
    ]);
  });
});

describe('against the card', () => {
  test.each(['enqueue', 'dequeue', 'delete'])(
    'mode %s takes the synchronization identifiers, all of them and nothing else',
    async (mode) => {
      expect(
        await compiling(
          `mode: ${mode}\nclient:\n  fields:\n    id: Id\n    name: Name\n    nme: Id\n`,
        ),
      ).toEqual([
        {
          line: 3,
          column: 3,
          path: 'client.fields',
          message: 'the field "code" is a synchronization identifier and is missing here.',
          suggestion: 'Add "code: …".',
        },
        {
          line: 5,
          column: 11,
          path: 'client.fields.name',
          message: `mode ${mode} does not use the field "name".`,
          suggestion: 'It uses the synchronization identifiers alone: id, code.',
        },
        {
          line: 6,
          column: 10,
          path: 'client.fields.nme',
          message: 'the card has no field "nme".',
          suggestion: 'There is: "code".',
        },
      ]);
    },
  );

  test('contacts, callbacks and rekey take no other fields either', async () => {
    const fields = 'fields: { id: Id, code: Code, name: Name }';
    const callback =
      'callback: { name: Name, description: Name, phone: Phone, operatorId: Id, callAt: Time, callAutomatically: true }';
    for (const yaml of [
      `mode: contacts\nclient: { ${fields}, emails: [{ column: Name, active: true }] }\n`,
      `mode: callbacks\nclient: { ${fields} }\n${callback}\n`,
      `mode: rekey\nclient: { ${fields} }\nclientId: Id\n`,
    ]) {
      expect(await compiling(yaml)).toMatchObject([{ path: 'client.fields.name' }]);
    }
  });

  test('update needs the identifiers, not the required fields, and something to change', async () => {
    expect(await compiling('mode: update\nclient: { fields: { id: Id } }\n')).toMatchObject([
      { path: 'client', message: 'mode update needs something to change.' },
      { message: 'the field "code" is a synchronization identifier and is missing here.' },
    ]);
    const emails = `mode: update\nclient: { fields: { id: Id, code: Code }, emails: [Name] }\n`;
    expect((await compiled(emails, SETUP)).columns).toEqual(['Id', 'Code', 'Name']);
  });

  test('columns and constants are checked before the first row', async () => {
    expect(await compiling(`mode: rekey\n${WHO}clientId: { value: 5 }\n`)).toMatchObject([
      { path: 'clientId', message: 'a constant would mean one client in every row.' },
    ]);
    expect(await compiling(`mode: rekey\n${WHO}clientId: Idd\n`)).toMatchObject([
      { path: 'clientId', message: 'leads.csv has no column "Idd".' },
    ]);
    expect(
      await compiling(`mode: dequeue\n${WHO}cancelCallbacks: { value: perhaps }\n`),
    ).toMatchObject([{ path: 'cancelCallbacks.value' }]);
    const callback = `callback:
  name: Nam
  description: { value: ' ' }
  phone: { value: 12 }
  operatorId: { value: nobody }
  callAt: { column: Time, pattern: [HH:mm, dd.MM.yyyy, dd.QQ.yyyy], timeZone: Europe/Moskow }
  callAutomatically: { column: Name, map: { x: perhaps } }
`;
    const found = await compiling(`mode: callbacks\n${WHO}${callback}`);
    expect(found.map(({ path, message, suggestion }) => [path, message, suggestion])).toEqual([
      ['callback.name', 'leads.csv has no column "Nam".', 'Did you mean "Name"?'],
      [
        'callback.description.value',
        '" ": There is only white space. Fill in the cell.',
        undefined,
      ],
      [
        'callback.phone.value',
        '"12": This is not a phone number: it has fewer than three digits.',
        undefined,
      ],
      [
        'callback.operatorId.value',
        '"nobody": This is not a number. Write digits, such as 1250 or 12.5.',
        undefined,
      ],
      ['callback.callAt.pattern[0]', '"HH:mm" has no year.', undefined],
      ['callback.callAt.pattern[1]', '"dd.MM.yyyy" has no hour.', undefined],
      [
        'callback.callAt.pattern[2]',
        '"dd.QQ.yyyy" is not a date pattern: "QQ" means nothing, or a part comes twice.',
        'Use yyyy yy MM M dd d HH H mm ss, or hh h with a for AM and PM, each once; put other letters in single quotes.',
      ],
      [
        'callback.callAt.timeZone',
        'there is no time zone "Europe/Moskow".',
        'Did you mean "Europe/Moscow"?',
      ],
      [
        'callback.callAutomatically.map.x',
        '"perhaps": This is neither yes nor no. Write true, yes, y, 1, да or false, no, n, 0, нет.',
        undefined,
      ],
    ]);
  });

  test('a bare text names a time zone, and not a column', async () => {
    const callback =
      '{ name: Name, description: Name, phone: Phone, operatorId: Id, callAutomatically: true, ' +
      'callAt: { column: Time, timeZone: Zone of the client } }';
    expect(await compiling(`mode: callbacks\n${WHO}callback: ${callback}\n`)).toMatchObject([
      {
        path: 'callback.callAt.timeZone',
        message: 'there is no time zone "Zone of the client".',
        suggestion: 'A column is written { column: … }.',
      },
    ]);
  });
});
