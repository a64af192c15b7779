import { describe, expect, test } from 'vitest';
import type { Cell } from '../../src/core/table.js';
import { nameFrom } from './files.js';

/** Cases of one transform: cell, then value; a problem is its code after "!". */
const cases: Record<string, [Cell, string | undefined][]> = {
  trim: [
    ['  a b ', 'a b'],
    ['\u00a0a', 'a'],
    ['  ', undefined],
    [null, undefined],
  ],
  collapse: [[' a \t\n b\u00a0\u00a0c ', 'a b c']],
  upper: [['straße ю', 'STRASSE Ю']],
  lower: [['ÀБ', 'àб']],
  title: [['анна-мария o’NEIL 2nd ЁЖ', 'Анна-Мария O’neil 2nd Ёж']],
  digits: [
    ['+7 (916) 1', '79161'],
    ['none', undefined],
  ],
  '{ replace: { pattern: "(\\\\d+)-(\\\\d+)", with: "$2/$1" } }': [
    ['1-2 x 3-4', '2/1 x 4/3'],
    ['x', 'x'],
  ],
  '{ replace: { text: "$&.", with: "$1" } }': [['a$&.b$&.', 'a$1b$1']],
  '{ replace: { text: x } }': [
    ['xaxbx', 'ab'],
    ['xx', undefined],
  ],
  '{ split: ",", part: 2 }': [
    ['a, b ,c', 'b'],
    ['a', undefined],
    ['a,,c', undefined],
  ],
  '{ split: "/" }': [['a/b', 'a']],
  '{ date: { from: dd.MM.yyyy } }': [
    ['31.12.2024', '2024-12-31'],
    ['29.02.2024', '2024-02-29'],
    ['29.02.2023', '!not_a_date'],
    ['29.02.1900', '!not_a_date'],
    ['29.02.2000', '2000-02-29'],
    ['31.04.2024', '!not_a_date'],
    ['01.02.0024', '!not_a_date'],
    ['0001-01-01', '!not_a_date'],
    ['1.12.2024', '!not_a_date'],
    ['00.01.2024', '!not_a_date'],
    ['01.13.2024', '!not_a_date'],
    ['31.12.2024 ', '2024-12-31'],
    ['31.12.20245', '!not_a_date'],
    ['2024-12-31', '2024-12-31'],
    ['2024-12-31T23:59:59', '2024-12-31'],
    ['2024-02-30', '!not_a_date'],
    [null, undefined],
  ],
  '{ date: { from: [d.M.yy, MM/dd/yyyy HH:mm], to: "dd.MM.yyyy H:mm:ss" } }': [
    ['1.2.68', '01.02.1968 0:00:00'],
    ['1.2.69', '01.02.1969 0:00:00'],
    ['12/31/2024 09:05', '31.12.2024 9:05:00'],
    ['12/31/2024 24:00', '!not_a_date'],
    ['12/31/2024 23:60', '!not_a_date'],
    ['13:14:15', '!not_a_date'],
  ],
  '{ date: { to: "yy/M/d\'T\'HHmm" } }': [['2009-03-04', '09/3/4T0000']],
  '{ date: { from: ["M/d/yyyy h:mm a", "M/d/yyyy, h:mm:ss a"], to: "yyyy-MM-dd HH:mm" } }': [
    ['11/05/2026 3:04 PM', '2026-11-05 15:04'],
    ['5/11/2026 12:00 am', '2026-05-11 00:00'],
    ['5/11/2026 12:59\u202fp.m.', '2026-05-11 12:59'],
    ['5/11/2026, 1:02:03 Am', '2026-05-11 01:02'],
    ['5/11/2026 13:00 PM', '!not_a_date'],
    ['5/11/2026 0:30 AM', '!not_a_date'],
    ['5/11/2026 3:04', '!not_a_date'],
  ],
  '{ date: { to: "M/d/yy h:mm a" } }': [
    ['2026-11-05T00:07:00', '11/5/26 12:07 AM'],
    ['2026-11-05T12:07:00', '11/5/26 12:07 PM'],
    ['2026-11-05T23:07:00', '11/5/26 11:07 PM'],
  ],
  '{ date: { from: "HHmm", to: "H:mm" } }': [
    ['0905', '9:05'],
    ['13:14:15', '13:14'],
    ['2024-01-02T03:04:05', '3:04'],
  ],
  date: [
    ['2024-01-02T03:04:05', '2024-01-02'],
    ['02.01.2024', '!not_a_date'],
    ['2026-11-03T16:05:00.000+0000', '2026-11-03'],
    ['2026-11-03T23:30:00Z', '2026-11-03'],
    ['2026-11-03T01:30:00.123456-08:00', '2026-11-03'],
    ['2026-11-03 16:05', '2026-11-03'],
    ['2026-11-03 16:05:07 UTC', '2026-11-03'],
    ['2026-11-03 4:05 PM', '2026-11-03'],
    ['2026/11/03 16:05', '2026-11-03'],
    ['2026.11.3', '2026-11-03'],
    ['20261103', '2026-11-03'],
    ['20261103T160507Z', '2026-11-03'],
    ['202611031605', '2026-11-03'],
    ['Nov 3, 2026 4:05 PM', '2026-11-03'],
    ['Nov 3, 2026, 04:05:06 pm', '2026-11-03'],
    ['November 3rd, 2026', '2026-11-03'],
    ['Tue Nov 03 2026 16:05:00 GMT+0300 (Moscow Standard Time)', '2026-11-03'],
    ['3 Nov 2026', '2026-11-03'],
    ['03-Nov-26', '2026-11-03'],
    ['Tue, 03 Nov 2026 16:05:00 GMT', '2026-11-03'],
    ['3 ноября 2026 г. 16:05', '2026-11-03'],
    ['1793721900000', '2026-11-03'],
    ['1793721900', '2026-11-03'],
    ['03/11/2026', '!not_a_date'],
    ['3.11.26', '!not_a_date'],
    ['11/05/2026 3:04 PM', '!not_a_date'],
    ['5/11/26 12:00 am', '!not_a_date'],
    ['2026-02-30', '!not_a_date'],
    ['2026-11-03 25:00', '!not_a_date'],
    ['Nov 3, 2026 13:05 PM', '!not_a_date'],
    ['Nov 31, 2026', '!not_a_date'],
    ['3 Foo 2026', '!not_a_date'],
    ['20261303', '!not_a_date'],
    ['12345', '!not_a_date'],
    ['9'.repeat(300), '!not_a_date'],
  ],
  '{ date: { to: "yyyy-MM-dd HH:mm" } }': [
    ['Nov 3, 2026 4:05 PM', '2026-11-03 16:05'],
    ['Nov 3, 2026 12:05 AM', '2026-11-03 00:05'],
    ['2026-11-03T23:30:00+05:00', '2026-11-03 23:30'],
    ['3 Nov 2026', '2026-11-03 00:00'],
  ],
  number: [
    ['1 234.50', '1234.50'],
    ['-5', '-5'],
    ['+5', '5'],
    ['−7', '-7'],
    ['1,5', '1.5'],
    ['1.234,56', '1234.56'],
    ['1,234.56', '1234.56'],
    ['1.234.567', '1234567'],
    ['1 234,500', '1234.500'],
    ["1'234.50", '1234.50'],
    ['0,125', '0.125'],
    ['1234.567', '1234.567'],
    ['12.000', '!ambiguous_number'],
    ['-1,234', '!ambiguous_number'],
    ['12,00,000', '1200000'],
    ['0 125', '!not_a_number'],
    ["-0'500", '!not_a_number'],
    ['0.125', '0.125'],
    ['00012', '00012'],
    ['1.2,3.4', '!not_a_number'],
    ['1e5', '!not_a_number'],
  ],
  '{ number: { decimal: "," } }': [
    ['1\u00a0234\u202f567,80', '1234567.80'],
    ['12 34', '!not_a_number'],
    ['1234,5', '1234.5'],
    ['1.5', '!not_a_number'],
    [',5', '!not_a_number'],
    ['abc', '!not_a_number'],
  ],
  '{ number: { decimal: "." } }': [
    ['12.000', '12.000'],
    ['0.125', '0.125'],
    ['0 125', '!not_a_number'],
  ],
  '{ number: { thousands: "." } }': [
    ['12.000,5', '12000.5'],
    ['0.125', '!not_a_number'],
  ],
  '{ number: { decimal: ".", thousands: "," } }': [
    ['12,34,567', '1234567'],
    ['10,500', '10500'],
    ['0,125', '!not_a_number'],
    ['00,125', '!not_a_number'],
    ['012,500.5', '!not_a_number'],
    ['0,12,345', '!not_a_number'],
    ['0.125', '0.125'],
  ],
  "{ number: { decimal: '.', thousands: \"'\" } }": [
    ["1'250", '1250'],
    ["0'125", '!not_a_number'],
  ],
  '{ number: { decimal: ",", thousands: "." } }': [
    ['1.234,5', '1234.5'],
    ['12.000', '12000'],
    ['1.23,5', '!not_a_number'],
    ['0.125', '!not_a_number'],
    ['00.125', '!not_a_number'],
    ['-0.500', '!not_a_number'],
    ['(0.125)', '!not_a_number'],
    ['0.125 €', '!not_a_number'],
    ['0.000', '!not_a_number'],
    ['0.125.000', '!not_a_number'],
    ['0 125,5', '!not_a_number'],
    ['000.000.001', '!not_a_number'],
    ['0,125', '0.125'],
    ['-0,5', '-0.5'],
    ['0', '0'],
    ['100.000', '100000'],
  ],
  boolean: [
    ['Да', 'true'],
    [' no ', 'false'],
    ['maybe', '!not_a_boolean'],
  ],
  '{ boolean: { true: [да, 1], false: [нет] } }': [
    ['ДА', 'true'],
    ['1', 'true'],
    ['нет', 'false'],
    ['no', '!not_a_boolean'],
  ],
  '{ phone: { country: ru } }': [
    ['8 (916) 123-45-67', '+79161234567'],
    ['916 123 45 67', '+79161234567'],
    ['79161234567', '+79161234567'],
    ['+49 30 901820', '+4930901820'],
    ['8-800-555-35-35', '+78005553535'],
    ['тел. 8 495 123-45-67 доб. 12', '+74951234567'],
    ['8 916 123-45-67, 8 916 123-45-68', '!not_a_phone'],
    ['8 495 123-45-67 ext. 12', '+74951234567'],
    ['8 495 123-45-67 (вн. 12)', '+74951234567'],
    ['+49 30 901820 Durchwahl 12', '+4930901820'],
    ['12345', '!not_a_phone'],
    ['нет', '!not_a_phone'],
    ['9'.repeat(300), '!not_a_phone'],
  ],
  '{ phone: { country: US, format: digits } }': [
    ['(212) 555-0123', '12125550123'],
    ['+7 916 123-45-67', '79161234567'],
  ],
  '{ phone: { country: US, extension: keep } }': [
    ['+1 202 555 0100 x12', '+12025550100;ext=12'],
    ['202 555 0100', '+12025550100'],
  ],
  phone: [
    ['+7 916 123-45-67', '+79161234567'],
    ['8 916 123-45-67', '!not_a_phone'],
  ],
  '{ map: { Gold: VIP, "1": one } }': [
    [' Gold ', 'VIP'],
    ['1', 'one'],
    ['VIP', 'VIP'],
    ['gold', '!not_in_map'],
    [null, undefined],
    ['toString', '!not_in_map'],
  ],
  '[{ map: { a: b } }, { default: c }]': [
    ['a', 'b'],
    ['x', 'c'],
    [null, 'c'],
  ],
  '[number, { default: 0 }]': [
    ['x', '!not_a_number'],
    [`${'1'.repeat(120)} €`, '!not_a_number'],
    [null, '0'],
  ],
  '{ lookup: { file: t.csv, key: code, value: name } }': [
    ['495', 'Moscow'],
    [' 812', 'Saint Petersburg'],
    ['1', '!not_in_table'],
  ],
  '[{ lookup: { file: t.csv, key: code, value: name } }, { default: elsewhere }]': [
    ['1', 'elsewhere'],
  ],
  '{ template: "{value} ({Id}) {{x}}" }': [
    ['a', 'a (1) {x}'],
    [null, undefined],
  ],
  '[trim, lower, { replace: { text: " ", with: _ } }]': [[' A B ', 'a_b']],
};

