import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Cell,
  cleanCells,
  guardedText,
  isSuspicious,
  seenText,
} from '../../src/core/table.js';
import { meantText } from '../../src/prepare/inputs/corrections.js';
import { notesOf, suspicionsOf } from '../../src/mapping/suspicions.js';
import { clientOf, compiled, nameFrom, withName } from './files.js';

/** What reading makes of one cell. */
function cellOf(text: string): Cell {
  const cells: Cell[] = [text];
  cleanCells(cells, !isSuspicious(text));
  return cells[0] || null;
}

describe('what stands in a cell and is no part of its value', () => {
  test.each([
    ["'00123", '00123'],
    ["'+49 151 2345", '+49 151 2345'],
    ["'-5", '-5'],
    ["'=1+1", '=1+1'],
    ["'@home", '@home'],
    ["'2026-01-31", '2026-01-31'],
    ["'12AB", '12AB'],
    ["''00123", "'00123"],
    ["'".repeat(50_000) + '1', "'".repeat(49_999) + '1'],
    ["'".repeat(50_000), "'".repeat(50_000)],
    ['="00123"', '00123'],
    [' ="+7 916" ', '+7 916'],
    ['="say ""hi"""', 'say "hi"'],
    ['=""', null],
    ['a\u200bb', 'ab'],
    ['\ufeff5', '5'],
    ['7\u2060', '7'],
    ['\u202a+49 30\u202c', '+49 30'],
    ['Do\u00adnau', 'Donau'],
    ['\u200e\u200f', null],
    ["\u200b'0012", '0012'],
    ['Ko\u0308ln', 'Köln'],
    ['\u212bngstro\u0308m', 'Ångström'],
    ['Вячеслав Кои\u0306', 'Вячеслав Кой'],
    ['de\u200cuc', 'deuc'],
  ])('%j is %j', (text, value) => {
    expect(cellOf(text)).toBe(value);
  });

  test.each([
    "O'Brien",
    "'Ndrangheta",
    "'s-Hertogenbosch",
    "'t Hart",
    "'90s Bar",
    "'68er",
    "'47 Brand",
    "'123'",
    '=1+1',
    '="a"&"b"',
    "Rock 'n Roll'",
    '👩\u200d💻',
    '👩🏽\u200d🚒',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'می\u200cخواهم',
    'क\u094d\u200dष',
    'ශ\u0dca\u200dරී',
    'İstanbul',
  ])('%j stays', (text) => {
    expect(cellOf(text)).toBe(text);
  });

  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(
        "'",
        '=',
        '"',
        '+',
        '-',
        '@',
        '\t',
        ' ',
        '0',
        '9',
        'a',
        '\u200b',
        '\u0308',
      ),
    }),
  );

  test('what is guarded reads back, and no program calculates it', () => {
    fc.assert(
      fc.property(text, (written) => {
        const value = meantText(written);
        const guarded = guardedText(value);
        expect(cellOf(guarded)).toBe(value === '' ? null : value);
        if (!/^[+-]\d+(?:[.,]\d+)?$/.test(guarded))
          expect(guarded).not.toMatch(/^\s*[=+\-@]|^[\t\r\n]/);
      }),
      { numRuns: 2000 },
    );
  });

  test('a text that is not suspicious has nothing to take off, and what is seen stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (written) => {
        const seen = seenText(written);
        if (!isSuspicious(written)) expect(seen).toBe(written);
        expect(seenText(seen)).toBe(seen);
        expect(seen.normalize('NFC')).toBe(seen);
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    ['lower', 'İSTANBUL', 'istanbul'],
    ['lower', 'DİYARBAKIR', 'diyarbakir'],
    ['upper', 'straße', 'STRASSE'],
    ['title', 'İZMİR', 'Izmir'],
  ])('%s of %j is %j', async (transform, cell, value) => {
    const from = await nameFrom(`{ column: Name, transform: ${transform} }`);
    expect(from(cell)).toEqual({ value });
  });

  test('words of a mapping are compared in the same form', async () => {
    const where = await compiled(
      withName('Name', 'where: { column: Name, equals: "Ko\u0308\u200bln" }\n'),
    );
    expect(where.map(['1', 'Köln', '79161234567']).status).toBe('client');
    const from = await nameFrom('{ column: Name, map: { "Ko\u0308ln": K } }');
    expect(from('Köln')).toEqual({ value: 'K' });
  });

  test('what was taken off is noted once for a column', () => {
    const seen = {
      column: 'ID',
      kind: 'cells',
      values: 13,
      looks: { mark: 12, invisible: 1 },
    } as const;
    expect(notesOf([seen]).map(({ message }) => message)).toEqual([
      'ID: the mark for text, an apostrophe or ="…", was taken off 12 cells.',
      'ID: signs that nobody sees were taken off 1 cell.',
    ]);
  });
});

