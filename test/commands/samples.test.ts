import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openPreparation } from '../../src/prepare/preparation.js';
import type { Preparation } from '../../src/prepare/plan.js';
import { prepareDemo } from '../../src/setup/demo.js';
import { rejectsWriter } from '../../src/run/rejects.js';
import { createContactCenter } from '../../src/client/contact-center.js';
import { createCenterPort } from '../../src/client/center-port.js';
import type {
  Client,
  CallbackPayload,
  ContactsPayload,
  DequeuePayload,
  EmptyPayload,
  RekeyPayload,
  UpdatePayload,
} from '../../src/core/client.js';
import { operations } from '../../src/contract/operations.js';
import type { Mode } from '../../src/core/mode.js';
import type { CenterPort } from '../../src/core/center.js';
import { readFactOf } from '../../src/core/facts.js';
import { identifiersOf, type PreparedChunk } from '../../src/core/prepared.js';
import type { Problem } from '../../src/core/problem.js';
import type { Cell } from '../../src/core/table.js';
import { createSeenKeys } from '../../src/lists/seen.js';
import { loadInstallation } from '../../src/installation/load.js';
import { screenChunk } from '../../src/delivery/admit.js';
import { problemText } from '../../src/report/text/words.js';
import { startSandbox } from '../../src/sandbox/sandbox.js';
import { openSource } from '../../src/source/source.js';

const path = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const installation = path('mappings/installation.yaml');

type Status = 'client' | 'rejected' | 'filtered' | 'duplicate';

interface MappedSample<P = Client> {
  readonly inputs: Preparation['inputs'];
  readonly rows: { row: number; status: Status; problems: readonly Problem[] }[];
  /** What would be sent, for the rows that pass. */
  readonly clients: P[];
  /** JSON text of whom each of them is about. */
  readonly identifiers: string[];
  /** Cells of the rejected rows. */
  readonly kept: (readonly Cell[])[];
}

/** The samples and mappings that were used. */
const tested = new Set<string>();

function mapped<P = Client>(sample: string, mapping: string): Promise<MappedSample<P>> {
  tested.add(sample).add(mapping);
  return mapFile(path(`samples/${sample}`), mapping);
}

function prepare(
  file: string,
  mapping: string,
  purpose: 'send' | 'check',
  mode?: Mode,
): Promise<Preparation> {
  return openPreparation({
    mode,
    inputs: [{ path: file, name: file }],
    mapping: path(`mappings/${mapping}`),
    installation,
    source: {},
    purpose,
    show: 0,
    share: { index: 0, of: 1 },
    verify: true,
  });
}

async function mapFile<P>(file: string, mapping: string): Promise<MappedSample<P>> {
  const preparation = await prepare(file, mapping, 'send');
  const seen = createSeenKeys();
  const { inputs, duplicates: rule } = preparation;
  const screen = { duplicates: rule, inputs: [file], seen };
  let number = 0;
  const result: MappedSample<P> = { inputs, rows: [], clients: [], identifiers: [], kept: [] };
  for await (const chunk of preparation.chunks()) {
    const { passed, duplicates } = screenChunk(screen, chunk, number++);
    const clients = payloadsOf<P>(chunk);
    result.clients.push(...passed.map((index) => clients[index]!));
    result.identifiers.push(...passed.map((index) => identifiersOf(chunk.clients, index)));
    const repeats = new Map(duplicates);
    for (const [at, record] of readFactOf(chunk.read).rows.entries()) {
      const [row, , , status, problems = []] = record;
      const repeat = repeats.get(at);
      if (repeat) result.rows.push({ row, status: 'duplicate', problems: [repeat] });
      else result.rows.push({ row, status: STATUS[status], problems });
    }
  }
  seen.close();
  await preparation.close();
  const check = await prepare(file, mapping, 'check');
  for await (const chunk of check.chunks())
    result.kept.push(...chunk.kept.map(({ cells }) => cells));
  await check.close();
  return result;
}

