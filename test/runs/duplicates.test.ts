import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type * as History from '../../src/history/history.js';
import type * as Library from '../../src/index.js';
import type { Progress, RunningSandbox } from '../../src/index.js';
import { LIBRARY, built } from '../kit/built.js';
import { root } from '../kit/cardline.js';
import { withPostgres } from '../kit/with-postgres.js';
import { folderOfTest } from '../kit/folder.js';

const { checkFiles, importFiles, reportRun, resumeRun, runRows, startSandbox, undoRun } =
  await built<typeof Library>(LIBRARY);
const { erasePerson } = await built<typeof History>('history/history.js');

/** Lists of two vendors in a sandbox, the samples among them. */
let folder: string;
let sandbox: RunningSandbox;
let ledger: string;
const at = (name: string): string => join(folder, name);

beforeEach(async () => {
  folder = folderOfTest();
  ledger = at('ledger.db');
  const described = await readFile(join(root, 'mappings/installation.yaml'), 'utf8');
  const headers = `headers: { Authorization: 'Bearer \${TOKEN_OF_NOBODY}' }\n`;
  await writeFile(at('center.yaml'), described + headers);
  const campaigns = ['Autumn leads', 'Winter leads'];
  sandbox = await startSandbox({ installation: at('center.yaml'), campaigns });
  // The same address for imports and checks: a check does not know of another one.
  const here = described.replace(/baseUrl:.*/, `baseUrl: ${sandbox.url}`);
  await writeFile(at('center.yaml'), here + headers);
  for (const name of ['vendor-a', 'vendor-b']) {
    await cp(join(root, `samples/${name}.csv`), at(`${name}.csv`));
    await cp(join(root, `mappings/${name}.yaml`), at(`${name}.yaml`));
  }
});
afterEach(async () => {
  await sandbox.close();
});

let runs = 0;
const shared = () => ({ installation: at('center.yaml'), ledger, env: sandbox.env });
const send = (list: string, more: object = {}, mapping = list) =>
  importFiles({
    files: [at(`${list}.csv`)],
    mapping: at(`${mapping}.yaml`),
    out: at(`out-${++runs}`),
    ...shared(),
    ...more,
  });

/** Row number to how it ended: its outcome, or the codes of its problems. */
async function endsOf({ run }: { readonly run: string }): Promise<Record<number, string>> {
  const ends: Record<number, string> = {};
  for await (const { row, outcome, problems } of runRows({ run, ledger }))
    ends[row] = problems.length === 0 ? outcome : problems.map(({ code }) => code).join(' ');
  return ends;
}
async function wordsOf({ run }: { readonly run: string }, wanted: number): Promise<string> {
  for await (const { row, problems } of runRows({ run, ledger }))
    if (row === wanted) return problems.map(({ message }) => message).join(' ');
  return '';
}

const check = (list: string, mapping = list) =>
  checkFiles({
    files: [at(`${list}.csv`)],
    mapping: at(`${mapping}.yaml`),
    out: at(`check-${++runs}`),
    ...{ installation: at('center.yaml'), ledger },
  });
/** Takes a run back. */
const undo = (run: string) => undoRun({ run, out: at(`out-${++runs}`), ...shared() });

/** Writes another mapping: `mapping` with parts of its text replaced. */
async function change(mapping: string, name: string, ...parts: [RegExp | string, string][]) {
  let text = await readFile(at(`${mapping}.yaml`), 'utf8');
  for (const [from, to] of parts) text = text.replace(from, to);
  await writeFile(at(`${name}.yaml`), text);
}

/** Says of all runs so far that they began so many days earlier. */
function age(days: number): void {
  const database = new Database(at('ledger.db'));
  database.prepare('UPDATE run SET created_at = created_at - ?').run(days * 24 * 60 * 60 * 1000);
  database.close();
}