test.each([
  ['mailto:ada@example.com', 'ada@example.com'],
  ['MAILTO:ada@example.com?subject=Hi', 'ada@example.com'],
  ['Ada Lovelace <ada@example.com>', 'ada@example.com'],
  ['"Lovelace, Ada" <ada@example.com>', 'ada@example.com'],
  ['<ada@example.com', 'ada@example.com'],
  ['ada@example.com>', 'ada@example.com'],
  [' ada@example.com; ', 'ada@example.com'],
  ['ada@example.com<mailto:ada@example.com>', 'ada@example.com'],
  ["c.o'neil@example.org", "c.o'neil@example.org"],
  ['ada@example.com (work)', 'not_an_email'],
  ["'ada@example.com'", 'not_an_email'],
  ['http://ada@example.com', 'not_an_email'],
  ['ada@example.com?subject=x', 'not_an_email'],
  ['ada@example.c', 'not_an_email'],
  ['ada@-example.com', 'not_an_email'],
  ['ada@10.20.30.40', 'not_an_email'],
  ['ada＠example.com', 'not_an_email'],
  ['ａda@example.com', 'not_an_email'],
  ['ada@ｅxample.com', 'not_an_email'],
  ['ada@example.com <bo@example.com>', 'not_an_email'],
  ['[ada@example.com]', 'not_an_email'],
  ['Ada Robinson <ada@example.com>', 'ada@example.com'],
  ['No Sun-hee <sun@example.com>', 'sun@example.com'],
  ['Do not mail <ada@example.com>', 'not_an_email'],
  ['STOP <ada@example.com>', 'not_an_email'],
  ['Bitte nicht anschreiben <ada@example.com>', 'not_an_email'],
  ['Не писать <ada@example.com>', 'not_an_email'],
  ['Ne pas contacter <ada@example.com>', 'not_an_email'],
  [`${'a'.repeat(243)}@example.com`, 'not_an_email'],
  [`Ada <ada@example.com>${';'.repeat(300)}`, 'not_an_email'],
])('the e-mail address %j is %j', async (cell, value) => {
  const { map } = await compiled(withName('Id', '  emails: [Name]\n'));
  const row = map(['1', cell, '79161234567']);
  const found =
    row.status === 'client'
      ? clientOf(row).emails[0]?.email
      : row.problems.map(({ code }) => code)[0];
  expect(found).toBe(value);
});

