import { expect, test } from 'vitest';
import { duplicatesBy } from '../../src/core/duplicates.js';
import { compileMapping } from '../../src/mapping/compile.js';
import { loadInstallation } from '../../src/installation/load.js';
import { loadMapping } from '../../src/mapping/mapping.js';
import { fileOf, sent } from './files.js';

const INSTALLATION = `# installation.yaml
name: demo
baseUrl: http://127.0.0.1:8080
headers: { Authorization: "Bearer \${CC_TOKEN}" }   # optional
card:                                              # the card configuration; type: Number | TextField | ComboBox | StatusField
  offerId:  { type: Number, sync: true }
  fullName: { type: TextField, required: true }
  segment:  { type: ComboBox, values: [cold, warm] }
clientRoles: [1, 2]                                # optional
limits: { clientsPerRequest: 500, requestBytes: 1048576, concurrency: 8, requestsPerSecond: 50 }   # all optional
sandbox: { blacklist: ["79990000666"] }            # read by the sandbox alone
`;

const MAPPING = `# mapping.yaml: a bare string names a column; a constant is { value: … }
source: { sheet: Leads, headerRow: 1, encoding: auto, delimiter: auto }   # all optional
where: { column: Status, in: [new, open] }                                # optional filter; the rest is skipped
uuid: { column: Lead UUID }       # optional; default: a UUIDv5 of the synchronization identifiers
client:
  clientRoleId: { value: 1 }
  type: { column: Tier, map: { Gold: VIP }, default: SIMPLE }
  timeZone: { column: TZ, default: Europe/Moscow }
  fields:
    offerId: Offer ID
    fullName: { columns: [First name, Last name], join: " " }
    segment: { column: Segment, transform: [trim, lower], required: true }
  phones:
    - { column: Mobile, type: MOB, transform: [{ phone: { country: RU } }] }
    - { column: Other phones, type: WORK, split: ";" }
  emails: [{ column: E-mail }]
  addresses: [{ column: Address, type: HOME, active: false }]
duplicates: { by: sync }   # optional; the default: the first row of the same identifiers goes, later ones are skipped, naming it; phone (any of the row's phones) | none
campaign: { id: 42, maxCallCount: 3, disableDuplicatePhonesValidation: false }   # or name: "Autumn leads", found by 4.19
`;

const HEADERS = [
  'Lead UUID',
  'Status',
  'Tier',
  'TZ',
  'Offer ID',
  'First name',
  'Last name',
  'Segment',
  'Mobile',
  'Other phones',
  'E-mail',
  'Address',
];

test('the documented installation loads as it is written', async () => {
  const installation = await loadInstallation(await fileOf(INSTALLATION, 'installation.yaml'));
  expect(installation).toEqual({
    name: 'demo',
    baseUrl: 'http://127.0.0.1:8080',
    headers: { Authorization: 'Bearer ${CC_TOKEN}' },
    card: {
      offerId: { type: 'Number', sync: true, required: false },
      fullName: { type: 'TextField', sync: false, required: true },
      segment: { type: 'ComboBox', sync: false, required: false, values: ['cold', 'warm'] },
    },
    clientRoles: [1, 2],
    limits: {
      clientsPerRequest: 500,
      requestBytes: 1048576,
      concurrency: 8,
      requestsPerSecond: 50,
    },
    transport: { timeoutMs: 60000, responseBytes: 67108864 },
    sandbox: { blacklist: ['79990000666'] },
  });
});

test('the documented mapping loads as it is written', async () => {
  const mapping = await loadMapping(await fileOf(MAPPING));
  expect(mapping.source).toEqual({
    sheet: 'Leads',
    headerRow: 1,
    encoding: 'auto',
    delimiter: 'auto',
  });
  expect(mapping.duplicates).toEqual(duplicatesBy('sync'));
  expect(mapping.campaign).toEqual({
    id: 42,
    maxCallCount: 3,
    disableDuplicatePhonesValidation: false,
  });
});

async function documented() {
  const { card, clientRoles } = await loadInstallation(
    await fileOf(INSTALLATION, 'installation.yaml'),
  );
  const mapping = await loadMapping(await fileOf(MAPPING));
  return compileMapping({ mapping, card, clientRoles, headers: HEADERS });
}

const GOOD = [
  'lead-1',
  'new',
  'Gold',
  null,
  '1007',
  'Анна',
  'Иванова',
  ' Warm ',
  '8 (916) 123-45-67',
  '8 495 123-45-67; ;+7 495 765 43 21',
  'anna@example.com',
  'Тверская, 1',
];

test('a row becomes the client that the mapping describes', async () => {
  const { map, identifierNames } = await documented();
  expect(identifierNames).toEqual(['offerId']);
  expect(sent(map(GOOD))).toEqual({
    status: 'client',
    uuid: 'lead-1',
    identifiers: [1007],
    payload: {
      uuid: 'lead-1',
      clientRoleId: 1,
      type: 'VIP',
      timeZone: 'Europe/Moscow',
      fields: { offerId: 1007, fullName: 'Анна Иванова', segment: 'warm' },
      phones: [
        { phoneNumber: '+79161234567', type: 'MOB' },
        { phoneNumber: '8 495 123-45-67', type: 'WORK' },
        { phoneNumber: '+7 495 765 43 21', type: 'WORK' },
      ],
      emails: [{ email: 'anna@example.com' }],
      addresses: [{ address: 'Тверская, 1', type: 'HOME', active: false }],
    },
  });
});

test('a bad row is rejected with every one of its problems', async () => {
  const { map } = await documented();
  const row = map([
    '',
    'open',
    'Lead',
    'x'.repeat(26),
    '12a',
    ' ',
    null,
    'hot',
    '123',
    null,
    'a@b',
  ]);
  expect(row).toMatchObject({ status: 'rejected', uuid: null, identifiers: [null] });
  expect(
    row.status === 'rejected' &&
      row.problems.map(({ column, code, value }) => [column, code, value]),
  ).toEqual([
    ['Offer ID', 'not_a_number', '12a'],
    ['First name, Last name', 'required', null],
    ['Segment', 'not_allowed', 'hot'],
    ['Lead UUID', 'required', null],
    ['TZ', 'too_long', 'x'.repeat(26)],
    ['Mobile', 'not_a_phone', '123'],
    ['E-mail', 'not_an_email', 'a@b'],
  ]);
});

test('a rejected row still says who it is, as far as it is known', async () => {
  const { map } = await documented();
  expect(map(GOOD.with(7, null))).toMatchObject({
    status: 'rejected',
    uuid: 'lead-1',
    identifiers: [1007],
    problems: [{ column: 'Segment', code: 'required', value: null }],
  });
});

test('a row that does not pass the filter is skipped, and says why', async () => {
  const { map } = await documented();
  expect(map(GOOD.with(1, 'closed'))).toEqual({
    status: 'skipped',
    uuid: 'lead-1',
    identifiers: [1007],
    problems: [
      {
        column: 'Status',
        code: 'filtered',
        message: 'Left out by the mapping: it takes rows where "Status" is one of new, open.',
        value: 'closed',
      },
    ],
  });
});
