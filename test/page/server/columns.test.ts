import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Lists } from '../../../src/web/server/lists/lists.js';
import type { Columns, PageProblem, List, Preview } from '../../../src/web/page/state/answers.js';
import { root } from '../../kit/cardline.js';
import { openPageBench, type PageBench } from '../harness.js';
import { tablesIn } from '../../kit/tables.js';

const { csv: CSV, asked: ASKED } = tablesIn(import.meta.dirname, 'columns.yaml') as {
  readonly csv: string;
  readonly asked: string;
};

/** The server that is asked. */
let bench: PageBench;
const benches: PageBench[] = [];
/** A server of its own, which is asked for the rest of a test. */
async function open(settings: Parameters<typeof openPageBench>[0] = {}): Promise<void> {
  bench = await openPageBench({ demo: true, ...settings });
  benches.push(bench);
}
beforeAll(() => open());
beforeEach(() => {
  [bench = bench] = benches;
});
afterAll(() => Promise.all(benches.map((each) => each.close())));

const sample = async (name: string): Promise<Columns> =>
  look((await bench.api<List>('POST /api/lists', { sample: name })).id);
const uploaded = async (content: string): Promise<Columns> => look(await bench.list(content));
const look = (list: string) => bench.api<Columns>(`GET /api/lists/${list}/columns`);
const ask = <T = Columns>({ list, revision }: Columns, name: string, body: object): Promise<T> => {
  const [method = '', part = ''] = name.split(' ');
  return bench.api<T>(`${method} /api/lists/${list.id}/${part}`, { revision, ...body });
};
const edit = (seen: Columns, ...edits: object[]) => ask(seen, 'POST columns/edits', { edits });
const type = (seen: Columns, yaml: string) => ask(seen, 'PUT mapping', { yaml });
const refusal = async (answer: Promise<unknown>): Promise<string> =>
  ((await answer) as PageProblem).code;

const targets = ({ columns }: Columns): Record<string, string[]> =>
  Object.fromEntries(columns.map((one) => [one.header, one.uses.map(({ target }) => target)]));
const mappingFileOf = ({ list }: Columns): string =>
  join(bench.folder, 'cardline.lists', list.id, 'mapping.yaml');

describe('the mapping that a list begins with', () => {
  it("is its sample's, with the tables that it looks up", async () => {
    const columns = await sample('leads-1251.csv');
    expect(columns).toMatchObject({ mistakes: [], missing: [], list: { isUnsaved: false } });
    expect(targets(columns)['Город']).toEqual(['fields.city', 'timeZone']);
    expect(columns.yaml).toContain(join(root, 'mappings/time-zones.csv'));
    expect(await readFile(mappingFileOf(columns), 'utf8')).toBe(columns.yaml);
  });

  it("is the command line's, which the command in sight names", async () => {
    const mapping = join(root, 'mappings/leads.yaml');
    await open({ mapping });
    const columns = await uploaded(CSV);
    expect(columns.yaml).toBe(readFileSync(mapping, 'utf8'));
    expect(columns.list.isUnsaved).toBe(false);
    expect(columns.list.command).toContain(' -m mappings/leads.yaml ');
    expect(columns.mistakes[0]?.message).toContain('Status');
  });

  it('is else what is suggested, with what is missing and what could fill it', async () => {
    const columns = await uploaded(CSV);
    expect(targets(columns)).toMatchObject({ Phone: ['phones'], 'Full name': ['fields.fullName'] });
    expect(columns.missing.map(({ target }) => target)).toEqual(['fields.offerId']);
    expect(columns.list.command).toContain(mappingFileOf(columns));
  });

  it('is asked for with an installation alone', async () => {
    await open({ center: undefined });
    expect(await refusal(uploaded(CSV))).toBe('no_installation');
  });
});