const STATUS = ['client', 'rejected', 'filtered'] as const;

function payloadsOf<P>({ clients }: PreparedChunk): P[] {
  const text = Buffer.from(clients.payload).toString();
  return text === '' ? [] : (JSON.parse(`[${text}]`) as P[]);
}

function counts({ rows }: Pick<MappedSample, 'rows'>): Partial<Record<Status, number>> {
  const counted: Partial<Record<Status, number>> = {};
  for (const { status } of rows) counted[status] = (counted[status] ?? 0) + 1;
  return counted;
}

/** Row number to what is wrong with it. */
function faults({ rows }: Pick<MappedSample, 'rows'>): Record<string, string> {
  return Object.fromEntries(
    rows
      .filter(({ status }) => status === 'rejected' || status === 'duplicate')
      .map(({ row, problems }) => [
        row,
        problems
          .map(({ column, code }) => (column === null ? code : `${column}: ${code}`))
          .join(', '),
      ]),
  );
}

/** Numbers of the offers that are sent, by which most clients here are known. */
function offersOf({ identifiers }: Pick<MappedSample, 'identifiers'>): unknown[] {
  return identifiers.map((text) => (JSON.parse(text) as { offerId: unknown }).offerId);
}

const plain = (message: string): string => message.replace(/\[.*\]/, '[…]');

function tally(messages: readonly string[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const message of messages) counted[message] = (counted[message] ?? 0) + 1;
  return counted;
}

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

/** What the contact center says of clients that are created and added to a campaign, 200 at a time. */
async function outcomes(delivery: CenterPort, campaignId: number, clients: readonly Client[]) {
  const refused: string[] = [];
  const notEnqueued: string[] = [];
  for (let from = 0; from < clients.length; from += 200) {
    const batch = clients.slice(from, from + 200);
    const results = await delivery.addClients(json({ clients: batch }));
    const created = new Set(
      results.filter(({ result }) => result === 'Success').map(({ uuid }) => uuid),
    );
    refused.push(...results.map(({ result }) => result).filter((text) => text !== 'Success'));
    const applications = {
      maxCallCount: 3,
      disableDuplicatePhonesValidation: false,
      clients: batch
        .filter(({ uuid }) => created.has(uuid))
        .map(({ fields: { offerId, offerDomain } }) => ({
          clientIdentifiers: { offerId, offerDomain },
        })),
    };
    const errors = await delivery.addApplications(campaignId, json(applications));
    notEnqueued.push(...errors.map(({ errorMessage }) => errorMessage));
  }
  const enqueued = clients.length - refused.length - notEnqueued.length;
  return { refused: tally(refused.map(plain)), notEnqueued: tally(notEnqueued), enqueued };
}