test.each([
  ['+49301234001 / 01722345611', 'more than one phone'],
  ['+49301234001/01722345611', 'more than one phone'],
  ['030/1234001/0172/2345611', 'more than one phone'],
  ['0301234/0301235', 'more than one phone'],
  ['0301234001 01722345611', 'more than one phone'],
  ['0301234001\u00a0\u2013\u00a001722345611', 'more than one phone'],
  ['0301234001; 01722345611', 'more than one phone'],
  ['0301234001 ext. 12, 01722345611', 'more than one phone'],
  ['345611/345612', 'more than one phone'],
  ['0171/2345678', null],
  ['030/12345', null],
  ['033701/123456', null],
  ['33701/123456', null],
  ['+49 33701/123456', null],
  ['+375 1512/123456', null],
  ['0049151\u00a01234567', null],
  ['+4915112\u2013345678', null],
  ['+4915112\u2011345678', null],
  ['+49\t151\t12345678', null],
  ['+7 495 123-45-67 доб. 123456', null],
  ['+49 30 123456 Durchwahl 123456', null],
  ['+1 212 555 0123 x123456', null],
  ['bitte nicht anrufen 0160 1234567', 'must not be called'],
  ['+7 916 123-45-67 не звонить', 'must not be called'],
  ['mobil 0160 1234567', null],
  ['Phone No. 030 1234567', null],
  ['No. 030 1234567', null],
  ['Call: No. 030 1234567', 'must not be called'],
  ['Call: No. +49 (30) 1234567', 'must not be called'],
  ['030 1234567 (call: no)', 'must not be called'],
  ['030 1234567 contact allowed? No', 'must not be called'],
  ['0171 1234567 llamar: NO', 'must not be called'],
  ['т.м. 8 916 123-45-67', null],
  ['030 1234567 no calls please', 'must not be called'],
  ['D.N.C. +49 30 1234567', 'must not be called'],
  ['+49 30 1234567 d.n.c', 'must not be called'],
  ['12', 'fewer than three'],
  [`030 12345${' '.repeat(100)}6`, '100 characters'],
])('a phone that no transform reads: %j is %s', async (cell, refusal) => {
  const { map } = await compiled(withName('Id'));
  const row = map(['1', 'Ada', cell]);
  const found =
    row.status === 'client'
      ? clientOf(row).phones[0]?.phoneNumber
      : row.problems.map(({ code, message }) => `${code}: ${message}`).join();
  expect(found).toContain(refusal ?? cell);
});

