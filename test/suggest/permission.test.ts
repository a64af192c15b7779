import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { suggested } from './tables.js';
import { tablesIn } from '../kit/tables.js';

type Columns = 'asks for consent' | 'asks for a ban' | 'asks for something else';
const PERMISSION = tablesIn(import.meta.dirname, 'permission.yaml') as Readonly<
  Record<Columns | 'days of a ban' | 'asks for messages', readonly string[]> & {
    answers: readonly [yes: string, no: string][];
    bans: readonly [column: string, ban: string, other: string][];
    'no bans': readonly [column: string, one: string, other: string][];
  }
>;

/** The filter that is proposed for a column, behind its sign `#`. */
function filterOf(mapping: string): unknown {
  const lines = mapping.split('\n');
  const from = lines.findIndex((line) => line.startsWith('# where:'));
  if (from < 0) return undefined;
  const length = lines.slice(from).findIndex((line) => !line.startsWith('#'));
  const text = lines.slice(from, from + length).map((line) => line.slice(2));
  return (parse(text.join('\n')) as { where: unknown }).where;
}

const FIVE = [...Array<number>(5).keys()];
/** Five cells with the first value, four with the second, and three without anything. */
const cells = (first: string, second: string): string[] => [
  ...FIVE.map(() => first),
  ...FIVE.slice(1).map(() => second),
  ...FIVE.slice(2).map(() => ''),
];

const asked = (header: string, values: readonly string[]) => {
  const { mapping, decisions } = suggested({ [header]: values });
  const own = decisions.filter((text) => text.startsWith(`"${header}"`));
  return { filter: filterOf(mapping), own };
};

describe('a column that says who may be called', () => {
  it.each(PERMISSION['asks for consent'])('has those kept that answer yes: %s', (header) => {
    const { filter, own } = asked(header, cells('yes', 'no'));
    expect(filter).toEqual({ column: header, in: ['yes'] });
    expect(own).toEqual([expect.stringContaining("'yes' 5, 'no' 4, empty 3")]);
  });

  it.each(PERMISSION['asks for a ban'])(
    'has those left out that answer yes where it asks for a ban: %s',
    (header) => {
      const { filter, own } = asked(header, cells('yes', 'no'));
      expect(filter).toEqual({ column: header, notIn: ['yes'] });
      expect(own).toHaveLength(1);
    },
  );

  it.each(PERMISSION.answers)('is understood by many spellings: %s, %s', (yes, no) => {
    expect(asked('Consent', cells(yes, no)).filter).toEqual({ column: 'Consent', in: [yes] });
  });

  it.each(PERMISSION['days of a ban'])('may have days of a ban: %s', (header) => {
    const { filter } = asked(header, cells('03.12.2025', ''));
    expect(filter).toEqual({ column: header, empty: true });
  });

  it.each(PERMISSION['asks for something else'])(
    'is no column that answers something else with a no: %s',
    (header) => {
      expect(asked(header, cells('yes', 'no'))).toEqual({ filter: undefined, own: [] });
    },
  );

  it('may be filled for the one answer alone', () => {
    const crosses = cells('x', '');
    expect(asked('Consent', crosses).filter).toEqual({ column: 'Consent', in: ['x'] });
    expect(asked('Do not call', crosses).filter).toEqual({ column: 'Do not call', notIn: ['x'] });
    expect(asked('Consent', crosses).own).toEqual([expect.stringContaining('x 5, empty 7')]);
  });

  it('has its cells named where they are not understood, and the others kept out', () => {
    const { filter, own } = asked('Consent', cells('granted', 'pending'));
    expect(filter).toEqual({ column: 'Consent', in: ['granted'] });
    expect(own).toEqual([expect.stringContaining('what pending means is not known')]);
  });

  it.each([
    ['Consent', cells('alpha', 'beta')],
    ['Consent', cells('1', '2')],
    ['Consent status', cells('A', 'B')],
    ['Opt-out', cells('granted', 'refused')],
    ['Not opted out', cells('yes', 'no')],
  ])('is asked without a filter where nothing can be known: %s %j', (header, values) => {
    const { filter, own } = asked(header, values);
    expect(filter).toBeUndefined();
    expect(own).toEqual([expect.stringContaining('for you to say')]);
    expect(suggested({ [header]: values }).mapping).toContain('Such as: where:');
  });

  it('is filtered by none that is empty, whatever it holds', () => {
    for (const values of [cells('no', 'no'), cells('yes', 'yes'), cells('?', 'n/a')])
      for (const header of ['Consent', 'Do not call'])
        expect(suggested({ [header]: values }).mapping).not.toMatch(/n: \[\]/);
  });

  it('may hold the day of the answer', () => {
    const days = cells('2026-03-04', '2026-05-06');
    expect(asked('Consent', days).filter).toEqual({ column: 'Consent', empty: false });
    expect(asked('Consent withdrawn', days).filter).toEqual({
      column: 'Consent withdrawn',
      empty: true,
    });
  });

  it.each(PERMISSION['asks for messages'])(
    'says nothing of calls where it is about messages: %s',
    (header) => {
      const { filter, own } = asked(header, cells('yes', 'no'));
      expect(filter).toBeUndefined();
      expect(own).toEqual([expect.stringContaining('says nothing of calls')]);
    },
  );

  it('says nothing where all may be called', () => {
    const all = Array<string>(12).fill('yes');
    expect(asked('Consent', all)).toEqual({ filter: undefined, own: [] });
  });

  it('shares one "where" with others', () => {
    const { mapping } = suggested({
      Consent: cells('yes', 'no'),
      'Do not call': cells('x', ''),
    });
    expect(filterOf(mapping)).toEqual({
      all: [
        { column: 'Consent', in: ['yes'] },
        { column: 'Do not call', notIn: ['x'] },
      ],
    });
  });
});

it.each(PERMISSION.bans)('a status that forbids calls is left out: %s %s', (header, ban, other) => {
  const { filter, own } = asked(header, cells(other, ban));
  expect(filter).toEqual({ column: header, notIn: [ban] });
  expect(own).toEqual([expect.stringContaining('forbid calls')]);
});

it.each(PERMISSION['no bans'])(
  'a status of calls that nobody answered forbids none: %s %s',
  (header, one, other) => {
    expect(asked(header, cells(one, other))).toEqual({ filter: undefined, own: [] });
  },
);