const SENT = { 5: 'enqueued', 6: 'enqueued' };
const IN_RUN = { 2: 'duplicate_phone_of_run', 4: 'duplicate_of_run' };
const LAST = { 3: 'duplicate_phone' };

it('an earlier list is named with run and row until it is taken back, in a check alike', async () => {
  const first = await send('vendor-a');
  expect(first.outcomes).toMatchObject({ enqueued: 4 });
  const checked = await check('vendor-b');
  const second = await send('vendor-b');
  expect(await endsOf(second)).toEqual({ ...SENT, ...IN_RUN, ...LAST });
  const today = new Date().toISOString().slice(0, 10);
  expect(await wordsOf(second, 2)).toBe(
    `The row has a phone of row 2 in run ${first.run}, enqueued on ${today}, and is not sent again within 30 days.`,
  );
  expect(await wordsOf(second, 3)).toContain('a phone of row 6, which goes in its place');
  expect(await wordsOf(second, 4)).toContain(`identifiers of row 4 in run ${first.run}`);

  expect(checked.summary).toMatchObject({ clients: 2, skipped: 3 });
  expect(second.outcomes).toMatchObject({ enqueued: 2, skipped: 3 });
  const counted = { duplicate_phone_of_run: 1, duplicate_phone: 1, duplicate_of_run: 1 };
  for (const { duplicates = [] } of [second.summary, checked.summary])
    expect(Object.fromEntries(duplicates.map(({ code, count }) => [code, count]))).toEqual(counted);
  const page = at('page.html');
  await reportRun({ run: second.run, ledger, file: page });
  expect(await readFile(page, 'utf8')).toContain(
    '3 rows are duplicates: 1 by identifiers, 2 by phone; 2 of them of earlier runs',
  );

  await undo(second.run);
  await undo(first.run);
  const third = await send('vendor-b', { again: true, recovery: true });
  expect(await endsOf(third)).toEqual({ 2: 'enqueued', ...LAST, 4: 'enqueued', ...SENT });
});

it('the ledger has no phones', async () => {
  await send('vendor-a');
  const ledger = await readFile(at('ledger.db'), 'latin1');
  expect(ledger).toContain('flats.example.net');
  expect(ledger).not.toMatch(/99900020|999 000|000-20/);
});

it('days and campaigns count as the mapping says', async () => {
  await send('vendor-a');
  const inWinter = ['name: Autumn leads', 'name: Winter leads'] as [string, string];
  await change('vendor-b', 'same', inWinter, ['campaign: any', 'campaign: same']);
  await change('vendor-b', 'any', inWinter);
  await change('vendor-b', 'in-autumn', ['campaign: any', 'campaign: same']);
  for (const [mapping, skipped] of [
    ['same', 1],
    ['any', 3],
    ['in-autumn', 3],
  ] as const)
    expect((await check('vendor-b', mapping)).summary, mapping).toMatchObject({ skipped });
  age(29);
  expect((await check('vendor-b')).summary).toMatchObject({ skipped: 3 });
  age(2);
  expect((await check('vendor-b')).summary).toMatchObject({ skipped: 1 });
  const sent = await send('vendor-b', {}, 'same');
  expect(sent.outcomes).toMatchObject({ enqueued: 3, enqueue_failed: 0, skipped: 1 });
});

it('with --again, lists that are sent anew are not compared with what they sent', async () => {
  await send('vendor-a');
  const second = await send('vendor-b');
  await undo(second.run);
  await send('vendor-b', { again: true });
  // Not with its own runs, and still with those over other files.
  const again = await send('vendor-b', { again: true });
  expect(await endsOf(again)).toMatchObject({ ...IN_RUN, ...LAST });
  expect(again.outcomes).toMatchObject({ skipped: 3, failed: 2 });
});