describe('clicks', () => {
  it('change the text and nothing else of it', async () => {
    const before = await sample('leads.csv');
    const after = await edit(before, { kind: 'become', column: 'Comment', target: null });
    expect(after.yaml).toBe(before.yaml?.replace(/ +comment: .*\n/, ''));
    expect(targets(after)['Comment']).toEqual([]);
    expect(after.list.isUnsaved).toBe(true);
  });

  it('bring what the cells of the column need', async () => {
    const before = await uploaded(CSV);
    const without = await edit(before, { kind: 'become', column: 'Phone', target: null });
    expect(without.missing.map(({ target }) => target)).toContain('phones');
    const again = await edit(without, { kind: 'become', column: 'Phone', target: 'phones' });
    const [use] = again.columns[3]?.uses ?? [];
    expect(use?.steps).toEqual([{ name: 'phone', options: { country: 'RU' } }]);
    expect(use?.problems).toMatchObject([{ code: 'not_a_phone', values: [{ value: 'call Bo' }] }]);
  });

  it('show what is sent of the first cells, before they are made too', async () => {
    const rows = ['1;01.02.1980;2.101,50 €', '2;31.02.1980;auf Anfrage', '3;1980-02-03;7'];
    const before = await uploaded(['Kunden-Nr.;Geburtsdatum;Budget', ...rows].join('\n'));
    const sentOf = ({ columns }: Columns, at: number) =>
      columns[at]?.uses[0]?.examples.map(({ to, message }) => [to, message === null]);
    const at = ['client', 'fields', 'comment'];
    const date = { kind: 'step', column: 'Geburtsdatum', at };
    const set = await edit(
      before,
      { kind: 'become', column: 'Geburtsdatum', target: 'fields.comment', keys: {} },
      { ...date, step: { date: { from: 'dd.MM.yyyy', to: 'MM/dd/yyyy' } } },
      { kind: 'become', column: 'Budget', target: 'fields.budget', keys: { transform: 'number' } },
    );
    expect(sentOf(set, 1)).toEqual([
      ['02/01/1980', true],
      [null, false],
      ['02/03/1980', true],
    ]);
    expect(sentOf(set, 2)).toEqual([
      ['2101.5', true],
      [null, false],
      ['7', true],
    ]);
    const step = { date: { from: 'dd.MM' } };
    const edits = [{ ...date, step }];
    const tried = await ask(set, 'POST columns/edits', { edits, trial: true });
    expect(tried.columns[1]?.uses[0]?.mistake).toContain('and "dd.MM" has none');
    expect(await look(set.list.id)).toMatchObject({ revision: set.revision, yaml: set.yaml });
  });

  it('take what is proposed for what is missing', async () => {
    const before = await sample('leads.csv');
    const names = ['First name', 'Last name'];
    const without = await edit(
      before,
      ...names.map((column) => ({ kind: 'become', column, target: null })),
    );
    expect(without.missing).toMatchObject([{ columns: ['First name', 'Last name'] }]);
    const taken = await edit(without, { kind: 'propose', target: 'fields.fullName' });
    expect(taken.missing).toEqual([]);
    expect(taken.yaml).toContain('fullName: { columns: [First name, Last name]');
  });

  it('are refused on a mapping that somebody else has changed', async () => {
    const seen = await sample('leads.csv');
    const other = await edit(seen, { kind: 'become', column: 'Comment', target: null });
    const click = { kind: 'become', column: 'Budget', target: null };
    expect(await refusal(edit(seen, click))).toBe('stale_mapping');
    expect(await refusal(type(seen, 'client: {}'))).toBe('stale_mapping');
    expect(await look(seen.list.id)).toMatchObject({ yaml: other.yaml, revision: other.revision });
  });

  it('say why one cannot be made, and where it can', async () => {
    const seen = await type(
      await sample('leads.csv'),
      'client:\n  fields:\n    fullName: { template: "{First name} {Last name}" }\n',
    );
    const problem = await edit(seen, { kind: 'become', column: 'Last name', target: null });
    expect(problem).toMatchObject({ code: 'edit_in_template', values: { line: 3 } });
    const step = { date: { from: 5 } };
    const at = ['client', 'fields', 'fullName'];
    expect(await refusal(edit(seen, { kind: 'step', column: 'Last name', at, step }))).toBe(
      'edit_unusable',
    );
  });
});

