import fc from 'fast-check';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { parsePlaced } from '../../src/config/document.js';
import { compileMapping } from '../../src/mapping/compile.js';
import { loadedMapping } from '../../src/mapping/load.js';
import { checkMapping } from '../../src/mapping/mapping.js';
import {
  suggestTable,
  type SuggestTableRequest,
  type Suggestion,
} from '../../src/suggest/suggest.js';
import { roundScore, scoreText } from '../../src/suggest/columns.js';
import { CARDS } from './cards.js';

type More = Partial<SuggestTableRequest> & { readonly card?: object };

/** What is suggested for a table of a few columns, each with its cells. */
function suggest(
  columns: Readonly<Record<string, readonly string[]>>,
  more: More = {},
): Suggestion {
  const headers = Object.keys(columns);
  const count = Math.max(...Object.values(columns).map(({ length }) => length));
  const rows = Array.from({ length: count }, (_, row) =>
    headers.map((header) => columns[header]?.[row] ?? null),
  );
  return suggestTable({
    table: {
      headers,
      sample: rows,
      first: rows.map((cells, row) => ({ row: row + 2, cells })),
      rows: count,
    },
    source: { file: 'leads.csv', headerRow: 1 },
    installation: { card: CARDS.leads },
    ...more,
  });
}

const mapped = ({ mapping }: Suggestion) =>
  parse(mapping) as Record<string, Record<string, unknown>>;
const targets = ({ columns }: Suggestion) => columns.map(({ target }) => target);
const repeated = (...values: string[]): string[] =>
  Array.from({ length: 12 }, (_, row) => values[row % values.length] ?? '');
const numbered = (start: string): string[] =>
  Array.from({ length: 12 }, (_, row) => `${start}${row + 10}`);

const id = { 'Lead ID': numbered('L-') };
const name = { 'Full name': repeated('Ada Fernhill', 'Milo Oakley') };
const phone = { Mobile: repeated('+7 999 000-10-00', '+7 999 000-10-01') };
const whole = { ...id, ...name, ...phone };

it('knows the names of nested records by their last steps', () => {
  const found = suggest({
    ...id,
    'customer.name.first': repeated('Ada', 'Milo'),
    'customer.name.last': repeated('Fernhill', 'Oakley'),
    ...phone,
  });
  expect(targets(found)).toEqual([
    'fields.externalId',
    'fields.fullName',
    'fields.fullName',
    'phones',
  ]);
});

describe('the identifier of a draft', () => {
  const TYPE = { type: 'TextField', sync: false, required: false } as const;
  const cardOf = (identifier: string) => ({
    [identifier]: { ...TYPE, sync: true },
    ad: TYPE,
    soyad: TYPE,
  });

  it.each([
    ['N° dossier', 'dossier'],
    ['Dossier no.', 'dossier'],
    ['Müşteri No', 'musteri'],
    ['Numer sprawy', 'sprawy'],
  ])('is the number of what it is named after: %s', (header, field) => {
    const found = suggest(
      { [header]: numbered('K-'), ...phone },
      { installation: { card: cardOf(field) } },
    );
    expect(targets(found)).toEqual([`fields.${field}`, 'phones']);
  });

  it('is no part of a name, though its word may mean one', () => {
    const found = suggest(
      { Ad: repeated('Ayşe', 'Çağlar'), Soyad: repeated('Yılmaz', 'Öztürk'), ...phone },
      { installation: { card: cardOf('musteri') } },
    );
    expect(targets(found)).toEqual(['fields.ad', 'fields.soyad', 'phones']);
  });

  it('shows how many rows have that of an earlier one', () => {
    const twice = [...numbered('L-').slice(1), 'L-11'];
    const found = suggest({ ...whole, 'Lead ID': twice });
    expect(found.trial).toMatchObject({ rows: 12, clients: 11, skipped: 1, repeated: 1 });
    expect(suggest(whole).trial).toMatchObject({ repeated: 0 });
  });
});

it('takes the names of the card in a list without rows', () => {
  const found = suggest({ externalId: [], fullName: [], Phone: [], segment: [], birthDate: [] });
  expect(targets(found)).toEqual([
    ...['fields.externalId', 'fields.fullName', 'phones', 'fields.segment', 'fields.birthDate'],
  ]);
  expect(found.toFillIn).toEqual([]);
});

