import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { clientOf, compiled } from '../mapping/files.js';
import { CARDS } from './cards.js';
import { suggested } from './tables.js';

type Columns = Readonly<Record<string, readonly string[]>>;

const GERMAN = '0151 23456';
const rows = (make: (at: number) => string): string[] =>
  Array.from({ length: 12 }, (_, at) => make(at));
const german = rows((at) => `${GERMAN}${100 + at}`);

const phonesOf = (mapping: string): unknown =>
  (parse(mapping) as { client: { phones: unknown } }).client.phones;

describe('a column that says of which country numbers are', () => {
  const mixed = rows((at) => ['49', '+49', '0049', 'DE', '', '49'][at % 6] ?? '');

  it.each(['Country code', 'Phone code', 'Dial prefix', 'Vorwahl', 'Код страны', 'Indicatif'])(
    'may be written in many ways for one country, and that is asked where some are empty: %s',
    (header) => {
      const { mapping, decisions, trial } = suggested({ [header]: mixed }, { phones: german });
      expect(phonesOf(mapping)).toEqual([
        { column: 'Phone', type: 'MOB', transform: [{ phone: { country: 'DE' } }] },
      ]);
      expect(decisions).toContainEqual(
        expect.stringContaining(`2 numbers of "Phone" have no country in "${header}"`),
      );
      expect(trial).toMatchObject({ clients: 12 });
    },
  );

  const FOUR = [
    ['DE', '0151 23456100', '+4915123456100'],
    ['AT', '0664 1234567', '+436641234567'],
    ['CH', '079 123 45 67', '+41791234567'],
    ['DE', '+49 151 23456101', '+4915123456101'],
  ] as const;
  const four = (header: string, name: (code: string) => string, more: Columns = {}) =>
    suggested(
      { [header]: rows((at) => name(FOUR[at % 4]?.[0] ?? '')), ...more },
      { phones: rows((at) => FOUR[at % 4]?.[1] ?? '') },
    );

  const CODES: Readonly<Record<string, string>> = { DE: '49', AT: '+43', CH: '0041' };
  const NAMES: Readonly<Record<string, string>> = { DE: 'Germany', AT: 'Austria', CH: 'Schweiz' };

  it.each([
    ['Country', (code: string) => code],
    ['Country', (code: string) => NAMES[code] ?? ''],
    ['Land', (code: string) => NAMES[code] ?? ''],
    ['Country code', (code: string) => CODES[code] ?? ''],
    ['رمز الدولة', (code: string) => CODES[code] ?? ''],
    ['Landskod', (code: string) => CODES[code] ?? ''],
    ['Code pays', (code: string) => CODES[code] ?? ''],
    ['国番号', (code: string) => CODES[code] ?? ''],
    ['Κωδικός χώρας', (code: string) => CODES[code] ?? ''],
    [
      'Phone country',
      (code: string) => `${NAMES[code] ?? ''} (+${CODES[code]?.replace(/^\D|^00/, '') ?? ''})`,
    ],
  ])('has each number read as one of its country: %s', (header, name) => {
    const { mapping, trial, decisions } = four(header, name);
    expect(trial).toMatchObject({ clients: 12, rejected: 0 });
    expect(mapping).toContain("'+43 '");
    expect(decisions.join('\n')).not.toMatch(/--country|beginning/);
  });

  it('rejects numbers with nothing beside them, or something that is no country, and says so', () => {
    const countries = rows((at) => ['DE', 'AT', '', '??'][at % 4] ?? '');
    const phones = rows((at) => FOUR[at % 2]?.[1] ?? '');
    const { decisions, trial } = suggested({ Country: countries }, { phones });
    expect(trial).toMatchObject({ clients: 6, rejected: 6 });
    expect(decisions).toContainEqual(
      expect.stringContaining(`6 of 12 numbers of "Phone" have no country in "Country" but '??'`),
    );
  });

  it('is not looked at where numbers do not exist there', () => {
    const { mapping, decisions } = suggested(
      { Country: rows((at) => ['FR', 'JP'][at % 2] ?? '') },
      { phones: rows((at) => `(212) 555-01${10 + at}`) },
    );
    expect(mapping).not.toContain("'+33 '");
    expect(phonesOf(mapping)).toMatchObject([{ transform: [{ phone: { country: 'US' } }] }]);
    expect(decisions.join('\n')).not.toContain('"Country"');
  });

  it('says nothing of numbers that have their codes', () => {
    const { decisions } = suggested({ Country: rows((at) => ['FR', 'DE'][at % 2] ?? '') });
    expect(decisions.join('\n')).not.toContain('"Country"');
  });

  it('holds for rows that were not looked at', () => {
    const { mapping } = suggested(
      { 'Country code': rows(() => '49') },
      { phones: german, isPart: true },
    );
    expect(mapping).toContain("'+49 '");
  });
});