describe('a typed text', () => {
  it('is kept with its mistakes, which have their places, while the columns stay', async () => {
    const before = await sample('leads.csv');
    const broken = await type(before, `${before.yaml ?? ''}\nclient2: [\n`);
    expect(broken).toMatchObject({ isBroken: true, mistakes: [{ line: 37 }] });
    expect(broken.columns).toEqual(before.columns);
    expect(await look(before.list.id)).toEqual(broken);
    expect(await refusal(edit(broken, { kind: 'become', column: 'Comment', target: null }))).toBe(
      'mapping_broken',
    );
    const back = await ask(broken, 'POST mapping/use', { from: { kind: 'readable' } });
    expect(back).toMatchObject({ yaml: before.yaml, isBroken: false });
  });

  it('that nobody can have meant keeps the server from nothing', async () => {
    const columns = await sample('leads.csv');
    const deep = await type(columns, '['.repeat(200_000));
    expect(deep).toMatchObject({
      isBroken: true,
      mistakes: [{ line: 1, column: 101, message: 'this is nested too deeply.' }],
    });
    const long = `# ${'x'.repeat(300_000)}\n`;
    expect(await refusal(type(deep, long))).toBe('mapping_too_long');
  });

  it('changes the columns, and how the file is read', async () => {
    const before = await sample('leads.csv');
    const after = await type(before, `source: { headerRow: none }\n${before.yaml ?? ''}`);
    expect(after.columns.map(({ header }) => header).slice(0, 2)).toEqual(['A', 'B']);
    expect(after.list.source.headerRow).toBe('none');
  });
});

describe('what is chosen in the step File', () => {
  const LATE = `Made by hand,,,\n${CSV}`;
  const patch = ({ list }: Columns, source: object): Promise<Preview> =>
    bench.api<Preview>(`PATCH /api/lists/${list.id}/source`, source);

  it('is what a suggestion is made for', async () => {
    const found = await uploaded(LATE);
    await patch(found, { headerRow: 3 });
    const chosen = await look(found.list.id);
    expect(chosen.columns.map(({ header }) => header)).toContain('Ann Ax');
    expect(chosen.yaml).toContain('source: { headerRow: 3 }');
  });

  it('goes into a mapping that was worked on, and keeps the work', async () => {
    const found = await uploaded(LATE);
    await edit(found, { kind: 'become', column: 'Foo', target: 'fields.offerId' });
    await patch(found, { headerRow: 2 });
    const after = await look(found.list.id);
    expect(after.yaml).toMatch(/headerRow: 2/);
    expect(targets(after)['Foo']).toEqual(['fields.offerId']);
  });
});

describe('a saved mapping', () => {
  const save = (seen: Columns, name: string, overwrite = false) =>
    ask(seen, 'POST mapping/save', { name, overwrite });
  // What is saved is what the next list with its columns begins with.
  beforeEach(() => open());

  it('lies where the command line finds it, and is chosen again', async () => {
    const columns = await save(await sample('leads-1251.csv'), 'Лиды 1');
    const file = join(bench.folder, 'mappings', 'Лиды 1.yaml');
    expect(columns).toMatchObject({ list: { isUnsaved: false }, saved: ['Лиды 1'] });
    expect(columns.list.command).toContain(`-m '${file}'`);
    const other = await uploaded(CSV);
    const used = await ask(other, 'POST mapping/use', { from: { kind: 'saved', name: 'Лиды 1' } });
    expect(used).toMatchObject({ yaml: columns.yaml, list: { isUnsaved: false } });
    const suggested = await ask(used, 'POST mapping/use', {
      from: { kind: 'suggested' },
    });
    expect(targets(suggested)).toMatchObject({ Phone: ['phones'] });
  });

  it('of the sandbox lies beside the ledger, not in the program', async () => {
    const { folder } = bench;
    const center = { name: 'demo', address: 'a:1', kind: 'sandbox' } as const;
    await open({ center: { ...center, installation: join(folder, 'center.yaml') } });
    await save(await sample('leads-1251.csv'), 'Mine');
    expect(existsSync(join(bench.folder, 'mappings/Mine.yaml'))).toBe(true);
    expect(existsSync(join(folder, 'mappings'))).toBe(false);
  });

  it('is replaced only where that was asked', async () => {
    await save(await sample('leads.csv'), 'leads');
    const before = await readFile(join(bench.folder, 'mappings/leads.yaml'), 'utf8');
    const other = await uploaded(CSV);
    expect(await refusal(save(other, 'leads'))).toBe('name_taken');
    expect(await readFile(join(bench.folder, 'mappings/leads.yaml'), 'utf8')).toBe(before);
    expect(await save(other, 'leads', true)).toMatchObject({ list: { isUnsaved: false } });
    expect(await readFile(join(bench.folder, 'mappings/leads.yaml'), 'utf8')).toBe(other.yaml);
    expect(await refusal(save(other, '../outside'))).toBe('refused');
    expect(await readdir(join(bench.folder, 'mappings'))).toEqual(['leads.yaml']);
    expect(await readdir(bench.folder)).not.toContainEqual(expect.stringContaining('outside'));
  });
});