it.each(['Surname', 'Full name'])(
  'gives a line to take where words in names mean nothing: %s',
  (header) => {
    const cells = repeated('Fernhill', 'Null', 'Oakley');
    const columns =
      header === 'Surname'
        ? { 'First name': repeated('Ada'), [header]: cells }
        : { [header]: cells };
    const { mapping, decisions } = suggest({ ...id, ...columns, ...phone });
    expect(decisions).toContainEqual(expect.stringContaining(`"Null" in "${header}" is taken for`));
    const lines = mapping.split('\n');
    const at = lines.findIndex((line) => line.includes('take this line instead'));
    const taken = lines.with(at + 1, (lines[at + 1] ?? '').replace('# ', ''));
    const own = lines.findIndex((line) => line.startsWith('    fullName:'));
    const after = parse(taken.toSpliced(own, 1).join('\n')) as object;
    expect(after).toHaveProperty('client.fields.fullName.blank', ['null']);
  },
);

it('takes the names of the card in a list without rows', () => {
  const found = suggest({ externalId: [], fullName: [], Phone: [], segment: [], birthDate: [] });
  expect(targets(found)).toEqual([
    ...['fields.externalId', 'fields.fullName', 'phones', 'fields.segment', 'fields.birthDate'],
  ]);
  expect(found.toFillIn).toEqual([]);
});

it.each(['Surname', 'Full name'])(
  'gives a line to take where words in names mean nothing: %s',
  (header) => {
    const given = header === 'Surname' ? { 'First name': repeated('Ada') } : {};
    const cells = repeated('Fernhill', 'Null', 'Oakley');
    const { mapping, decisions } = suggest({ ...id, ...given, [header]: cells, ...phone });
    expect(decisions).toContainEqual(expect.stringContaining(`"Null" in "${header}" is taken for`));
    const lines = mapping.split('\n');
    const at = lines.findIndex((line) => line.includes('take this line instead'));
    const taken = lines.with(at + 1, (lines[at + 1] ?? '').replace('# ', ''));
    const own = lines.findIndex((line) => line.startsWith('    fullName:'));
    const after: unknown = parse(taken.toSpliced(own, 1).join('\n'));
    expect(after).toHaveProperty('client.fields.fullName.blank', ['null']);
  },
);

describe('numbers that nobody can have', () => {
  // No plan has mobile numbers of Germany one digit short, nor numbers of Brazil with eight digits for a mobile one.
  it.each([
    ['DE', 'Handy', '0151 1234', 'MOB'],
    ['DE', 'Handy', '0151/1234', 'MOB'],
    ['DE', 'Handy', '+49 151 1234', 'MOB'],
    ['BR', 'Celular', '(11) 9612-3', 'MOB'],
  ])('make a column of phones all the same: %s %s %s', (country, header, start, phoneType) => {
    const found = suggest({ ...id, ...name, [header]: numbered(`${start}0`) }, { country });
    expect(found.columns.at(-1)).toMatchObject({ target: 'phones', phoneType });
    expect(found.trial).toMatchObject({ rows: 12, clients: 0 });
  });

  it.each([
    ['a date', '01.02.20'],
    ['an amount', '0.1234'],
    ['an address', '10.1.1.'],
  ])('are no phones where they are %s', (_what, start) => {
    const found = suggest({ ...whole, Extra: numbered(start) }, { country: 'DE' });
    expect(targets(found).at(-1)).not.toBe('phones');
  });
});

describe('places on a map', () => {
  const degrees = (from: number): string[] =>
    Array.from({ length: 12 }, (_, at) => (from + at / 97).toFixed(6));
  const [lat, lng] = [degrees(50.84), degrees(4.35)];
  const pairs = lat.map((text, at) => `${text}, ${lng[at] ?? ''}`);
  const map = { Latitude: lat, Longitude: lng, GPS: pairs, Location: pairs };

  it('are no phones and no amounts, and show no country', () => {
    const found = suggest({ ...whole, ...map });
    expect(targets(found).slice(3)).toEqual([null, null, null, null]);
    expect(found.mapping).toContain('{ phone: { country: RU } }');
    expect(found.decisions.join()).not.toContain('country code');
  });

  it('fill the fields that the card has for them, whatever these are called', () => {
    const field = { ...CARDS.leads.product, type: 'Number' } as const;
    const card = { ...CARDS.leads, geoLat: field, Längengrad: field };
    const found = suggest({ ...whole, ...map }, { installation: { card } });
    expect(targets(found).slice(3)).toEqual(['fields.geoLat', 'fields.Längengrad', null, null]);
    expect(found.trial).toMatchObject({ clients: 12 });
  });

  it('are not what a column is taken for by a word that means something else as well', () => {
    const long = { 'Long description': repeated('blue', 'red') };
    expect(suggest({ ...whole, ...long }).mapping).not.toContain('on a map');
  });
});