it.each([
  ['Vorwahl', 'Telefon', '0151', 'DE'],
  ['Area code', 'Phone', '(212)', 'US'],
  ['Код города', 'Телефон', '495', 'RU'],
  ['Ortsvorwahl', 'Telefon', '0151', 'DE'],
  ['Alan kodu', 'Phone', '(212)', 'US'],
  ['Körzetszám', 'Phone', '212', 'US'],
  ['קידומת', 'Phone', '212', 'US'],
])('an area code stands before the numbers: %s, %s', (header, phone, area, country) => {
  const local = country === 'DE' ? '23456' : '5550';
  const { mapping, trial, columns } = suggested(
    {
      [header]: rows(() => area),
      [phone === 'Phone' ? 'Phone number' : phone]: rows((at) => `${local}${100 + at}`),
    },
    { phones: null, country },
  );
  expect(mapping).toContain(`template: '{${header}}~{value}'`);
  expect(trial).toMatchObject({ clients: 12, rejected: 0 });
  expect(columns.find(({ column }) => column === header)?.why).toContain('begin');
});

it.each([
  ['DE', 'Vorwahl', '040', '2345678', '(0171) 2345678', '+491712345678'],
  ['DE', 'Vorwahl', '0711', '345678', '+49 171 2345678', '+491712345678'],
  ['DE', 'Vorwahl', '0711', '345678', '2345678-123', '+497112345678123'],
  ['DE', 'Vorwahl', '40', '345678', '0351 12345', '+4935112345'],
  ['DE', 'Vorwahl', '069', '345678', '9731234100', '+49699731234100'],
  ['DE', 'Vorwahl', '69', '345678', '9731234100', '+49699731234100'],
  ['US', 'Area Code', '212', '5550123', '(212) 555-0134', '+12125550134'],
  ['US', 'Area Code', '212', '555-0123', '646-555-0190', '+16465550190'],
  ['US', 'Area Code', '212', '555-0123', '1-516-555-0190', '+15165550190'],
  ['RU', 'Код города', '495', '234-56-78', '8 (916) 234-56-79', '+79162345679'],
  ['RU', 'Код города', '495', '234-56-78', '916-2345679', '+79162345679'],
  ['CN', '区号', '010', '62345678', '13812345678', '+8613812345678'],
  ['BR', 'DDD', '11', '91234-5678', '(21) 91234-5679', '+5521912345679'],
  ['BR', 'DDD', '11', '91234-5678', '21 9 1234-5679', '+5521912345679'],
])('numbers have the area code beside them, or their own: %s, %s %s', async (...of) => {
  const [country, header, area, local, number, whole] = of;
  const columns = { [header]: rows(() => area), Telefon: rows((at) => (at % 3 ? local : number)) };
  const { mapping, trial } = suggested(columns, { phones: null, country });
  expect(trial).toMatchObject({ clients: 12, rejected: 0 });
  const headers = ['Lead ID', 'Full name', header, 'Telefon'];
  const { map } = await compiled(mapping, { card: CARDS.leads, headers });
  const phones = [{ phoneNumber: whole }];
  expect(clientOf(map(['L-1', 'Ada Fernhill', area, number]))).toMatchObject({ phones });
});