describe('leads.csv', async () => {
  const sample = await mapped('leads.csv', 'leads.yaml');

  it('has rows of every kind', () => {
    expect(sample.rows).toHaveLength(1240);
    expect(counts(sample)).toEqual({ client: 1199, rejected: 21, filtered: 12, duplicate: 8 });
    expect(sample.inputs[0]!.info).toMatchObject({ encoding: 'utf-8', delimiter: ',' });
  });

  it('has every fault in the number that was meant', () => {
    const found = Object.values(faults(sample)).sort();
    const times = (count: number, fault: string): string[] => Array<string>(count).fill(fault);
    expect(found).toEqual(
      [
        ...times(2, 'Mobile: required'),
        ...times(4, 'Mobile: not_a_phone'),
        ...times(3, 'Offer ID: required'),
        ...times(2, 'Offer ID: not_a_number'),
        ...times(3, 'First name, Last name: required'),
        ...times(3, 'Segment: not_allowed'),
        ...times(3, 'Registered: not_a_date'),
        'Segment: not_allowed, Registered: not_a_date, Mobile: not_a_phone',
        ...times(8, 'duplicate'),
      ].sort(),
    );
  });

  it('becomes clients as its mapping says', () => {
    expect(sample.clients[1]).toEqual({
      uuid: 'ce778ce6-87bf-4eac-8655-4d2526cabe8f',
      clientRoleId: 1,
      type: 'SIMPLE',
      timeZone: 'Asia/Yekaterinburg',
      fields: {
        offerId: 10002,
        offerDomain: 'auto.example.org',
        fullName: 'Jürgen Ивушко',
        fullUrl: 'https://leads.example.com/10002',
        segment: 'warm',
        leadStatus: 'open',
        budget: 462000,
        registered: '2026-08-20',
        consent: 'true',
        comment: 'asked for "the big one", twice',
      },
      phones: [{ phoneNumber: '+79990001001', type: 'MOB' }],
      addresses: [{ address: 'Новосибирск, ул. Example, 88', type: 'HOME', active: false }],
      emails: [{ email: 'lead45477@example.com' }],
    });
    const several = sample.clients.filter(({ phones }) => phones.length === 3);
    expect(several.length).toBeGreaterThan(50);
    expect(sample.clients.some(({ type }) => type === 'VIP')).toBe(true);
  });

  it('is refused by the demo contact center where that was meant', async () => {
    const demo = await loadInstallation(installation);
    const sandbox = await startSandbox({ installation: demo, port: 0, database: ':memory:' });
    const center = createContactCenter(demo, { baseUrl: sandbox.url, env: {} });
    try {
      const existingClients = path('samples/existing-clients.json');
      const request = { installation: demo, baseUrl: sandbox.url, env: {}, existingClients };
      const { id } = await prepareDemo({ ...request, campaign: 'Autumn leads' });
      expect(await outcomes(createCenterPort(center), id, sample.clients)).toEqual({
        refused: { 'Client with identifiers: […] already exists': 6 },
        notEnqueued: { 'Client is in blacklist': 4, 'Client already exists': 3 },
        enqueued: 1186,
      });
    } finally {
      await center.close();
      await sandbox.close();
    }
  });
});

describe('leads-1251.csv', async () => {
  const sample = await mapped('leads-1251.csv', 'leads-1251.yaml');

  it('maps but for its faults', () => {
    expect(counts(sample)).toEqual({ client: 294, rejected: 5, duplicate: 1 });
    expect(faults(sample)).toEqual({
      61: 'Телефон: not_a_phone',
      115: 'Город: not_in_table',
      144: 'Бюджет: not_a_number',
      206: 'Дата рождения: not_a_date',
      207: 'Номер предложения: required',
      254: 'duplicate',
    });
  });

  it('is found to be what its mapping says, too', async () => {
    const { info } = await openSource(path('samples/leads-1251.csv'));
    expect(info).toMatchObject({ encoding: 'windows-1251', delimiter: ';' });
  });

  it('becomes clients as its mapping says', () => {
    expect(sample.clients[2]).toMatchObject({
      clientRoleId: 2,
      timeZone: 'Asia/Yekaterinburg',
      fields: {
        offerId: 50003,
        offerDomain: 'auto.example.org',
        fullName: 'Облачко Егор',
        segment: 'warm',
        budget: 12500,
        city: 'Екатеринбург',
        birthDate: '2000-12-04',
        consent: 'true',
      },
      phones: [
        { phoneNumber: '+79990002582', type: 'MOB' },
        { phoneNumber: '79990002583', type: 'HOME' },
        { phoneNumber: '79990002584', type: 'HOME' },
      ],
    });
  });
});