describe('two columns of one meaning', () => {
  const companies = (from: string) => repeated(`${from} Foods`, `${from} Works`);

  it('are asked for where they differ, with the line for the other one', () => {
    const found = suggest({
      ...whole,
      Company: companies('Oak'),
      'Company name': companies('Elm'),
    });
    expect(found.decisions).toContain(
      '"Company" and "Company name" both fit, and differ in 12 of 12 rows looked at; "Company" is taken (client.fields.company).',
    );
    expect(found.mapping).toContain('# company: Company name');
  });

  it('are no question where they hold the same', () => {
    const found = suggest({
      ...whole,
      Company: companies('Oak'),
      'Company name': companies('OAK'),
    });
    expect(found.decisions.join()).not.toContain('both fit');
  });

  it.each([
    [{ 'E-mail': numbered('a@x.org').map((text) => `${text}m`), Email: numbered('b@x.org') }, true],
    [{ 'E-mail': numbered('a@x.org'), 'E-mail 2': numbered('b@x.org') }, false],
    [{ 'E-mail': repeated('a@x.org'), Email: repeated('A@x.org') }, false],
  ])('are asked for where contacts of both are taken: %#', (columns, isAsked) => {
    const said = suggest({ ...whole, ...columns }).decisions.join();
    expect(said.includes('mean the same, and differ in 12 of 12 rows')).toBe(isAsked);
  });
});

describe('years of two digits in dates of birth', () => {
  const open = String(new Date().getFullYear() - 3).slice(-2);
  const years = ['41', '85', open, '03'];

  /** The years that a mapping makes of the dates. */
  function birthDates(text: string, cell: (year: string) => string): string[] {
    const { map } = compileMapping({
      mapping: loadedMapping(checkMapping(parsePlaced('', text)), new Map()),
      card: CARDS.leads,
      headers: [...Object.keys(whole), 'Birth date'],
    });
    const before = Object.values(whole).map(([first = '']) => first);
    return years.map((year) => {
      const sent = JSON.stringify(map([...before, cell(year)]));
      return /(\d{4})-12-24/.exec(sent)?.[1] ?? sent;
    });
  }

  it.each([
    ['numbers', (year: string) => `24.12.${year}`],
    ['numbers with a time', (year: string) => `12/24/${year} 00:00`],
    ['words', (year: string) => `24-Dec-${year}`],
  ])('are asked for where a child and an old person may be meant, in %s', (_what, cell) => {
    const found = suggest({ ...whole, 'Birth date': repeated(...years.map(cell)) });
    expect(found.decisions.join()).toContain(
      `The years of 3 of 12 dates of "Birth date" may be of either century; "${cell(open)}" is read as 20${open}, not 19${open}`,
    );
    const all = years.map((year) => (year === '03' || year === open ? `20${year}` : `19${year}`));
    expect(birthDates(found.mapping, cell)).toEqual(all);
    const other = /# (birthDate: .*replace.*)/.exec(found.mapping)?.[1] ?? '';
    const taken = found.mapping.replace(/^ {4}birthDate: .*$/m, () => `    ${other}`);
    expect(birthDates(taken, cell)).toEqual(all.with(2, `19${open}`));
  });

  it('are asked for nothing else: other dates, years of four digits, grown-ups', () => {
    const dates = (...all: string[]) => repeated(...all.map((year) => `24.12.${year}`));
    for (const columns of [
      { Created: dates(...years) },
      { 'Birth date': dates('41', '85') },
      { 'Birth date': dates('1941', `20${open}`) },
    ])
      expect(suggest({ ...whole, ...columns }).decisions.join()).not.toContain('century');
  });
});

