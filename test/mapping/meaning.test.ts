import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Cell,
  cleanCells,
  guardedText,
  isSuspicious,
  looksOf,
  seenText,
} from '../../src/core/table.js';
import { compileDate } from '../../src/mapping/transforms/date/dates.js';
import { meantText } from '../../src/prepare/inputs/seen.js';
import { notesOf, suspicionsOf } from '../../src/mapping/column-uses.js';
import { clientOf, compiled, nameFrom, withName } from './files.js';
import { tablesIn } from '../kit/tables.js';

/** What reading makes of one cell. */
function cellOf(text: string): Cell {
  const cells: Cell[] = [text];
  cleanCells(cells, looksOf(text));
  return cells[0] || null;
}

describe('what stands in a cell and is no part of its value', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(...Array.from(`'="+-@\t 09a\u200b\u0308`)),
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
      { numRuns: 2000 },
    );
  });

  test('a text of many cells that is clean has nothing to take off and nothing garbled', () => {
    const some = (letters: string) => fc.string({ unit: fc.constantFrom(...Array.from(letters)) });
    const any = fc.oneof(
      fc.constantFrom('="007"', ' ="a"'),
      fc.string({ unit: 'binary' }),
      ...['1-a\'="', 'aÄÃÂÃß«»°\u0098\u00ad', 'РСдЎš‰‚€°µ»№'].map(some),
      fc.string().map((written) => Buffer.from(written).toString('latin1')),
    );
    const noticed = (written: string, looks?: ReturnType<typeof looksOf>) => {
      const cells: Cell[] = [written];
      return [cleanCells(cells, looks), cells];
    };
    fc.assert(
      fc.property(any, (written) => {
        expect(noticed(written, looksOf(written))).toEqual(noticed(written));
      }),
      { numRuns: 4000 },
    );
    for (let code = 0; code < 0x10000; code++) {
      const sign = String.fromCharCode(code);
      if (isSuspicious(sign) && looksOf(sign).isPlain) expect.fail(`U+${code.toString(16)}`);
    }
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

type Suspicion = readonly [from: string, cells: readonly string[], isSuspected: boolean];
type Swap = readonly [from: string, stored: string[], texts: string[], isSwapped: boolean];
const DATES = tablesIn(import.meta.dirname, 'evidence.yaml') as {
  swapped: readonly Swap[];
  'both orders': readonly Suspicion[];
};

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

  test.each(DATES.swapped)(
    'swapped days and months are suspected: %s %j %j %s',
    async (from, stored, texts, isSwapped) => {
      const { read, takeEvidence } = await date(`from: ${from}`);
      for (const cell of [...stored, ...texts]) read(cell);
      const swapped = suspicionsOf(takeEvidence()).filter(({ message }) => /swapped/.test(message));
      expect(swapped).toHaveLength(isSwapped ? 1 : 0);
    },
  );

  test.each(DATES['both orders'])(
    'both orders beside one pattern are suspected: %s %j %s',
    async (from, cells, isSuspected) => {
      const { read, takeEvidence } = await date(`from: ${from}`);
      cells.forEach(read);
      const [found] = suspicionsOf(takeEvidence());
      expect(/in the other one/.test(found?.message ?? '')).toBe(isSuspected);
    },
  );

  test('dates that are sent as text are noted, and other texts are not', async () => {
    const { map, takeEvidence } = await compiled(withName('Name'));
    for (const cell of ['31.02.1980', '1.2.1980', '5.6.80']) map(['1', cell, '79161234567']);
    expect(notesOf(takeEvidence())[0]?.message).toMatch(/^Name: 3 of 3 values are dates/);
    for (const cell of ['31.02.1980', 'Anna', 'Bo', '5.6.80']) map(['1', cell, '79161234567']);
    expect(notesOf(takeEvidence())).toEqual([]);
  });
});

describe('numbers', () => {
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

const PATTERNS = [
  ['dd.MM.yyyy', /^\d{2}\.\d{2}\.\d{4}$/],
  ["yyyy-MM-dd'T'HH:mm:ss", /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/],
  ['d.M.yyyy', /^\d{1,2}\.\d{1,2}\.\d{4}$/],
] as const;

test.each(PATTERNS)('%s reads exactly the texts of its form that name a day', (pattern, form) => {
  const { read, write } = compileDate(pattern);
  const near = fc.stringMatching(/^[0-3]?\d.[01]?\d.20\d\d.?$/u);
  const whole = fc.stringMatching(form);
  fc.assert(
    fc.property(fc.oneof(near, whole, fc.string()), (text) => {
      const moment = read(text);
      if (!form.test(text)) expect(moment).toBeNull();
      if (moment === null) return;
      const digits = (of: string): number[] => (of.match(/\d+/g) ?? []).map(Number);
      expect(digits(write(moment))).toEqual(digits(text));
    }),
  );
  expect(read(write([2024, 2, 29, 9, 8, 7]))).not.toBeNull();
  expect(read(write([2023, 2, 29, 9, 8, 7]))).toBeNull();
});
