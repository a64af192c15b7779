import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { loadInstallation } from '../../../src/installation/installation.js';
import { editMapping, type MappingEdit } from '../../../src/mapping/edit.js';
import { readForSuggestion } from '../../../src/suggest/read-file.js';
import { readTable, suggestTable } from '../../../src/suggest/suggest.js';
import { type ColumnsView, columnsView } from '../../../src/suggest/view.js';
import { CARDS } from '../cards.js';

const ROOT = join(import.meta.dirname, '../../..');
const installation = { card: CARDS.leads, clientRoles: [3] };

/** A table as it is read, of columns with their cells. */
function tableOf(columns: readonly (readonly [header: string, cells: readonly string[]])[]) {
  const count = Math.max(...columns.map(([, cells]) => cells.length));
  const rows = Array.from({ length: count }, (_, row) =>
    columns.map(([, cells]) => cells[row] ?? null),
  );
  const headers = columns.map(([header]) => header);
  const table = {
    headers,
    sample: rows,
    first: rows.map((cells, row) => ({ row: row + 2, cells })),
    rows: count,
  };
  return readTable({ table, installation });
}

type Shown = Extract<ColumnsView, { kind: 'columns' }>;

function shown(yaml: string, read: ReturnType<typeof tableOf>, own = installation): Shown {
  const view = columnsView({ yaml, read, installation: own });
  if (view.kind === 'broken') throw new Error(JSON.stringify(view.mistakes));
  return view;
}

const repeated = (...values: string[]): string[] =>
  Array.from({ length: 12 }, (_, row) => values[row % values.length] ?? '');
const LEADS = tableOf([
  ['Lead ID', Array.from({ length: 12 }, (_, row) => `L-${row + 10}`)],
  ['First name', repeated('Ada', 'Milo')],
  ['Last name', repeated('Fernhill', 'Oakley')],
  ['Mobile', repeated('+7 999 000-10-00', '8 999 000-10-01', 'нет')],
  ['Segment', repeated('Cold ', 'warm', 'warm', 'Тёплый')],
]);