it.each([
  'Vorwahl,Telefon,PLZ',
  'Telefon,Vorwahl,PLZ',
  'Vorwahl,PLZ,Telefon',
  'Telefon,Vorwahl,Ort,Vorwahl Fax,Fax',
  'Vorwahl,Landesvorwahl,Telefon',
])('an area code is that of the phones among its neighbours: %s', (headers) => {
  const cells: Columns = {
    ...{
      Vorwahl: rows(() => '040'),
      PLZ: rows(() => '20095'),
      'Vorwahl Fax': rows(() => '030'),
      Landesvorwahl: rows(() => '49'),
    },
    Telefon: rows((at) => `23456${10 + at}`),
  };
  const all = headers.split(',').map((header) => [header, cells[header] ?? []]);
  const { columns } = suggested(Object.fromEntries(all) as Columns, { phones: null });
  expect(columns.find(({ column }) => column === 'Vorwahl')?.why).toContain('"Telefon"');
});

/** What is sent of the phones of a list, and whether its country is asked. */
async function readAs(cells: Columns) {
  const { mapping } = suggested(cells, { phones: null });
  const headers = ['Lead ID', 'Full name', ...Object.keys(cells)];
  const { map } = await compiled(mapping, { card: CARDS.leads, headers });
  const own = Object.values(cells).map(([cell = '']) => cell);
  const { phones } = clientOf(map(['L-1', 'Ada Fernhill', ...own]));
  const isAsked = mapping.includes('DECIDE: Phones');
  return [...phones.map(({ phoneNumber }) => phoneNumber), ...(isAsked ? ['asked'] : [])];
}

it.each([
  ['Country Code,Area Code,Phone', '27', ['11', '21'], '8040037', '+27118040037'],
  ['Country Code,Phone,Area Code', '27', ['11', '21'], '8040037', '+27118040037'],
  ['ISD Code,STD Code,Phone', '91', ['22', '22'], '23456789', '+912223456789'],
  ['Country Code,Area Code,Phone', '61', ['2', '3'], '92841234', '+61292841234'],
  ['DDI,DDD,Telefone', '55', ['11', '21'], '98765-4321', '+5511987654321'],
  ['Country Code,Area Code,Phone', '46', ['8', '8'], '6123456', '+4686123456'],
  ['Country Code,Area Code,Phone', '39', ['02', '06'], '48812345', '+390248812345'],
  ['Indicatif pays,Indicatif,Phone', '33', ['5', '1'], '62405753', '+33562405753'],
  ['Indicativo país,Indicativo,Telefone', '351', ['21', '22'], '8468291', '+351218468291'],
  ['Landcode,Zonenummer,Phone', '32', ['3', '2'], '5420958', '+3235420958'],
  ['Dialling Code,Area Code,Phone', '44', ['20', '20'], '79461234', '+442079461234'],
  ['Country,Area Code,Phone', '001', ['212', '415'], '736-2345', '+12127362345'],
] as const)(
  'the code of a country is no area code: %s, %s',
  async (of, code, areas, number, e164) => {
    const cells = of.split(',').map((header, at) => {
      const isNumber = /Phone|Telefone/.test(header);
      const isArea = /Area|STD|DDD|Indicati\w+$|Zone/.test(header);
      return [
        header,
        rows((row) => (isNumber ? number : isArea ? areas[row % 2]! : at < 9 ? code : '')),
      ];
    });
    expect(await readAs(Object.fromEntries(cells) as Columns)).toEqual([e164]);
  },
);

it('area codes that are codes of countries as well name no country', async () => {
  const numbers = ['86445854', '68106068', '5401827', '6253241'];
  const cells = {
    'Kode Area': rows((at) => ((at >> 1) % 2 ? '31' : '21')),
    Telepon: rows((at) => numbers[at % 4]!),
  };
  expect(await readAs(cells)).toEqual(['+622186445854', 'asked']);
});