it('gives all rows the same value, and keeps the comments', async () => {
  const seen = await sample('leads.csv');
  const comment = '# Cells that say one thing, and cards that want another';
  const typed = await type(seen, `${comment}\n${seen.yaml ?? ''}`);
  const after = await edit(
    typed,
    { kind: 'become', column: 'TZ', target: null },
    { kind: 'constant', target: 'timeZone', value: 'Asia/Omsk' },
    { kind: 'become', column: 'Budget', target: null },
    { kind: 'constant', target: 'fields.budget', value: '5000' },
  );
  expect(after.mistakes).toEqual([]);
  expect(after.yaml).toContain(comment);
  expect(after.yaml).toMatch(/budget: \{ value: 5000 \}/);
  const zones = ({ cards }: Columns) =>
    cards.map(({ parts }) => parts.find(({ target }) => target === 'timeZone')?.text);
  expect(zones(after)).toEqual(Array.from({ length: 3 }, () => 'Asia/Omsk'));
  const without = await edit(after, { kind: 'constant', target: 'fields.budget', value: null });
  expect(without.yaml).not.toContain('budget');
});

describe('what only a person can decide', () => {
  const ids = ({ decisions }: Columns) => decisions.map(({ id, isAnswered }) => [id, isAnswered]);
  const consent = ({ decisions }: Columns) => decisions.find(({ kind }) => kind === 'filter');

  it('is asked with the rows that each answer takes, and stays answered', async () => {
    const asked = await uploaded(ASKED);
    expect(consent(asked)).toMatchObject({
      ...{ column: 'Einwilligung', about: 'calls', isAnswered: false },
      condition: { column: 'Einwilligung', is: 'in', values: ['ja'] },
    });
    expect(asked.conditions).toEqual([]);
    const condition = { column: 'Einwilligung', is: 'in', values: ['ja'] };
    const answered = await ask(asked, 'POST columns/edits', {
      edits: [{ kind: 'conditions', conditions: [condition] }],
      answers: ['where Einwilligung'],
    });
    expect(answered.conditions).toEqual([condition]);
    expect(answered.mistakes).toEqual([]);
    expect(ids(answered)).toContainEqual(['where Einwilligung', true]);
    expect(ids(await look(asked.list.id))).toEqual(ids(answered));
    expect(answered.yaml).toMatch(/^where: .*ja/m);
    const all = await edit(answered, { kind: 'conditions', conditions: [] });
    expect(all.conditions).toEqual([]);
    expect(all.yaml).not.toMatch(/^where:/m);
  });

  it('is answered by leaving things as they are, too', async () => {
    const asked = await uploaded(ASKED);
    const answers = ['where Einwilligung'];
    const same = await ask(asked, 'POST columns/edits', { edits: [], answers });
    expect(same.yaml).toBe(asked.yaml);
    expect(ids(same)).toContainEqual(['where Einwilligung', true]);
    // A draft that is begun anew asks again.
    const from = { kind: 'suggested' };
    const anew = await ask(same, 'POST mapping/use', { from });
    expect(ids(anew)).toContainEqual(['where Einwilligung', false]);
  });

  it('is which of two columns is taken, and changes the field', async () => {
    const rows = [1, 2, 3, 4].map(
      (n) => `${n},a.example,Ann Ax,City ${n % 3},Town ${n},0170 100000${n}`,
    );
    const asked = await uploaded(['ID,Domain,Name,City,Town,Mobil', ...rows].join('\n'));
    const twin = asked.decisions.find(
      ({ kind, id }) => kind === 'value' && /fields\.city/.test(id),
    );
    expect(twin).toMatchObject({ chosen: 0 });
    const { choices = [] } = twin?.kind === 'value' ? twin : {};
    const [taken, other] = choices;
    expect(new Set([taken?.column, other?.column])).toEqual(new Set(['City', 'Town']));
    const become = { kind: 'become', target: 'fields.city', ...other };
    const changed = await edit(asked, become);
    expect(changed.mistakes).toEqual([]);
    expect(targets(changed)[other?.column ?? '']).toEqual(['fields.city']);
    expect(targets(changed)[taken?.column ?? '']).toEqual([]);
    expect(changed.decisions).toContainEqual(expect.objectContaining({ id: twin?.id, chosen: 1 }));
  });

  it('is asked again where the column goes somewhere anew', async () => {
    const asked = await uploaded(ASKED);
    const dates = asked.decisions.find(({ kind }) => kind === 'value');
    if (dates?.kind !== 'value') throw new Error('The order of day and month is not asked.');
    const { column, target, choices } = dates;
    const become = { kind: 'become', column, target, keys: choices[1]?.keys };
    const body = { edits: [become], answers: [dates.id] };
    const answered = await ask(asked, 'POST columns/edits', body);
    expect(ids(answered)).toContainEqual([dates.id, true]);
    const out = await edit(answered, { kind: 'become', column, target: null });
    expect(ids(out)).toContainEqual([dates.id, false]);
  });

  it('takes no condition that says nothing', async () => {
    const asked = await uploaded(ASKED);
    for (const condition of [
      { column: 'Name', is: 'in', values: [] },
      { column: '', is: 'filled', values: [] },
    ]) {
      const edits = [{ kind: 'conditions', conditions: [condition] }];
      expect(await refusal(ask(asked, 'POST columns/edits', { edits }))).toBe('edit_unusable');
    }
  });

  it('is not asked of a mapping that somebody has made', async () => {
    expect((await sample('leads.csv')).decisions).toEqual([]);
  });

  it('shows conditions of all kinds, and leaves those alone that it cannot show', async () => {
    const asked = await uploaded(ASKED);
    const conditions = [
      { column: 'Einwilligung', is: 'notIn', values: ['nein', 'vielleicht'] },
      { column: 'Mobil', is: 'filled', values: [] },
    ];
    const both = await edit(asked, { kind: 'conditions', conditions });
    expect(both.conditions).toEqual(conditions);
    const where = 'where: { any: [{ column: Name, equals: Ann }, { column: Name, empty: true }] }';
    const text = (both.yaml ?? '').replace(/^where:[^]*/m, `${where}\n`);
    const own = await type(both, text);
    expect(own.conditions).toBeNull();
    // No answer can take the place of what was written by hand.
    expect(own.decisions.filter(({ kind }) => kind === 'filter')).toEqual([]);
  });
});