describe('leads.xlsx', async () => {
  const sample = await mapped('leads.xlsx', 'leads-xlsx.yaml');

  it('maps but for its faults', () => {
    expect(counts(sample)).toEqual({ client: 395, rejected: 4, duplicate: 1 });
    expect(faults(sample)).toEqual({
      35: 'Phone: not_a_phone',
      92: 'Registered: not_a_date',
      152: 'Offer ID: required',
      153: 'Client: required',
      224: 'duplicate_phone',
    });
    expect(sample.inputs[0]!.info.sheets).toEqual(['Leads']);
  });

  it('becomes clients as its mapping says', () => {
    expect(sample.clients[0]).toMatchObject({
      type: 'VIP',
      fields: {
        offerId: 70001,
        fullName: 'Вера Дубок',
        fullUrl: 'https://auto.example.org/offers/70001',
        budget: 7028.5,
        branch: '005',
        registered: '04.09.2026',
        callbackAt: '05.09.2026 05:25',
        comment: 'Ёж — 100 %',
      },
      phones: [
        { phoneNumber: '+79990003012', type: 'MOB' },
        { phoneNumber: '+79990003013', type: 'WORK' },
      ],
    });
    const offers = sample.clients.map(({ fields }) => [fields.offerId, fields.offerDomain]);
    // Rich text in the one, a formula in the other.
    expect(offers).toContainEqual([70301, 'shop.example.com']);
    expect(offers.filter(([offer]) => offer === 70302)).toHaveLength(1);
    const comments = new Set(sample.clients.map(({ fields }) => fields.comment));
    expect(comments).toContain('two\nlines');
  });
});

describe('mistakes.csv', async () => {
  const sample = await mapped('mistakes.csv', 'mistakes.yaml');

  it('names every mistake', () => {
    expect(counts(sample)).toEqual({ client: 9, rejected: 15, duplicate: 2 });
    expect(faults(sample)).toEqual({
      7: 'ragged',
      8: 'Offer ID: required',
      9: 'Site: required',
      10: 'Client: required',
      11: 'no_phone',
      12: 'Offer ID: not_a_number',
      13: 'Phone: not_a_phone',
      15: 'Phone: not_a_phone',
      16: 'Registered: not_a_date',
      17: 'Registered: not_a_date',
      18: 'Segment: not_allowed',
      19:
        'Offer ID: not_a_number, Site: required, Client: required, Segment: not_allowed, ' +
        'Registered: not_a_date, Phone: not_a_phone',
      20: 'duplicate',
      21: 'duplicate',
      24: 'Phone: not_a_phone',
      25: 'Offer ID: required, Site: required, Client: required, Segment: required, no_phone',
      26: 'E-mail: not_an_email',
    });
  });

  it('takes what only looks wrong', () => {
    expect(sample.clients.map(({ fields }) => fields.fullName)).toEqual([
      'Анна Ландыш',
      'Борис "Боб" Дубок',
      'Вера Ивушко',
      'Глеб "Гром" Синичко',
      'Daniel Dewdrop',
      'Тимур Калинко',
      '=HYPERLINK("http://example.com")',
      "Chloé O'Larkspur",
      'Захар Зимородко',
    ]);
  });
});

describe('upsert.csv', async () => {
  const sample = await mapped('upsert.csv', 'upsert.yaml');

  it('maps but for its faults', () => {
    expect(counts(sample)).toEqual({ client: 7, rejected: 3, duplicate: 1 });
    expect(faults(sample)).toEqual({
      9: 'no_phone',
      10: 'Mobile works: not_a_boolean',
      11: 'Segment: not_allowed, E-mail: not_an_email',
      12: 'duplicate',
    });
  });

  it('becomes clients whose phones say whether they may be used', () => {
    expect(sample.clients.map(({ phones: [phone] }) => phone?.active)).toEqual([
      ...[true, false, true, undefined, true, true, undefined],
    ]);
    expect(sample.clients[5]).toMatchObject({
      clientRoleId: 1,
      timeZone: 'Asia/Novosibirsk',
      fields: { offerId: 20002, fullName: 'Кирилл Ландыш', segment: 'cold', budget: 85000 },
      phones: [{ phoneNumber: '+79990009002', type: 'MOB', active: true }],
    });
  });
});