it('numbers with the code of the country beside them lack the plus alone', async () => {
  const [german, austrian] = [
    ['497112345678', '494045678901', '4915123456789'],
    ['436641234567', '4315123456'],
  ];
  const cells = {
    Country: rows((at) => (at % 5 < 3 ? 'DE' : 'AT')),
    Phone: rows((at) => [...german, ...austrian][at % 5]!),
  };
  expect(await readAs(cells)).toEqual(['+497112345678']);
});

it('numbers of towns whose code is like that of the country keep it', async () => {
  const numbers = ['4921 983235', '4922 647182', '4925 819839', '4933 771472'];
  const cells = {
    Land: rows((at) => (at === 11 ? 'NL' : 'DE')),
    Telefon: rows((at) => (at === 11 ? '612345678' : numbers[at % 4]!)),
  };
  expect(await readAs(cells)).toEqual(['+494921983235']);
});

it('one number with a plus is not the country of guests from several', async () => {
  const cells = {
    Tel: ['+49 171 2345678', '331 1234567', '07911 123456'],
    Email: ['jan@x.de', 'ada@x.it', 'eva@x.co.uk'],
  };
  expect(await readAs(cells)).toEqual(['+491712345678', 'asked']);
});

it.each([
  ['+9725023456', 'IST', 'Asia/Jerusalem'],
  ['+9198765432', 'IST', 'Asia/Kolkata'],
  ['+86138123456', 'CST', 'Asia/Shanghai'],
  ['+121234567', 'CST', 'America/Chicago'],
])('letters of time zones are those of the country: %s, %s', (phone, letters, zone) => {
  const cells = {
    Phone: rows((at) => `${phone}${10 + at}`),
    'Time Zone': rows(() => letters),
  };
  expect(suggested(cells, { phones: null }).mapping).toContain(`${letters}: ${zone}`);
});

it.each([
  ['Vorwahl', '040', 'Telefon 2', '3456789', '"Telefon", "Telefon 2"'],
  ['Vorwahl', '040', 'Fax', '345 6789', '"Telefon", "Fax"'],
  ['DDD', '11', 'Celular', '98765-4321', '"Telefon", "Celular"'],
  ['Vorwahl', '040', 'Mobil', '0171 2345678', '"Telefon"'],
  ['Vorwahl', '040', 'Mobil', '171 2345678', '"Telefon"'],
  // What may be whole, or an extension.
  ['Vorwahl', '040', 'Mobil', '7123456', '"Telefon"'],
  ['Vorwahl', '040', 'Telefon 2', '40234567', '"Telefon"'],
  ['Vorwahl', '030', 'Telefon 2', '3023456', '"Telefon"'],
  ['Vorwahl', '040', 'Durchwahl', '1200', '"Telefon"'],
  ['Vorwahl', '040', 'Zimmer', '3456789', '"Telefon"'],
])('the only area code is that of further short numbers: %s %s, %s %s', (...of) => {
  const [area, code, second, number, names] = of;
  const cells = {
    [area]: rows(() => code),
    Telefon: rows((at) => `23456${10 + at}`),
    [second]: rows(() => number),
  };
  const { columns } = suggested(cells, { phones: null });
  const { why } = columns.find(({ column }) => column === area) ?? {};
  expect(why).toBe(`it says how the numbers of ${names} begin`);
});

it.each(['Pays de naissance', 'Pays de destination', 'Country of birth', 'Visa Country'])(
  'the country of something else is none of phones: %s',
  (header) => {
    const phones = { Prénom: rows(() => 'Luc'), Téléphone: rows((at) => `04 72 34 56 ${10 + at}`) };
    const { mapping } = suggested(
      { ...phones, [header]: rows(() => 'Belgique') },
      { phones: null },
    );
    expect(mapping).toContain('taken to be of FR');
  },
);

it('is that of parents where the client has none, and else somebody else', () => {
  const columns = { 'Telefon Mutter': german };
  expect(phonesOf(suggested(columns, { phones: null }).mapping)).toHaveLength(1);
  expect(phonesOf(suggested(columns).mapping)).toMatchObject([{ column: 'Phone' }]);
});
