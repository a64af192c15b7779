import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dateFormat } from '../../src/setup/template.js';
import { formatKind } from '../../src/source/xlsx/cells/value.js';

it.each([
  ['yyyy-MM-dd', 'yyyy-mm-dd'],
  ['dd.MM.yyyy HH:mm', 'dd.mm.yyyy hh:mm'],
  ["d/M/yy 'at' H:mm:ss", 'd/m/yy "at" h:mm:ss'],
])('writes %s as a spreadsheet program does', (pattern, format) => {
  expect(dateFormat(pattern)).toBe(format);
});

it.each(['HH:mm', 'MM/yyyy', 'dd.MM', 'yyyy-MM-dd mm', ''])(
  'leaves %s to text: it shows no whole day, or minutes that would be taken for months',
  (pattern) => {
    expect(dateFormat(pattern)).toBeUndefined();
  },
);

it('is always a format that the reader takes for a date', () => {
  const separator = fc.constantFrom('-', '.', '/', ' ', ', ', " 'of' ", " 'm0#' ");
  const days = fc.tuple(
    fc.constantFrom('yyyy', 'yy'),
    fc.constantFrom('MM', 'M'),
    fc.constantFrom('dd', 'd'),
  );
  const times = fc.constantFrom('', ' HH:mm', ' H.mm', ' HH:mm:ss');
  fc.assert(
    fc.property(
      days.chain((day) => fc.shuffledSubarray(day, { minLength: 3 })),
      separator,
      times,
      (day, between, time) => {
        const kind = formatKind(dateFormat(day.join(between) + time) ?? '');
        expect(kind).toBe(time === '' ? 'date' : 'datetime');
      },
    ),
  );
});