it('in mode upsert a client is no duplicate of itself by phone, and others are', async () => {
  const byPhone: [RegExp, string] = [/duplicates: .*/, 'duplicates: { by: phone, within: runs }'];
  await change('vendor-a', 'nightly', ['client:', 'mode: upsert\nclient:'], byPhone);
  const first = await send('vendor-a', {}, 'nightly');
  expect(first.outcomes).toMatchObject({ enqueued: 4 });
  const list = await readFile(at('vendor-a.csv'), 'utf8');
  await writeFile(at('tonight.csv'), `${list}30009,auto.example.org,Gala Hazel,89990002011,\n`);
  const second = await send('tonight', {}, 'nightly');
  expect(await endsOf(second)).toMatchObject({ 6: 'duplicate_phone_of_run' });
  expect(second.outcomes.skipped).toBe(1);
  expect(await wordsOf(second, 6)).toContain(`a phone of row 2 in run ${first.run}`);
});

it('a phone that is left out with its contact makes no row a duplicate', async () => {
  const used = '{ column: Phone, type: MOB, invalid: drop, active: { column: Use } }';
  const phones = `phones: [${used}, { column: Other, type: MOB }]`;
  await change(
    'vendor-b',
    'used',
    [/ {2}phones:\n(?: {4}.*\n)+/, `  ${phones}\n`],
    [/by: .* }/, 'by: phone }'],
  );
  const rows = [
    '40001,A. Alder,89990002021,maybe,89990002029',
    '40002,Egon Eiche,89990002021,true,',
  ];
  await writeFile(at('used.csv'), ['Lead,Name,Phone,Use,Other', ...rows, ''].join('\n'));
  expect((await check('used')).summary).toMatchObject({ clients: 2, skipped: 0 });
});

it('with delta, too, and what changes of a client is sent', async () => {
  await change('vendor-a', 'tonight', ['client:', 'delta: { list: a }\nmode: upsert\nclient:']);
  await cp(at('vendor-a.csv'), at('first.csv'));
  expect((await send('first', {}, 'tonight')).outcomes).toMatchObject({ enqueued: 4 });
  const list = (await readFile(at('vendor-a.csv'), 'utf8')).replace('Ben Birch', 'Ben Beech');
  await writeFile(at('tonight.csv'), `${list}30009,auto.example.org,Gala Hazel,89990002011,\n`);
  expect((await check('tonight')).summary).toMatchObject({ clients: 4, skipped: 1 });
  const second = await send('tonight');
  expect(second.outcomes).toMatchObject({ unchanged: 3, skipped: 1, updated: 1 });
  expect(await endsOf(second)).toMatchObject({ 3: 'updated', 6: 'duplicate_phone_of_run' });
});

it('mode enqueue compares the phones that the mapping names with what was enqueued', async () => {
  await change('vendor-a', 'cards', [/campaign:.*/, '']);
  const cards = await send('vendor-a', {}, 'cards');
  expect(cards.outcomes).toMatchObject({ created: 4 });
  const enqueue = `mode: enqueue
client: { fields: { offerId: Offer ID, offerDomain: { column: Site, transform: [trim, lower] } } }
phones: [{ column: Mobile, transform: [{ phone: { country: RU } }] }]
duplicates: { by: phone, within: runs, campaign: any }
campaign: { name: Autumn leads }
`;
  await writeFile(at('enqueue.yaml'), enqueue);
  // What was only created is not enqueued again.
  const first = await send('vendor-a', {}, 'enqueue');
  expect(first.outcomes).toMatchObject({ enqueued: 4 });
  const [header, ...rows] = (await readFile(at('vendor-a.csv'), 'utf8')).split('\n');
  await writeFile(at('others.csv'), [header, rows[1], rows[0]].join('\n'));
  const second = await send('others', {}, 'enqueue');
  expect(await endsOf(second)).toEqual({
    ...{ 2: 'duplicate_phone_of_run', 3: 'duplicate_phone_of_run' },
  });
  expect(await wordsOf(second, 2)).toContain(`row 3 in run ${first.run}, enqueued`);
});

