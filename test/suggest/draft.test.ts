import fc from 'fast-check';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import type { Mode } from '../../src/core/outcome.js';
import { parsePlaced } from '../../src/config/document.js';
import { compileMapping } from '../../src/mapping/compile.js';
import { loadedMapping, checkMapping } from '../../src/mapping/mapping.js';
import {
  suggestTable,
  type SuggestTableRequest,
  type Suggestion,
} from '../../src/suggest/suggest.js';
import { roundScore, scoreText } from '../../src/suggest/columns.js';
import { type CardOf, cardOf } from '../mapping/files.js';
import { CARDS } from './cards.js';
import { tablesIn } from '../kit/tables.js';

/** What is suggested for a table of a few columns, each with its cells. */
function suggest(
  columns: Readonly<Record<string, readonly string[]>>,
  more: Partial<SuggestTableRequest> = {},
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

/** What the file says of its keys. */
interface Case {
  readonly case: string;
  readonly usual?: readonly (keyof typeof USUAL)[];
  readonly columns: Readonly<Record<string, readonly string[] | string>>;
  readonly card?: CardOf;
  readonly addedToCard?: CardOf;
  readonly country?: string;
  readonly mode?: Mode;
  readonly targets?: readonly (string | null)[];
  readonly all?: readonly (string | null)[];
  readonly phoneTypes?: readonly string[];
  readonly has?: Readonly<Record<string, unknown>>;
  readonly holds?: readonly string[];
  readonly lacks?: readonly string[];
  readonly asks?: readonly string[];
  readonly 'asks nothing of'?: readonly string[];
  readonly missing?: readonly string[];
  readonly toFillIn?: readonly string[];
  readonly trial?: object | null;
  /** The last column is taken for what it is said to be, but not surely. */
  readonly unsure?: true;
  /** The country of the draft, with `?` where it is to be decided. */
  readonly phonesOf?: string;
}

const USUAL = { id, name, phone };

function suggestFor({ columns, usual = ['id', 'name', 'phone'], ...one }: Case): Suggestion {
  const cells = Object.entries(columns).map(
    ([header, own]) =>
      [header, typeof own === 'string' ? numbered(own) : repeated(...own)] as const,
  );
  const all = Object.assign({}, ...usual.map((part) => USUAL[part])) as Record<string, string[]>;
  const card = { ...(one.card ? cardOf(one.card) : CARDS.leads), ...cardOf(one.addedToCard ?? {}) };
  return suggest(
    { ...all, ...Object.fromEntries(cells) },
    {
      installation: { card },
      ...(one.country === undefined ? {} : { country: one.country }),
      ...(one.mode ? { mode: one.mode } : {}),
    },
  );
}

const CASES = tablesIn(import.meta.dirname, 'draft.yaml') as Readonly<
  Record<string, readonly Case[]>
>;

describe.each(Object.entries(CASES))('%s', (_kind, cases) => {
  it.each(cases.map((one) => [one.case, one] as const))('%s', (_name, one) => {
    const found = suggestFor(one);
    const { columns, mapping } = found;
    const others = columns.slice(-Object.keys(one.columns).length);
    if (one.all) expect(targets(found)).toEqual(one.all);
    if (one.targets) expect(others.map(({ target }) => target)).toEqual(one.targets);
    if (one.phoneTypes) expect(others.map(({ phoneType }) => phoneType)).toEqual(one.phoneTypes);
    for (const [path, part] of Object.entries(one.has ?? {})) {
      const value = path.split('.').reduce<unknown>(valueAt, parse(mapping));
      if (part === null) expect([path, value]).toEqual([path, undefined]);
      else expect({ value }).toMatchObject({ value: part });
    }
    for (const text of one.holds ?? []) expect(mapping).toContain(text);
    for (const text of one.lacks ?? []) expect(mapping).not.toContain(text);
    const decisions = found.decisions.join('\n');
    for (const text of one.asks ?? []) expect(decisions).toContain(text);
    for (const text of one['asks nothing of'] ?? []) expect(decisions).not.toContain(text);
    if (one.missing) expect(found.missing).toEqual(one.missing);
    if (one.toFillIn) expect(found.toFillIn).toEqual(one.toFillIn);
    if (one.trial === null) expect(found.trial).toBeNull();
    else if (one.trial) expect(found.trial).toMatchObject(one.trial);
    if (one.unsure) expect(others.at(-1)?.score).toBeLessThan(0.85);
    if (one.phonesOf !== undefined) {
      expect(decisions.includes('--country')).toBe(one.phonesOf.endsWith('?'));
      const code = /country: ([A-Z]{2})/.exec(mapping)?.[1];
      if (one.phonesOf !== '?') expect(code).toBe(one.phonesOf.slice(0, 2));
    }
  });
});

const valueAt = (value: unknown, key: string): unknown =>
  (value as Record<string, unknown> | undefined)?.[key];

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
  it.each([
    ...[
      'unbekannt',
      'keine Angaben',
      'inconnu',
      'desconocido',
      'sconosciuto',
      'nieznany',
      'неизвестен',
    ],
    ...['onbekend', 'okänd', 'ukjent', 'tuntematon', 'ismeretlen', 'bilinmiyor', '未知', '不明'],
  ])('counts words for what is not known as empty: %s', (word) => {
    const found = suggest({ ...whole, 'Home phone': repeated('+7 495 000-10-10', word) });
    const [, second] = mapped(found)['client']?.['phones'] as unknown[];
    expect(second).toMatchObject({ column: 'Home phone', blank: [word.toLowerCase()] });
    expect(found.trial).toMatchObject({ clients: 12, rejected: 0 });
  });

  it('gives every column a score and a reason', () => {
    for (const { score, why } of suggest({ ...whole, Extra: repeated('a', 'b') }).columns) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
      expect(why).not.toBe('');
    }
  });

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
      { numRuns: 50 },
    );
  });
});

it('shows one figure for a score, on the screen and in the comments', () => {
  // 0.985 in binary is a little less.
  expect([scoreText(0.985), roundScore(0.985)]).toEqual(['0.99', 0.99]);
});