describe('the view of a mapping over the columns of a file', () => {
  it('says what each column becomes, with values, counts and how many are good', () => {
    const yaml = `client:
  fields:
    segment: { column: Segment, transform: [trim, lower], map: { cold: cold, warm: warm } }
  phones: [{ column: Mobile, type: MOB, transform: { phone: { country: RU } } }]
`;
    const { columns } = shown(yaml, LEADS);
    const [id, , , mobile, segment] = columns;
    expect(id).toMatchObject({
      ...{ header: 'Lead ID', uses: [], filled: 12, distinct: 12 },
      suggested: { target: 'fields.externalId' },
    });
    expect(mobile?.uses).toMatchObject([
      {
        ...{ target: 'phones', at: ['client', 'phones', 0], phoneType: 'MOB', invalid: 'reject' },
        steps: [{ name: 'phone', options: { country: 'RU' } }],
        good: { code: 'good_phones', params: { good: 8, filled: 12 } },
        problems: [{ code: 'not_a_phone', count: 4, values: [{ value: 'нет', count: 4 }] }],
      },
    ]);
    expect(segment?.examples).toContainEqual({ value: 'warm', count: 6 });
    expect(segment?.uses[0]).toMatchObject({
      map: [
        { from: 'cold', to: 'cold', count: 3 },
        { from: 'warm', to: 'warm', count: 6 },
      ],
      good: { code: 'good_values', params: { good: 9, filled: 12 } },
      problems: [{ code: 'not_in_map', values: [{ value: 'Тёплый', count: 3 }] }],
    });
  });

  it('proposes what is missing; with it and what is suggested, the mapping can be used', () => {
    const view = shown('', LEADS);
    expect(view.missing.map(({ target, columns }) => [target, columns])).toEqual([
      ['fields.externalId', ['Lead ID']],
      ['fields.fullName', ['First name', 'Last name']],
      ['phones', ['Mobile']],
      ['timeZone', []],
      ['clientRoleId', []],
    ]);
    const edits = view.missing.flatMap((one) => one.edits);
    const yaml = edits.reduce(made, '');
    expect(shown(yaml, LEADS)).toMatchObject({ missing: [], mistakes: [] });
  });

  it('lists what a column may become', () => {
    const { targets } = shown('client: { fields: { segment: Segment } }', LEADS);
    expect(targets.find(({ name }) => name === 'segment')).toMatchObject({
      ...{ type: 'ComboBox', values: ['cold', 'warm', 'hot'], columns: ['Segment'] },
      isRequired: false,
    });
    expect(targets.find(({ target }) => target === 'phones')).toMatchObject({ isRequired: true });
    expect(targets.some(({ target }) => target === 'clientId')).toBe(false);
  });

  it('says what all rows have where no column fills it', () => {
    const constants = (yaml: string): Record<string, unknown> =>
      Object.fromEntries(
        shown(yaml, LEADS)
          .targets.filter(({ isFilled, constant }) => isFilled || constant !== null)
          .map(({ target, constant }) => [target, constant]),
      );
    const yaml = `client:
  clientRoleId: { value: 3 }
  timeZone: { phone: true, default: Europe/Moscow }
  fields: { segment: { value: warm }, fullName: First name }
`;
    expect(constants(yaml)).toEqual({
      ...{ clientRoleId: '3', timeZone: null, type: 'SIMPLE' },
      ...{ 'fields.segment': 'warm', 'fields.fullName': null },
    });
    const { targets } = shown(yaml, LEADS);
    const valuesOf = (wanted: string) => targets.find(({ target }) => target === wanted)?.values;
    expect([valuesOf('type'), valuesOf('clientRoleId')]).toEqual([['SIMPLE', 'VIP'], ['3']]);
  });

  it('shows the first rows that become clients, as they would be sent', () => {
    const yaml = `where: { column: Lead ID, notEquals: L-10 }
client:
  clientRoleId: { value: 3 }
  timeZone: { value: Europe/Moscow }
  fields: { externalId: Lead ID, fullName: { columns: [First name, Last name] }, segment: { value: warm } }
  phones: [{ column: Mobile, type: MOB, active: false, transform: { phone: { country: RU } } }]
`;
    const { cards } = shown(yaml, LEADS);
    expect(cards.map(({ row }) => row)).toEqual([3, 5, 6]);
    expect(cards[0]).toEqual({
      row: 3,
      parts: [
        { target: 'fields.externalId', text: 'L-11', marks: [] },
        { target: 'phones', text: '+79990001001', marks: ['MOB', 'active: false'] },
        { target: 'clientRoleId', text: '3', marks: [] },
        { target: 'type', text: 'SIMPLE', marks: [] },
        { target: 'timeZone', text: 'Europe/Moscow', marks: [] },
        { target: 'fields.fullName', text: 'Milo Oakley', marks: [] },
        { target: 'fields.segment', text: 'warm', marks: [] },
      ],
      problems: [],
    });
    const none = shown(yaml.replace('column: Mobile', 'column: Segment'), LEADS).cards;
    expect(none).toMatchObject([
      { row: 2, parts: [], problems: [{ code: 'filtered' }] },
      { row: 3, problems: [{ column: 'Segment', code: 'not_a_phone' }] },
      { row: 4 },
    ]);
    expect(shown(yaml.replace('Europe/Moscow', 'x'.repeat(30)), LEADS).cards).toEqual([]);
  });

  it('says nothing of a time zone that a plan of numbers would say', () => {
    const yaml = `mode: create
client:
  clientRoleId: { value: 3 }
  timeZone: { phone: true, default: Europe/Moscow }
  fields: { externalId: Lead ID, fullName: First name }
  phones: [{ column: Mobile, type: MOB, transform: { phone: { country: RU } } }]
`;
    const plan = { file: 'plan.csv', regions: 'regions.csv', callingCode: '7', digits: 10 };
    const columns = { code: 'code', from: 'from', to: 'to', region: 'region' };
    const zones = (own: typeof installation): unknown =>
      shown(yaml, LEADS, own).cards[0]?.parts.filter(({ target }) => target === 'timeZone');
    expect(zones(installation)).toMatchObject([{ text: 'Europe/Moscow' }]);
    expect(zones({ ...installation, numberPlan: { ...plan, columns } } as never)).toEqual([]);
  });

  it('shows mistakes with their lines, of a text that is no YAML in place of the columns', () => {
    expect(columnsView({ yaml: 'a: [', read: LEADS, installation })).toMatchObject({
      ...{ kind: 'broken', mistakes: [{ line: 1 }] },
    });
    const { mistakes, columns } = shown('client:\n  fields:\n    segmnt: Segment\n', LEADS);
    expect(mistakes.length).toBeGreaterThan(0);
    expect(mistakes.every(({ line }) => line !== undefined)).toBe(true);
    expect(columns[4]?.uses).toMatchObject([{ target: 'fields.segmnt' }]);
  });

  it('counts words for empty cells as nothing', () => {
    const yaml =
      'blank: [нет]\nclient: { phones: [{ column: Mobile, type: MOB, transform: { phone: { country: RU } } }] }';
    expect(shown(yaml, LEADS).columns[3]?.uses[0]?.good?.params).toEqual({ good: 8, filled: 8 });
  });
});

function made(text: string, edit: MappingEdit): string {
  const result = editMapping(text, edit);
  if (!('yaml' in result)) throw new Error(JSON.stringify(result));
  return result.yaml;
}

describe('the samples', () => {
  it('have a view of their mapping and of what is suggested for them', async () => {
    const samples = await loadInstallation(join(ROOT, 'mappings/installation.yaml'));
    for (const name of await readdir(join(ROOT, 'samples'))) {
      if (!/\.(?:csv|xlsx)$/.test(name)) continue;
      const own = join(
        ROOT,
        'mappings',
        `${name.replace(/(?:-\d)?\.csv$/, '').replace('.', '-')}.yaml`,
      );
      const mapping = await readFile(own, 'utf8');
      const { source: options } = parse(mapping) as { source?: { sheet?: string } };
      const { sheet } = options ?? {};
      const { table, source } = await readForSuggestion(join(ROOT, 'samples', name), { sheet });
      const read = readTable({ table, installation: samples });
      const drafted = suggestTable({ table, source, installation: samples }, read).mapping;
      const texts = [drafted, mapping];
      for (const yaml of texts) {
        const view = columnsView({ yaml, read, installation: samples });
        if (view.kind === 'broken') throw new Error(name);
        expect(view.columns).toHaveLength(table.headers.length);
        for (const { uses } of view.columns)
          for (const { good } of uses)
            if (good) expect(good.params.good).toBeLessThanOrEqual(good.params.filled);
        if (yaml !== drafted) expect([name, view.mistakes, view.missing]).toEqual([name, [], []]);
      }
    }
  });
});