describe('dates', () => {
  const date = async (spec: string, header = 'Name') => {
    const yaml = withName(`{ column: ${header}, transform: { date: { ${spec} } } }`);
    const { map, takeEvidence } = await compiled(yaml, { headers: ['Id', header, 'Phone'] });
    const read = (cell: string): unknown => {
      const row = map(['1', cell, '79161234567']);
      return row.status === 'client' ? clientOf(row).fields['name'] : row.problems[0]?.code;
    };
    return { read, takeEvidence };
  };
  const nextYear = String((new Date().getFullYear() + 1) % 100).padStart(2, '0');

  test.each([
    ['Geburtsdatum', `14.06.${nextYear}`, `19${nextYear}-06-14`],
    ['Дата рождения', `14.06.${nextYear}`, `19${nextYear}-06-14`],
    ['生年月日', `14.06.${nextYear}`, `19${nextYear}-06-14`],
    ['Signed', `14.06.${nextYear}`, `20${nextYear}-06-14`],
    ['Signed', '3.11.68', '1968-11-03'],
    ['Signed', '3.11.29', '2029-11-03'],
    ['Signed', '3.11.30', '1930-11-03'],
    ['Birthday', '29.02.2400', 'other_calendar'],
    ['Birthday', '01.01.2199', 'date_in_future'],
    ['Data de aniversário', '01.01.2199', 'date_in_future'],
    ['Aniversario', '01.01.2199', '2199-01-01'],
    ['Aniversário do contrato', '01.01.2199', '2199-01-01'],
    ['Next birthday call', '01.01.2199', '2199-01-01'],
    ['birthday_call_at', '01.01.2199', '2199-01-01'],
    ['Geburtstagsanruf am', '01.01.2199', '2199-01-01'],
    ['Nächster Geburtstag', '01.01.2199', '2199-01-01'],
    ['Дата следующего дня рождения', '01.01.2199', '2199-01-01'],
    ['Próximo cumpleaños', '01.01.2199', '2199-01-01'],
    ['birthdayReminder', '01.01.2199', '2199-01-01'],
    ['Name', '01.01.2199', '2199-01-01'],
    ['Name', '31.02.1980', 'not_a_date'],
    ['Name', '14.06.2568', 'other_calendar'],
    ['Name', '01.05.1402', 'other_calendar'],
    ['Name', '14.06.5786', 'other_calendar'],
    ['Name', '١٤.٠٦.١٩٨٠', '1980-06-14'],
  ])('%s %s is %s', async (header, cell, value) => {
    const { read } = await date('from: [d.M.yyyy, d.M.yy]', header);
    expect(read(cell)).toBe(value);
  });

  test.each([
    ['3. März 2026', '2026-03-03'],
    ['Dienstag, 3. November 2026', '2026-11-03'],
    ['3 de noviembre de 2026', '2026-11-03'],
    ['3 de fev. de 2026', '2026-02-03'],
    ['1er août 2026', '2026-08-01'],
    ['3 sierpnia 2026', '2026-08-03'],
    ['3 серпня 2026 р.', '2026-08-03'],
    ['3 Ağustos 2026', '2026-08-03'],
    ['3 AGUSTOS 2026', '2026-08-03'],
    ['٣ نوفمبر ٢٠٢٦', '2026-11-03'],
    ['3 नवंबर 2026', '2026-11-03'],
    ['2026年11月3日', '2026-11-03'],
    ['2026년 11월 3일', '2026-11-03'],
    ['3 tháng 11, 2026', '2026-11-03'],
    ['3 בנובמבר 2026', '2026-11-03'],
    ['3 נובמבר 2026', '2026-11-03'],
    ['2026. november 3.', '2026-11-03'],
    ['2026 m. lapkričio 3 d.', '2026-11-03'],
    ['Tue Nov 03 2026 16:05:00 GMT+0300 (MSK)', '2026-11-03'],
    ['3 listopada 2026', 'not_a_date'],
    ['3 Unsinn 2026', 'not_a_date'],
    ['31 Feb 2026', 'not_a_date'],
    ['14 มิถุนายน 2568', 'other_calendar'],
    ['令和5年11月3日', 'other_calendar'],
    ['1402/05/01', 'other_calendar'],
    ['۱۴۰۲/۰۵/۰۱', 'other_calendar'],
  ])('in words: %s is %s', async (cell, value) => {
    expect((await date('')).read(cell)).toBe(value);
  });

  test('months of every language are read as they are written, or not at all', async () => {
    const { read } = await date('');
    const languages =
      'de fr es it pl ru uk tr nl sv da fi cs hu ro el bg hr sr lt lv et he ar vi id hi kk ka hy az uz'.split(
        ' ',
      );
    for (const language of Intl.DateTimeFormat.supportedLocalesOf(languages)) {
      const locale = `${language}-u-ca-gregory-nu-latn`;
      for (const month of ['long', 'short'] as const) {
        const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month, timeZone: 'UTC' });
        for (let at = 0; at < 12; at++) {
          const parts = format.formatToParts(Date.UTC(2026, at, 3));
          const name = parts.find(({ type }) => type === 'month')?.value ?? '';
          if (/\d/.test(name)) continue;
          const right = `2026-${String(at + 1).padStart(2, '0')}-03`;
          expect([right, 'not_a_date'], `${language} ${name}`).toContain(read(`3 ${name} 2026`));
        }
      }
    }
  });

  test('two orders in one column are never both accepted', async () => {
    const { read, takeEvidence } = await date('from: [dd/MM/yyyy, MM/dd/yyyy]');
    expect(['13/02/1961', '02/14/1961', '02/06/1961', '04/04/1961'].map(read)).toEqual([
      ...['1961-02-13', '1961-02-14', 'ambiguous_date', '1961-04-04'],
    ]);
    expect(suspicionsOf(takeEvidence())[0]?.message).toMatch(/day first and with the month first/);
  });

  test.each([
    [
      'dd/MM/yyyy',
      ['1985-03-02', '1985-04-11', '1985-05-12'],
      ['13/02/1985', '28/04/1985', '31/12/1985'],
      true,
    ],
    [
      'MM/dd/yyyy',
      ['1985-03-02', '1985-04-11', '1985-05-12'],
      ['02/13/1985', '04/28/1985', '12/31/1985'],
      true,
    ],
    [
      'd.M.yyyy',
      ['1985-03-02', '1985-04-11', '1985-05-12'],
      ['13.2.1985', '28.4.1985', '31.12.1985'],
      true,
    ],
    [
      'dd/MM/yyyy',
      ['1985-03-02', '1985-04-11', '1985-05-13'],
      ['13/02/1985', '28/04/1985', '31/12/1985'],
      false,
    ],
    [
      'dd/MM/yyyy',
      ['1985-03-02', '1985-04-11', '1985-05-12'],
      ['13/02/1985', '28/04/1985', '01/12/1985'],
      false,
    ],
    ['dd/MM/yyyy', ['1985-03-02'], ['13/02/1985'], false],
  ])(
    'swapped days and months are suspected: %s %j %j %s',
    async (from, stored, texts, isSwapped) => {
      const { read, takeEvidence } = await date(`from: ${from}`);
      for (const cell of [...stored, ...texts]) read(cell);
      const swapped = suspicionsOf(takeEvidence()).filter(({ message }) => /swapped/.test(message));
      expect(swapped).toHaveLength(isSwapped ? 1 : 0);
    },
  );

  test.each([
    ['dd/MM/yyyy', ['13/02/1961', '02/14/1961', '05/06/1961'], true],
    ['MM/dd/yyyy', ['02/14/1961', '13/02/1961', '05/06/1961'], true],
    ['d.M.yyyy', ['13.2.1961', '2.14.1961'], true],
    ['dd/MM/yyyy', ['13/02/1961', '31/02/1961', '05/06/1961'], false],
    ['dd/MM/yyyy', ['13/02/1961', '13.02.1961', '02.14.1961'], false],
    ['dd/MM/yyyy', ['02/14/1961', '02/15/1961'], false],
  ])('both orders beside one pattern are suspected: %s %j %s', async (from, cells, isSuspected) => {
    const { read, takeEvidence } = await date(`from: ${from}`);
    cells.forEach(read);
    const [found] = suspicionsOf(takeEvidence());
    expect(/in the other one/.test(found?.message ?? '')).toBe(isSuspected);
  });

  test('dates that are sent as text are noted, and other texts are not', async () => {
    const { map, takeEvidence } = await compiled(withName('Name'));
    for (const cell of ['31.02.1980', '1.2.1980', '5.6.80']) map(['1', cell, '79161234567']);
    expect(notesOf(takeEvidence())[0]?.message).toMatch(/^Name: 3 of 3 values are dates/);
    for (const cell of ['31.02.1980', 'Anna', 'Bo', '5.6.80']) map(['1', cell, '79161234567']);
    expect(notesOf(takeEvidence())).toEqual([]);
  });
});