describe('update.csv', async () => {
  const sample = await mapped<UpdatePayload>('update.csv', 'update.yaml');

  it('maps but for its faults', () => {
    expect(counts(sample)).toEqual({ client: 5, rejected: 5, duplicate: 1 });
    expect(faults(sample)).toEqual({
      7: 'nothing_to_change',
      8: 'New budget: not_a_number',
      9: 'Offer ID: required',
      10: 'New segment: not_in_map, Further phone: not_a_phone',
      11: 'Kind: not_in_map',
      12: 'duplicate',
    });
  });

  it('changes what is filled in, and nothing else', () => {
    expect(sample.clients.map(({ fields }) => fields)).toEqual([
      { fullName: 'Глеб Ивушко-Дубок' },
      { segment: 'hot', budget: 520000 },
      {},
      { segment: 'warm' },
      {},
    ]);
    expect(sample.identifiers[3]).toBe('{"offerId":10009,"offerDomain":"auto.example.org"}');
    expect(sample.clients[3]).toMatchObject({
      phones: [
        { phoneNumber: '+79990009109', type: 'MOB' },
        { phoneNumber: '+79990009110', type: 'MOB' },
      ],
      emails: [{ email: 'anna.d@example.org' }],
      addresses: [{ address: 'Казань, ул. Сказочная, 7', type: 'HOME' }],
    });
  });
});

describe('enqueue.csv', async () => {
  const sample = await mapped<EmptyPayload>('enqueue.csv', 'enqueue.yaml');

  it('names the clients that are called again', () => {
    expect(counts(sample)).toEqual({ client: 4, rejected: 2, filtered: 2, duplicate: 1 });
    expect(faults(sample)).toEqual({
      7: 'Offer ID: not_a_number',
      8: 'Site: required',
      10: 'duplicate',
    });
    expect(offersOf(sample)).toEqual([10001, 10003, 10008, 10009]);
    expect(sample.clients).toEqual([{}, {}, {}, {}]);
  });
});

describe('dequeue.csv', async () => {
  const sample = await mapped<DequeuePayload>('dequeue.csv', 'dequeue.yaml');

  it('keeps the callbacks that the list wants to keep', () => {
    expect(counts(sample)).toEqual({ client: 5, rejected: 2, duplicate: 1 });
    expect(faults(sample)).toEqual({
      5: 'Promised callback: not_in_map',
      7: 'Offer ID: not_a_number',
      9: 'duplicate',
    });
    expect(offersOf(sample)).toEqual([10002, 10005, 10007, 10014, 10018]);
    expect(sample.clients.map(({ cancelCallbacks }) => cancelCallbacks)).toEqual([
      ...[true, false, true, true, true],
    ]);
  });
});

describe('contacts.csv', async () => {
  const sample = await mapped<ContactsPayload>('contacts.csv', 'contacts.yaml');

  it('maps but for its faults; a client may have several rows', () => {
    expect(counts(sample)).toEqual({ client: 6, rejected: 4 });
    expect(faults(sample)).toEqual({
      6: 'Result: not_in_map',
      9: 'no_contact',
      10: 'Result: required',
      11: 'Phone: not_a_phone, E-mail: not_an_email',
    });
    expect(offersOf(sample)).toEqual([10001, 10011, 10002, 10003, 10006, 10006]);
  });

  it('gives every contact its status', () => {
    const phone = (phoneNumber: string, active: boolean) => [{ phoneNumber, active }];
    expect(sample.clients).toEqual([
      { phones: phone('+79990001000', false), emails: [], addresses: [] },
      { phones: phone('+79990001013', true), emails: [], addresses: [] },
      { phones: [], emails: [{ email: 'lead45477@example.com', active: false }], addresses: [] },
      {
        phones: phone('+79990001002', true),
        emails: [{ email: 'lead51659@example.net', active: true }],
        addresses: [],
      },
      { phones: phone('+79990001006', false), emails: [], addresses: [] },
      { phones: phone('+79990001007', true), emails: [], addresses: [] },
    ]);
  });
});