describe('a draft', () => {
  it('has every column with its target, a score and a reason', () => {
    const found = suggest({ ...whole, Extra: repeated('a', 'b') });
    expect(targets(found)).toEqual(['fields.externalId', 'fields.fullName', 'phones', null]);
    for (const { score, why } of found.columns) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
      expect(why).not.toBe('');
    }
    expect(found.missing).toEqual([]);
    expect(found.trial).toMatchObject({ rows: 12, clients: 12, rejected: 0 });
    expect(found.mapping).toContain('Extra');
  });

  it('says what is missing, in a line to fill in and at its end', () => {
    const found = suggest({ ...name, ...phone });
    expect(found.missing).toEqual(['externalId']);
    expect(found.toFillIn).toEqual(['client.fields.externalId']);
    expect(found.trial).toBeNull();
    expect(found.mapping).toContain('# FILL IN: externalId: COLUMN');
    expect(found.mapping.trimEnd().split('\n').at(-1)).toContain(
      'Missing: client.fields.externalId',
    );
  });

  it('asks which part of a date comes first where nothing shows it', () => {
    const found = suggest({ ...whole, Birthday: repeated('03/04/1990', '05/06/1991') });
    expect(found.mapping).toContain(
      'DECIDE: All 12 dates of "Birthday" fit day/month and month/day',
    );
    expect(mapped(found)['client']?.['fields']).not.toHaveProperty('birthDate');
    expect(found.decisions.join()).toContain('client.fields.birthDate');
  });

  it.each([
    [['11/25/2026 3:04 PM', '5/11/2026 12:00 AM'], 'M/d/yyyy h:mm a'],
    [['25/11/26, 3:04 pm', '5/11/26, 12:00 am'], 'd/M/yy, h:mm a'],
  ])('reads dates with am and pm where one shows the order: %j', (dates, from) => {
    const found = suggest({ ...whole, Birthday: repeated(...dates) });
    expect(mapped(found)['client']?.['fields']).toMatchObject({
      birthDate: { transform: [{ date: { from } }] },
    });
  });

  it('asks for the order of dates with am and pm where none shows it', () => {
    const found = suggest({
      ...whole,
      Birthday: repeated('11/05/2026 3:04 PM', '5/11/2026 1:00 AM'),
    });
    expect(found.mapping).toContain('fit day/month and month/day');
    expect(found.mapping).toContain(`from: 'M/d/yyyy h:mm a'`);
  });

  it('reads such dates as the other dates of the file', () => {
    const found = suggest({
      ...whole,
      Birthday: repeated('03/04/1990', '05/06/1991'),
      Created: repeated('25/12/2025', '03/04/2025'),
    });
    const date = { date: { from: 'd/M/yyyy' } };
    expect(mapped(found)['client']?.['fields']).toMatchObject({
      birthDate: { column: 'Birthday', transform: [date] },
    });
  });

  it('joins the parts of a name in the order of the language, and the parts of an address', () => {
    const english = suggest({
      ...id,
      ...phone,
      Surname: repeated('Oakley'),
      Forename: repeated('Ada'),
      City: repeated('Milford'),
      Street: repeated('Elm Drive 4'),
      Postcode: repeated('10001'),
    });
    expect(mapped(english)['client']).toMatchObject({
      fields: { fullName: { columns: ['Forename', 'Surname'] } },
      addresses: [{ columns: ['Street', 'City', 'Postcode'], join: ', ', type: 'HOME' }],
    });
    const russian = suggest({
      ...id,
      Телефон: phone.Mobile,
      Имя: repeated('Анна'),
      Отчество: repeated('Львовна'),
      Фамилия: repeated('Ландыш'),
    });
    expect(mapped(russian)['client']).toMatchObject({
      fields: { fullName: { columns: ['Фамилия', 'Имя', 'Отчество'] } },
    });
  });

  it.each([
    ['+7 701 000-10-1', 'MOB'],
    ['+7 777 000-10-1', 'MOB'],
    ['+7 7172 00-10-1', 'HOME'],
  ])('knows mobile numbers of Kazakhstan, which have the code of Russia: %s', (start, type) => {
    const found = suggest({ ...id, ...name, Phone: Array.from('123456789', (at) => start + at) });
    expect(found.columns.at(-1)?.phoneType).toBe(type);
  });

  it('gives phones their types, and splits cells with several', () => {
    const found = suggest({
      ...whole,
      'Home phone': repeated('+7 495 000-10-10'),
      'Work phone': repeated('+7 495 000-10-11; +7 495 000-10-12'),
      Fax: repeated('+7 495 000-10-13'),
    });
    expect(found.columns.slice(2).map(({ phoneType }) => phoneType)).toEqual([
      'MOB',
      'HOME',
      'WORK',
      'FAX',
    ]);
    expect(mapped(found)['client']?.['phones']).toMatchObject([
      { column: 'Mobile', type: 'MOB' },
      { column: 'Home phone' },
      { column: 'Work phone', split: ';' },
      { column: 'Fax', type: 'FAX' },
    ]);
  });

  it('maps the values that occur, and says which it does not know', () => {
    const found = suggest({
      ...whole,
      Tier: repeated('Gold', 'Regular'),
      Rating: repeated('Hot', 'Холодный'),
    });
    expect(mapped(found)['client']).toMatchObject({
      type: { column: 'Tier', map: { Gold: 'VIP' }, default: 'SIMPLE' },
      fields: {
        segment: { column: 'Rating', map: { Hot: 'hot', Холодный: 'cold', warm: 'warm' } },
      },
    });
    const odd = suggest({ ...whole, Rating: repeated('Hot', 'Cold', 'Mauve') });
    expect(odd.columns.at(-1)).toMatchObject({ target: 'fields.segment' });
    expect(odd.columns.at(-1)?.score).toBeLessThan(0.85);
    expect(odd.mapping).toMatch(/# +Mauve: …/);
  });

  it('reads numbers by their decimal sign', () => {
    const found = suggest({ ...whole, Budget: repeated('1.234,50', '12.000,00') });
    expect(mapped(found)['client']?.['fields']).toMatchObject({
      budget: { column: 'Budget', transform: [{ number: { decimal: ',', thousands: '.' } }] },
    });
  });

  it.each([
    [
      'money with signs',
      ['(1.250,00 €)', '300,00- €', '−45,50 €'],
      { decimal: ',', thousands: '.' },
    ],
    ['codes', ['1200.50 USD', '15.25 USD'], { decimal: '.', thousands: ',' }],
  ])('leaves what stands around numbers to their transform: %s', (_what, cells, number) => {
    const found = suggest({ ...whole, Budget: repeated(...cells) });
    expect(mapped(found)['client']?.['fields']).toMatchObject({
      budget: { column: 'Budget', transform: [{ number }] },
    });
    expect(found.trial).toMatchObject({ rejected: 0 });
  });

  it.each(['%', 'Stück'])('asks whether numbers are meant without their unit: %s', (unit) => {
    const found = suggest({ ...whole, Budget: repeated(`5 ${unit}`, `7,5 ${unit}`) });
    expect(found.decisions).toContain(
      `Most 12 numbers of "Budget" have "${unit}" behind the digits: decide at client.fields.budget.`,
    );
    expect(mapped(found)['client']?.['fields']).not.toHaveProperty('budget');
  });

  it.each([
    ['Budget', ['1.250,50', 'abc'], 'numbers', 'number:'],
    ['Budget', ['1250', '3 Stück'], 'numbers', 'number'],
    ['Created Date', ['03.11.2026', '30.02.2026'], 'dates', 'date'],
    ['Created Date', ['2026-11-03', 'ask'], 'dates', 'date'],
  ])(
    'has odd cells rejected, and says how many: %s %j',
    (header, [cell = '', odd = ''], what, step) => {
      const cells = [...repeated(cell).slice(2), odd, odd];
      const found = suggest({ ...whole, [header]: cells });
      expect(found.mapping).toMatch(new RegExp(`^    [a-zA-Z]+: .*transform: .*${step}`, 'm'));
      expect(found.decisions).toContainEqual(
        expect.stringContaining(`2 of 12 cells of "${header}" looked at are no ${what}`),
      );
      expect(found.trial).toMatchObject({ clients: 10, rejected: 2 });
    },
  );

  it.each(['Last contact', 'When', 'Zebra'])('asks by its cells how to read %s', (header) => {
    const field = { type: 'TextField', required: false } as const;
    const card = { id: { ...field, sync: true }, [header]: { ...field, sync: false } };
    const decisionsFor = (...cells: string[]) =>
      suggest({ id: numbered('L-'), ...phone, [header]: cells }, { installation: { card } })
        .decisions;
    const dates = repeated('03/04/2026', '05/06/2026');
    expect(decisionsFor(...dates)).toContainEqual(
      expect.stringContaining(`All 12 dates of "${header}" fit day/month and month/day`),
    );
    expect(decisionsFor(...dates.slice(1), 'ask')).toContainEqual(
      expect.stringContaining(`All but 1 of 12 dates of "${header}" fit day/month`),
    );
  });

  it.each([
    ['0171/2345678', '0172/2345679', null],
    ['030 1234567 / 0171 2345678', '0171/2345678', ' / '],
    ['030/1234567 / 0171/2345678', '0171/2345678', ' / '],
    ['0301234567/01712345678', '030 1234567', '/'],
    ['0301234567/01712345678', '0171/2345678', null],
    ['030 1234567 / 0171 2345678', '0171 / 2345678', null],
    ['030 1234567; 0171 2345678', '0171/2345678', ';'],
  ])('splits no phone at the sign within it: %s, %s', (one, other, split) => {
    const found = suggest({ ...id, ...name, Handy: repeated(one, other) }, { country: 'DE' });
    const [entry] = mapped(found)['client']?.['phones'] as { split?: string }[];
    expect(entry?.split ?? null).toBe(split);
  });

  it('takes an error for no word that stands for nothing', () => {
    const found = suggest({ ...whole, Notes: repeated('a', '#N/A', 'None') });
    expect(mapped(found)['client']?.['fields']).toMatchObject({
      comment: { column: 'Notes', blank: ['none'] },
    });
  });

  it('asks for the style of numbers that all can be read in two ways', () => {
    const found = suggest({ ...whole, Budget: repeated('12.000', '1.500') });
    expect(found.mapping).toContain(
      'DECIDE: All 12 numbers of "Budget" fit a decimal point and a decimal comma',
    );
    expect(mapped(found)['client']?.['fields']).not.toHaveProperty('budget');
  });

  it('counts words for nothing as empty', () => {
    const found = suggest({
      ...whole,
      'Home phone': repeated('+7 495 000-10-10', 'n/a', '-'),
      Notes: repeated('a', 'None'),
    });
    expect(mapped(found)['client']).toMatchObject({
      fields: { comment: { column: 'Notes', blank: ['none'] } },
      phones: [{ column: 'Mobile' }, { column: 'Home phone', blank: ['n/a', '-'] }],
    });
    expect(found.trial).toMatchObject({ clients: 12 });
  });

  it('leaves wrong second phones and e-mail addresses out, and says how many there are', () => {
    const found = suggest({
      ...whole,
      'Home phone': repeated('+7 495 000-10-10', '+7 495 000-10-11', 'ask'),
      Email: repeated('a@example.com', 'b@example.com', 'b@'),
    });
    expect(mapped(found)['client']).toMatchObject({
      phones: [{ column: 'Mobile' }, { column: 'Home phone', invalid: 'drop' }],
      emails: [{ column: 'Email', invalid: 'drop' }],
    });
    expect(mapped(found)).not.toHaveProperty('client.phones.0.invalid');
    expect(found.mapping).toContain('4 of 12 cells looked at are no phones');
    expect(found.mapping).toContain('4 of 12 cells looked at are no e-mail addresses');
    expect(found.trial).toMatchObject({ clients: 12, rejected: 0 });
  });

  it('reads dates that need no pattern without one', () => {
    const zoned = repeated('2026-11-03T16:05:00.000+0000', 'Nov 4, 2026 4:05 PM');
    const found = suggest({ ...whole, 'Created Date': zoned });
    expect(mapped(found)['client']?.['fields']).toMatchObject({
      createdAt: { column: 'Created Date', transform: [{ date: { to: 'yyyy-MM-dd HH:mm' } }] },
    });
    const stored = suggest({ ...whole, 'Created Date': repeated('2026-11-03') });
    expect(mapped(stored)['client']?.['fields']).toMatchObject({ createdAt: 'Created Date' });
  });

  it('needs a line to be uncommented where no phone is sure', () => {
    const found = suggest({ ...id, ...name, 'Mobile zebra': Array<string>(12).fill('') });
    expect(found.toFillIn).toEqual(['client.phones (uncomment a line if it is right)']);
    expect(found.trial).toBeNull();
  });

  it('names what may tell the clients apart: a column of another value in each row, else the phone', () => {
    const zebra = suggest({ ...name, ...phone, Zebra: numbered('Z-') });
    expect(zebra.mapping).toContain(
      '# perhaps: externalId: Zebra # it has another value in every row',
    );
    expect(suggest({ ...name, ...phone }).mapping).toContain(
      '# perhaps: externalId: { column: Mobile, transform: [{ phone: { country: RU } }, digits] }',
    );
  });

  it('says which values occur where the installation does not say which are allowed', () => {
    const segment = { type: 'ComboBox', sync: false, required: false } as const;
    const found = suggest(
      { ...whole, Rating: repeated('Hot', 'Cold') },
      { installation: { card: { ...CARDS.leads, segment } } },
    );
    expect(found.mapping).toContain('segment: { type: ComboBox, values: [Hot, Cold] }');
    expect(found.decisions.join()).toContain('which values segment allows');
    expect(mapped(found)['client']?.['fields']).toMatchObject({ segment: 'Rating' });
  });

  it('leaves rows of totals at the end out', () => {
    const headers = ['Lead ID', 'Full name', 'Mobile', 'Budget'];
    const cells = Array.from({ length: 20 }, (_, row) => [
      ...[`L-${row}`, 'Ada Fernhill', '+7 999 000-10-00', `${row}50`],
    ]);
    const all = [...cells, ['Итого:', null, null, '12345']];
    const found = suggestTable({
      table: {
        ...{ headers, sample: all, last: all.slice(-3), rows: all.length },
        first: all.map((each, row) => ({ row: row + 2, cells: each })),
      },
      source: { file: 'leads.csv', headerRow: 1 },
      installation: { card: CARDS.leads },
    });
    expect(mapped(found)['source']).toEqual({ until: { column: 'Lead ID', startsWith: 'Итого' } });
    expect(found.trial).toMatchObject({ rows: 21, clients: 20, skipped: 1 });
  });

  it.each([
    ['more totals than are looked at last', 20, 5, 1000],
    ['a sample and first rows that end before the totals', 1030, 2, 1000],
    ['a large file of which the rows are not counted', 1030, 1, undefined],
  ])('takes no row of data for totals: %s', (_, count, totals, whole) => {
    const headers = ['Lead ID', 'Full name', 'Mobile', 'Budget'];
    const cells = Array.from({ length: count }, (_, row) => [
      ...[`L-${row}`, 'Ada Fernhill', '+7 999 000-10-00', `${row}50`],
    ]);
    const all = [...cells, ...Array.from({ length: totals }, () => ['Total', null, null, '1'])];
    const first = all.slice(0, 1000).map((each, row) => ({ row: row + 2, cells: each }));
    const found = suggestTable({
      table: {
        ...{ headers, first, sample: all.slice(0, 1000), last: all.slice(-3) },
        rows: whole && all.length,
      },
      source: { file: 'leads.csv', headerRow: 1 },
      installation: { card: CARDS.leads },
    });
    expect(mapped(found)['source']).toEqual({ until: { column: 'Lead ID', startsWith: 'Total' } });
    const clients = Math.min(1000, count);
    expect(found.trial).toMatchObject({ rows: first.length, clients });
  });

  it('takes the country that is given, else the one whose numbers the phones are', () => {
    const columns = { ...id, ...name, Телефон: numbered('8 (999) 000-10-') };
    const country = (found: Suggestion): unknown => mapped(found)['client']?.['phones'];
    expect(country(suggest(columns))).toMatchObject([
      { transform: [{ phone: { country: 'RU' } }] },
    ]);
    expect(country(suggest(columns, { country: 'kz' }))).toMatchObject([
      { transform: [{ phone: { country: 'KZ' } }] },
    ]);
  });

  it('takes no country that fits many numbers for that of the language', () => {
    // Some are mistyped; Germany has numbers of nearly every length.
    const phones = [
      ...Array.from({ length: 40 }, (_, at) => `8 (950) 081-01-${10 + at}`),
      ...Array.from({ length: 8 }, (_, at) => `8 495 081-0${at}`),
    ];
    const found = suggest({ ...id, ...name, Телефон: phones });
    expect(mapped(found)['client']?.['phones']).toMatchObject([
      { transform: [{ phone: { country: 'RU' } }] },
    ]);
  });

  it('knows fields by their title and aliases', () => {
    const found = suggest(
      {
        'Номер договора': numbered('Д-'),
        Пожелания: repeated('a'),
        ...phone,
        ФИО: repeated('Ландыш Анна'),
      },
      {
        installation: {
          card: { ...CARDS.titled, f106: { ...CARDS.titled.f106, aliases: ['Пожелания'] } },
        },
      },
    );
    expect(targets(found)).toEqual(['fields.f101', 'fields.f106', 'phones', 'fields.f102']);
  });

  it('does as earlier mappings did, also with what they left out', () => {
    const found = suggest(
      { ...whole, Notes: repeated('a'), Zebra: repeated('b') },
      {
        remembered: new Map([
          ['Notes', { target: null, mapping: 'old.yaml' }],
          ['Zebra', { target: 'fields.comment', mapping: 'old.yaml' }],
        ]),
      },
    );
    expect(targets(found).slice(3)).toEqual([null, 'fields.comment']);
    expect(found.columns[3]?.why).toContain('old.yaml');
  });

  it.each(['upsert', 'update', 'enqueue', 'delete', 'dequeue'] as const)(
    'is a mapping of the mode %s',
    (mode) => {
      const found = suggest(whole, { mode });
      expect(mapped(found)['mode']).toBe(mode);
      expect(found.trial).toMatchObject({ clients: 12 });
    },
  );

  it('of contacts asks for some where the list has none', () => {
    const found = suggest({ ...id, Zebra: repeated('a', 'b') }, { mode: 'contacts' });
    expect(found).toMatchObject({ toFillIn: ['client.phones'], trial: null });
  });

  it('is YAML that can be used, whatever the file holds', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    const header = fc
      .oneof(
        text,
        fc.constantFrom(
          'Phone',
          'E-mail',
          'Name',
          'ID',
          'Date',
          'Status',
          "a: 'b' # c",
          '- x',
          '{y}',
          'Budget',
        ),
      )
      .map((each) => each.trim())
      .filter((each) => each !== '');
    const table = fc
      .uniqueArray(header, { minLength: 1, maxLength: 8 })
      .chain((headers) =>
        fc.tuple(
          fc.constant(headers),
          fc.array(
            fc.array(
              fc.oneof(
                text,
                fc.constantFrom(
                  '+79990001000',
                  'a@b.example',
                  '1/2/2020',
                  '',
                  'n/a',
                  '1.234,5',
                  'Hot',
                ),
              ),
              { minLength: headers.length, maxLength: headers.length },
            ),
            { maxLength: 12 },
          ),
        ),
      );
    fc.assert(
      fc.property(table, ([headers, rows]) => {
        const found = suggestTable({
          table: { headers, sample: rows, first: rows.map((cells, row) => ({ row, cells })) },
          source: { file: 'x\n# y.csv', headerRow: 1 },
          installation: { card: CARDS.leads },
        });
        expect(found.columns.map(({ column }) => column)).toEqual(headers);
        if (found.toFillIn.length === 0) expect(found.trial?.rows).toBe(rows.length);
        else expect(parse(found.mapping)).toHaveProperty('client');
      }),
      { numRuns: 75 },
    );
  });
});