it('what a run compared with holds when it goes on, whatever was taken back since', async () => {
  const first = await send('vendor-a');
  const stop = new AbortController();
  const stopped = await send('vendor-b', {
    signal: stop.signal,
    // The first client goes alone, and has to end before the others follow.
    canary: 1,
    onProgress: ({ outcomes }: Progress) => {
      if (outcomes.enqueued > 0) stop.abort();
    },
  });
  expect(stopped).toMatchObject({ state: 'stopped', outcomes: { enqueued: 1, skipped: 3 } });
  await undo(first.run);
  const resumed = await resumeRun({ run: stopped.run, ...shared() });
  expect(resumed).toMatchObject({ run: stopped.run, state: 'finished' });
  expect(await endsOf(resumed)).toEqual({ ...SENT, ...IN_RUN, ...LAST });
});

it('a run that goes on leaves out those whom another one has sent since', async () => {
  const stop = new AbortController();
  const stopped = await send('vendor-a', {
    signal: stop.signal,
    canary: 1,
    onProgress: ({ outcomes }: Progress) => {
      if (outcomes.enqueued > 0) stop.abort();
    },
  });
  expect(stopped).toMatchObject({ state: 'stopped', outcomes: { enqueued: 1 } });
  // The same people under other identifiers.
  const text = await readFile(at('vendor-a.csv'), 'utf8');
  await writeFile(at('others.csv'), text.replaceAll(/^(\d+)/gm, '9$1'));
  const others = await send('others', {}, 'vendor-a');
  const { enqueued } = others.outcomes;
  expect(others.outcomes).toMatchObject({ skipped: 1 });
  const resumed = await resumeRun({ run: stopped.run, ...shared() });
  expect(resumed.outcomes).toMatchObject({ enqueued: 1, skipped: enqueued });
  expect(Object.values(await endsOf(resumed)).toSorted()).toEqual([
    ...Array.from({ length: enqueued }, () => 'duplicate_phone_of_run'),
    'enqueued',
  ]);
});

it('a part of a list is not sent where the last of several rows is', async () => {
  await expect(send('vendor-b', { limit: 2 })).rejects.toThrow('"keep: last"');
  const part = await checkFiles({
    files: [at('vendor-b.csv')],
    mapping: at('vendor-b.yaml'),
    out: at('part'),
    limit: 2,
  });
  expect(part.summary).toMatchObject({ rows: 2, clients: 2 });
});

/** Codes of duplicates that a check of the second list finds. */
async function foundInSecond(): Promise<Record<string, number>> {
  const { duplicates } = (await check('vendor-b')).summary;
  return Object.fromEntries(duplicates.map(({ code, count }) => [code, count]));
}

async function isForgotten(): Promise<void> {
  const lists = [await send('vendor-a'), await send('vendor-b')];
  // The rows that were sent, and those that were left out for them.
  expect(await foundInSecond()).toEqual({ duplicate_of_run: 3, duplicate_phone_of_run: 2 });
  const erased = await erasePerson({ phone: '+7 (999) 000-20-11' }, ledger);
  const places = new Map(erased.runs.map(({ run, rows }) => [run, rows.map(({ row }) => row)]));
  for (const { run } of lists) expect(places.get(run)).toEqual([2]);
  for (const list of lists) expect((await endsOf(list))[2]).toContain('erased');
  expect((await erasePerson({ phone: '+79990002011' }, ledger)).runs).toEqual([]);
  expect(await foundInSecond()).toEqual({ duplicate_of_run: 3, duplicate_phone_of_run: 1 });
  for (const { run } of lists.reverse()) await undo(run);
  expect(await foundInSecond()).toEqual({ duplicate_phone: 1 });
}

const ERASED =
  'a person that is erased is found by a second phone, however spelled, and is no duplicate any more';
it(ERASED, isForgotten);

withPostgres('in PostgreSQL', (server) => {
  it(ERASED, async () => {
    ledger = await server.database();
    await isForgotten();
  });
});