it('shows nothing of what cells say with --mask', async () => {
  await open({ mask: true });
  const { cards } = await sample('leads.csv');
  const texts = cards.flatMap(({ parts }) => parts.map(({ target, text }) => [target, text]));
  const plain = texts.filter(([, text]) => /[\p{L}\p{N}]/u.test(text ?? ''));
  expect(new Set(plain.map(([target]) => target))).toEqual(
    new Set(['clientRoleId', 'type', 'timeZone']),
  );
  expect(texts.length).toBeGreaterThan(plain.length);
  const columns = await uploaded(CSV);
  // Ids are random digits and letters, which may be any word.
  const text = JSON.stringify({ ...columns, list: null, revision: '' });
  for (const word of ['Ann', '999', 'a.example', 'call Bo']) expect(text).not.toContain(word);
  expect(columns.yaml).toBeNull();
  expect(await refusal(type(columns, 'client: {}'))).toBe('text_hidden');
  const { conditions, decisions } = await uploaded(ASKED);
  expect(conditions).toBeNull();
  expect(JSON.stringify(decisions)).not.toMatch(/ja|nein/);
});

/** The header lies below a title. */
const TITLED = `Made by hand,,,
Lead,Web page,Client,Mobile phone
1,a.example,Ann Ax,+7 999 000-10-00
2,b.example,Bo By,+7 999 000-10-01
`;
const NEXT = TITLED.replace('Ann Ax', 'Cy Cox').replace('1,a', '7,c');