it('shows one figure for a score, on the screen and in the comments', () => {
  // 0.985 in binary is a little less.
  expect([scoreText(0.985), roundScore(0.985)]).toEqual(['0.99', 0.99]);
});

describe('the country of phones without a country code', () => {
  const phones = (...cells: string[]) => ({ Telephone: repeated(...cells) });
  /** The country of the draft, with `?` where it is to be decided. */
  const countryOf = (found: Suggestion): string => {
    const code = /country: ([A-Z]{2})/.exec(found.mapping)?.[1] ?? '';
    return code + (found.decisions.some((text) => text.includes('--country')) ? '?' : '');
  };

  const WITH_0049 = ['0049302123401', '0049302123402', '0049302123403', '0049302123404'];

  it.each([
    ['is not asked for numbers with zeros for a plus', ['0033142685300', '0033142685301'], 'FR'],
    ['is not asked for numbers with 0049', ['0049302123401', '0049 (0)30 2123402'], 'DE'],
    ['is that of the international ones', [...WITH_0049, '030 1234004'], 'DE'],
    ['is that of those with "+"', ['+48 512 345 678', '+48 512 345 679', '512 345 670'], 'PL'],
    ['is asked where those are of many', ['+49302123401', '+33142685300', '0442123401'], '?'],
    ['is asked where digits alone show it', ['912345678', '912345679', '912345680'], '?'],
    [
      'is asked where few cells are phones',
      ['0171 2345678', '0171 2345679', 'see notes', 'by mail', '-'],
      '?',
    ],
    ['is asked where none fits', ['1234567', '2345678', '3456789'], '?'],
    ['is shown by the language', ['(212) 555-0123', '(212) 555-0124'], 'US'],
  ])('%s', (_what, cells, country) => {
    expect(countryOf(suggest({ ...id, ...name, ...phones(...cells) }))).toMatch(
      new RegExp(`^${country === '?' ? '.*\\?' : country}$`),
    );
  });

  it('is no question of its own where phones are sent as they stand', () => {
    const cells = ['0171 2345678', '0171 2345679', 'see notes', 'by mail', '-'];
    const found = suggest({ ...id, ...name, ...phones(...cells) });
    expect(found.mapping).toContain('# DECIDE: Phones are sent as they stand: ');
    expect(found.decisions.join('\n')).toMatch(
      /Phones are sent as they stand: .* Name the country/,
    );
    expect(found.mapping).not.toContain('are taken to be of');
  });

  it('is shown by a column of countries', () => {
    const countries = { Country: repeated('Peru') };
    const found = suggest({ ...id, ...name, ...countries, ...phones('912345678', '912345679') });
    expect(countryOf(found)).toBe('PE');
  });
});