describe('calling.csv', async () => {
  const sample = await mapped('calling.csv', 'calling.yaml');

  it('has the time zones that the cells, the phones or the default say', () => {
    expect(counts(sample)).toEqual({ client: 10 });
    expect(sample.clients.map(({ timeZone }) => timeZone)).toEqual([
      ...['America/New_York', 'America/New_York', 'America/Denver', 'America/New_York'],
      ...['Europe/Berlin', 'Etc/GMT-7', 'America/New_York', 'America/New_York'],
      ...['America/New_York', 'America/New_York'],
    ]);
  });
});

describe('hours.csv', async () => {
  const sample = await mapped('hours.csv', 'hours.yaml');

  it('maps but for its faults; rows that are too old are left out', () => {
    expect(counts(sample)).toEqual({ client: 5, rejected: 2, filtered: 2, duplicate: 1 });
    expect(faults(sample)).toEqual({
      5: 'Mobile: not_a_phone',
      8: 'duplicate',
      11: 'Client: required',
    });
  });
});

describe('nightly-1.csv and nightly-2.csv', async () => {
  const first = await mapped('nightly-1.csv', 'nightly.yaml');
  const second = await mapped('nightly-2.csv', 'nightly.yaml');

  it('have nine clients in common, of which two have changed', () => {
    const earlier = new Map(first.clients.map((client) => [client.uuid, JSON.stringify(client)]));
    const common = second.clients.filter(({ uuid }) => earlier.has(uuid));
    const changed = common.filter((client) => earlier.get(client.uuid) !== JSON.stringify(client));
    expect([first.clients.length, second.clients.length]).toEqual([10, 10]);
    expect([common.length, changed.length]).toEqual([9, 2]);
  });
});

describe('vendor-a.csv and vendor-b.csv', async () => {
  const [before, now] = [
    await mapped('vendor-a.csv', 'vendor-a.yaml'),
    await mapped('vendor-b.csv', 'vendor-b.yaml'),
  ];

  it('map all, with a phone that two rows share: test/runs/duplicates has them from start to end', () => {
    expect(counts(before)).toEqual({ client: 4 });
    // The first one here: which is the last is found out before a file is sent.
    expect(faults(now)).toEqual({ 6: 'duplicate_phone' });
  });
});

describe('callbacks.csv', async () => {
  const sample = await mapped<CallbackPayload>('callbacks.csv', 'callbacks.yaml');

  it('maps but for its faults', () => {
    expect(counts(sample)).toEqual({ client: 5, rejected: 5 });
    expect(faults(sample)).toEqual({
      6: 'Call at: not_a_time',
      7: 'Call at: not_a_time',
      8: 'Time zone: not_a_time_zone',
      9: 'Phone: required, Operator: required',
      10: 'Call at: no_such_time',
    });
  });

  it('becomes callbacks as the interface wants them', () => {
    expect(sample.clients.map(({ callAt }) => callAt)).toEqual([
      '2030-03-04T10:30:00+04:00',
      '2030-03-06T18:00:00+04:00',
      '2030-03-05T09:15:00+05:00',
      '2030-03-05T11:00:00+03:00',
      '2030-10-27T02:30:00+02:00',
    ]);
    for (const [index, callback] of sample.clients.entries()) {
      const clientIdentifiers: unknown = JSON.parse(sample.identifiers[index]!);
      const body = { ...callback, clientIdentifiers, campaignId: 1 };
      expect(operations.createCallback.body.safeParse(body).error).toBeUndefined();
    }
    expect(sample.clients[0]).toEqual({
      name: 'Grace Пирожок: price of the flat on the third floor',
      description: 'price of the flat on the third floor',
      phone: '+79990001000',
      operatorId: 12,
      callAt: '2030-03-04T10:30:00+04:00',
      callAutomatically: true,
    });
  });
});