describe('a file with the columns of an earlier one', () => {
  let saved: Columns;
  const lists = (): string => join(bench.folder, 'cardline.lists');
  const next = async (): Promise<Columns> => look(await bench.list(NEXT));
  const previewOf = (list: string) => bench.api<Preview>(`GET /api/lists/${list}/preview`);

  /** A list that a person has set up: how it is read, what columns become, and what all rows have. */
  beforeEach(async () => {
    await open();
    const list = await bench.list(TITLED);
    const source = { headerRow: 2, encoding: 'utf-8', delimiter: ',' };
    await bench.api(`PATCH /api/lists/${list}/source`, source);
    const edited = await edit(
      await look(list),
      { kind: 'become', column: 'Lead', target: 'fields.offerId' },
      { kind: 'become', column: 'Web page', target: 'fields.offerDomain' },
      { kind: 'constant', target: 'timeZone', value: 'Asia/Omsk' },
      { kind: 'constant', target: 'fields.city', value: 'Omsk' },
    );
    saved = await ask(edited, 'POST mapping/save', { name: 'leads', overwrite: false });
  });

  it('is read and mapped like that one, in a private folder as long as it takes', async () => {
    const last = join(lists(), 'last');
    expect((await stat(last)).mode & 0o777).toBe(0o700);
    await new Lists(lists()).sweep(Date.now() + 30 * 24 * 60 * 60 * 1000);
    expect(await readdir(lists())).toEqual(['last']);
    const columns = await next();
    expect(columns).toMatchObject({
      ...{ yaml: saved.yaml, missing: [], mistakes: [] },
      list: { mapping: 'leads', isUnsaved: false, likeLast: true },
    });
    expect(await previewOf(columns.list.id)).toMatchObject({
      ...{ headerRow: 2, header: ['Lead', 'Web page', 'Client', 'Mobile phone'] },
      list: { source: { headerRow: 2, encoding: 'utf-8', delimiter: ',' }, likeLast: true },
    });
    const other = await bench.list(NEXT.replace('Client', 'Person'));
    expect(await previewOf(other)).toMatchObject({ list: { likeLast: false } });
    const suggested = { from: { kind: 'suggested' } };
    expect(await ask(columns, 'POST mapping/use', suggested)).toMatchObject({
      list: { mapping: null, likeLast: false },
    });
  });

  it('begins with what was saved under the name since', async () => {
    const file = join(bench.folder, 'mappings/leads.yaml');
    const newer = `# newer\n${saved.yaml ?? ''}`;
    await writeFile(file, newer);
    const { mtimeMs } = await stat(file);
    await utimes(file, new Date(mtimeMs + 5000), new Date(mtimeMs + 5000));
    expect(await next()).toMatchObject({
      ...{ yaml: newer, list: { mapping: 'leads', isUnsaved: false } },
    });
    await rm(file);
    expect(await next()).toMatchObject({
      ...{ yaml: saved.yaml, list: { mapping: null, isUnsaved: true, likeLast: true } },
    });
  });

  it('keeps what was chosen for itself', async () => {
    const list = await bench.list(NEXT);
    await bench.api(`PATCH /api/lists/${list}/source`, { headerRow: 3 });
    expect(await previewOf(list)).toMatchObject({ headerRow: 3, list: { likeLast: false } });
    expect((await look(list)).columns[0]?.header).toBe('7');
  });
});
