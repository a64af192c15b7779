import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientOf, compiled, faultsOf, nameFrom, withName } from './files.js';

const WORDS = "[n/a, none, '-', нет, 0, false]";

describe('words that count as empty', () => {
  test.each(['n/a', 'N/A', ' None ', '-', 'НЕТ', '\u00a0нет\t', '0', 'FALSE'])(
    '%j, of one column',
    async (cell) => {
      const spec = `{ column: Name, blank: ${WORDS}, default: empty }`;
      expect((await nameFrom(spec))(cell)).toEqual({ value: 'empty' });
    },
  );

  test.each(['n/a', ' NONE', '-'])('%j, of the whole mapping', async (cell) => {
    const { map } = await compiled(withName('{ column: Name, required: true }', `blank: ${WORDS}`));
    expect(map(['1', cell, '123'])).toMatchObject({
      status: 'rejected',
      problems: [{ column: 'Name', code: 'required', value: null }],
    });
  });

  test.each(['none at all', '--', 'n / a', '00'])('are whole cells: %j', async (cell) => {
    const spec = `{ column: Name, blank: ${WORDS} }`;
    expect((await nameFrom(spec))(cell)).toEqual({ value: cell });
  });

  test.each([
    [`{ columns: [Name, Phone], join: '/', blank: ['-'] }`, '123'],
    [`{ template: '{Name}+{Phone}', blank: ['-'] }`, '+123'],
    [`{ column: Name, split: ';', part: 1, blank: ['-'], default: x }`, 'x'],
  ])('are taken out before anything else is done: %s', async (spec, value) => {
    const { map } = await compiled(withName(spec));
    expect(clientOf(map(['1', '-', '123'])).fields['name']).toBe(value);
  });

  test('of the whole mapping are empty for where and templates too', async () => {
    const rest = `blank: ['-']\nwhere: { column: Name, empty: false }\n`;
    const { map } = await compiled(
      withName(`{ column: Name, transform: { template: '{Name}{Phone}' } }`, rest),
    );
    expect(map(['1', '-', '123']).status).toBe('skipped');
    expect(map(['1', 'a', '123']).status).toBe('client');
  });

  test('belong beside a column', async () => {
    const faults = await faultsOf(() => compiled(withName("{ value: a, blank: ['-'] }")));
    expect(faults).toMatchObject([{ message: '"blank" belongs beside a column.' }]);
  });

  test('leave every other row as it is', async () => {
    const [plain, blank] = [
      await compiled(withName('Name')),
      await compiled(withName('Name', `blank: ${WORDS}`)),
    ];
    const word = /^\s*(?:n\/a|none|-|нет|0|false)\s*$/iu;
    const cell = fc.option(fc.string({ unit: 'grapheme', maxLength: 8 }));
    fc.assert(
      fc.property(cell, (name) => {
        const expected = name !== null && word.test(name) ? null : name;
        expect(blank.map(['1', name, '123'])).toEqual(plain.map(['1', expected, '123']));
      }),
    );
  });
});