describe('rekey.csv', async () => {
  const sample = await mapped<RekeyPayload>('rekey.csv', 'rekey.yaml');

  it('gives clients their new identifiers, no two the same', () => {
    expect(counts(sample)).toEqual({ client: 3, rejected: 4, duplicate: 1 });
    expect(faults(sample)).toEqual({
      4: 'New site: required',
      5: 'New offer: required',
      6: 'Client ID: not_an_integer',
      7: 'Client ID: not_an_id',
      9: 'duplicate',
    });
    expect(sample.clients).toEqual([{ clientId: 3 }, { clientId: 4 }, { clientId: 23 }]);
    expect(offersOf(sample)).toEqual([30003, 30004, 30023]);
  });
});

describe('delete.csv', async () => {
  const sample = await mapped<EmptyPayload>('delete.csv', 'delete.yaml');

  it('names the clients whose erasure was approved', () => {
    expect(counts(sample)).toEqual({ client: 4, rejected: 1, filtered: 2, duplicate: 1 });
    expect(faults(sample)).toEqual({ 6: 'Offer ID: required', 9: 'duplicate' });
    expect(offersOf(sample)).toEqual([10017, 10020, 10022, 10025]);
    expect(sample.clients).toEqual([{}, {}, {}, {}]);
  });
});

it('leads.csv can be enqueued, dequeued and deleted by the mapping that creates them', async () => {
  for (const mode of ['enqueue', 'dequeue', 'delete'] as const) {
    const preparation = await prepare(path('samples/leads.csv'), 'leads.yaml', 'send', mode);
    let clients = 0;
    for await (const chunk of preparation.chunks()) clients += chunk.clients.at.length;
    await preparation.close();
    // Rows with a fault in anything but their identifiers go along.
    expect(clients).toBe(1240 - 12 - 5);
  }
});

it.each([
  ['leads.csv', 'leads.yaml'],
  ['leads-1251.csv', 'leads-1251.yaml'],
  ['leads.xlsx', 'leads-xlsx.yaml'],
  ['mistakes.csv', 'mistakes.yaml'],
  ['upsert.csv', 'upsert.yaml'],
  ['update.csv', 'update.yaml'],
  ['enqueue.csv', 'enqueue.yaml'],
  ['dequeue.csv', 'dequeue.yaml'],
  ['contacts.csv', 'contacts.yaml'],
  ['callbacks.csv', 'callbacks.yaml'],
  ['rekey.csv', 'rekey.yaml'],
  ['delete.csv', 'delete.yaml'],
] as const)(
  'imports the rejects of %s again by %s, with the same faults',
  async (name, mapping) => {
    const rejected = (sample: MappedSample): string[] =>
      Object.values(faults(sample)).filter((fault) => !fault.startsWith('duplicate'));
    const sample = await mapped(name, mapping);
    const folder = await mkdtemp(join(tmpdir(), 'cardline-samples-'));
    try {
      const file = join(folder, 'rejects');
      const writer = await rejectsWriter(file, sample.inputs[0]!);
      const texts = sample.rows
        .filter(({ status }) => status === 'rejected')
        .map(({ problems }) => problemText(problems));
      for (const [index, cells] of sample.kept.entries()) {
        await writer.write(cells, 'rejected', texts[index]!);
      }
      await writer.close();
      expect(rejected(await mapFile(file, mapping))).toEqual(rejected(sample));
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

it('has a test above for every sample and mapping', () => {
  const besides = [
    ...['generate.mjs', 'existing-clients.json', 'installation.yaml', 'time-zones.csv'],
    // A folder with the lists of calling.csv: test/quality/calling-sample.test.ts has it from start to end.
    'calling',
    // The calendar of hours.csv: test/quality/hours-sample.test.ts has it from start to end.
    'hours',
  ];
  const files = [...readdirSync(path('samples')), ...readdirSync(path('mappings'))];
  expect(files.filter((file) => !besides.includes(file)).sort()).toEqual([...tested].sort());
});