describe('numbers', () => {
  test.each([
    ['1 234,50 €', '1234.50'],
    ['€1,234.50', '1234.50'],
    ['$(1,234.50)', '-1234.50'],
    ['(5)', '-5'],
    ['1.234,50-', '-1234.50'],
    ['- 5,5 kr', '-5.5'],
    ['−5', '-5'],
    ["CHF 1'234.50", '1234.50'],
    ['CHF 5.–', '5'],
    ['12,- Kč', '12'],
    ['R$ 1.234,56', '1234.56'],
    ['1\u202f234,5 руб.', '1234.5'],
    ['₹12,34,567.80', '1234567.80'],
    ['5 USD', '5'],
    ['$5.00 USD', '5.00'],
    ['٣٥٠', '350'],
    ['１２３', '123'],
    ['5 %', 'not_a_number'],
    ['1e3', 'not_a_number'],
    ['5 kg', 'not_a_number'],
    ['10-20', 'not_a_number'],
    ['(-5)', 'not_a_number'],
    ['--5', 'not_a_number'],
    ['5 млн', 'not_a_number'],
    ['€', 'not_a_number'],
    ['12.000 €', 'ambiguous_number'],
  ])('%j is %j', async (cell, value) => {
    const from = await nameFrom('{ column: Name, transform: number }');
    const found = from(cell);
    expect('value' in found ? found.value : found.problem).toBe(value);
  });

  test('of a known style are read with any money, sign and blanks around them', async () => {
    const comma = await nameFrom(
      `{ column: Name, transform: { number: { decimal: ',', thousands: '.' } } }`,
    );
    const around = fc.constantFrom(
      ...([
        [(text) => text, ''],
        [(text) => `${text} €`, ''],
        [(text) => `EUR ${text}`, ''],
        [(text) => `-${text}`, '-'],
        [(text) => `(${text} zł)`, '-'],
        [(text) => `${text}-`, '-'],
      ] as [write: (text: string) => string, sign: string][]),
    );
    const format = new Intl.NumberFormat('de-DE', {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 11 }), around, (cents, [write, sign]) => {
        const value = `${sign}${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
        expect(comma(write(format.format(cents / 100)))).toEqual({ value });
      }),
    );
  });
});