const TABLE = [
  ['name', 'code'],
  ['Moscow', '495'],
  ['Saint Petersburg', '812'],
  ['', ''],
];

describe.each(Object.entries(cases))('%s', (transform, rows) => {
  test.each(rows)('%j becomes %j', async (cell, expected) => {
    const map = await nameFrom(`{ column: Name, transform: ${transform} }`, {
      readTable: () => Promise.resolve(TABLE),
    });
    expect(map(cell)).toEqual(
      expected?.startsWith('!') ? { problem: expected.slice(1) } : { value: expected },
    );
  });
});

describe('values', () => {
  test.each<[string, Cell, unknown]>([
    ['Name', ' as it stands ', ' as it stands '],
    ['Name', '007', '007'],
    ['Name', '\u00a0', undefined],
    ['{ value: 7 }', 'x', '7'],
    ['{ columns: [Id, Name] }', 'a', '1 a'],
    ['{ columns: [Name, Id], join: "/" }', null, '1'],
    ['{ template: "{Name}, {Id}" }', 'a', 'a, 1'],
    ['{ template: "Mr {Name}" }', null, undefined],
    ['{ column: Name, split: " ", part: 2 }', 'a b', 'b'],
    ['{ column: Name, split: " ", part: 3, default: none }', 'a b', 'none'],
    ['{ column: Name, transform: upper, map: { A: first }, default: other }', 'a', 'first'],
    ['{ column: Name, transform: upper, map: { A: first }, default: other }', 'b', 'other'],
    ['{ column: Name, default: 5 }', '', '5'],
    ['{ column: Name, default: "" }', '', undefined],
    ['{ column: Name, map: { none: "", a: b } }', 'none', undefined],
  ])('%s of %j', async (spec, cell, value) => {
    expect((await nameFrom(spec))(cell)).toEqual({ value });
  });
});

test('a regular expression takes time in proportion to the text, whatever the pattern', async () => {
  const map = await nameFrom(
    '{ column: Name, transform: [{ replace: { pattern: "^(a+)+$", with: x } }] }',
  );
  expect(map('a'.repeat(100_000) + 'b')).toEqual({ value: 'a'.repeat(100_000) + 'b' });
  expect(map('a'.repeat(1000))).toEqual({ value: 'x' });
});
