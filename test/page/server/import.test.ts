import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  Columns,
  ImportPlan,
  Live,
  Result,
  Answer,
} from '../../../src/web/page/state/answers.js';
import type { SiteSettings } from '../../../src/web/server/settings.js';
import { csv, leads, MAPPING, TOKEN, twice, useBench } from '../../kit/bench.js';
import { loadInstallation } from '../../../src/installation/installation.js';
import { startSandbox } from '../../../src/sandbox/sandbox.js';
import { openPageBench, startBuiltPage, type PageBench } from '../harness.js';

// Threads are files of their own, which only the built server has.
const start = await startBuiltPage();

const bench = useBench({ limits: '{ clientsPerRequest: 10, concurrency: 1 }', once: true });
let page: PageBench;
let number = 0;
beforeEach(async () => {
  bench.center.forget();
  bench.center.behave = () => undefined;
  number++;
  page = await another();
});
afterEach(() => page.close());

/** A server of the ledger of this test. */
const another = (settings: Partial<SiteSettings> = {}, file?: string): Promise<PageBench> =>
  openPageBench({
    ...{ file, start, ledger: bench.at(`ledger-${number}.db`), mapping: bench.at('mapping.yaml') },
    center: {
      ...{ name: 'test', address: new URL(bench.center.url).host, kind: 'local' },
      installation: bench.at('center.yaml'),
    },
    env: bench.environment,
    ...settings,
  });
/** Another server in place of the one before. */
async function reopen(settings: Partial<SiteSettings> = {}, file?: string): Promise<void> {
  await page.close();
  page = await another(settings, file);
}

const list = (rows: number): Promise<string> => page.list(csv(leads(rows)));
const planOf = async (id: string): Promise<ImportPlan> =>
  (await page.events<ImportPlan>(`/api/lists/${id}/import`)).at(-1)!;
const ended = async (run: string): Promise<Live> =>
  (await page.events<Live>(`/api/runs/${run}/live`)).at(-1)!;
const begin = async (id: string, typed: number | null = null) => {
  const { revision } = await planOf(id);
  const body = { revision, typed, again: false };
  return page.api<{ run: string; code?: string }>(`POST /api/lists/${id}/run`, body);
};
const control = (run: string, what: string) =>
  page.api<Live & { code?: string }>(`POST /api/runs/${run}/control`, { what });

/** Holds requests back until they are let go. @default those that create clients */
function hold(isHeld = (operation: string): boolean => operation === '4.1'): () => void {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  bench.center.behave = ({ operation }) => (isHeld(operation) ? { hold: held } : undefined);
  return release;
}

describe('an import', () => {
  it('says what would be sent, and is started once by two clicks', async () => {
    const id = await list(300);
    const plan = await planOf(id);
    expect(plan).toMatchObject({
      ...{ mode: 'create', clients: 300, estimated: false, rejected: 0, skipped: 0, canary: 0 },
      ...{ blocker: null, confirm: false, campaignNeeded: 'optional', mapped: null },
    });
    await page.api(`PATCH /api/lists/${id}/import`, { campaign: 42 });
    expect((await planOf(id)).list.command).toContain('--campaign 42');
    const [one, other] = await Promise.all([begin(id), begin(id)]);
    expect(one).toEqual(other);
    expect(one).toMatchObject({ isDone: false });
    expect(await ended(one.run)).toMatchObject({
      ...{ state: 'finished', rows: 300, of: 300, share: 1, inFlight: 0, problem: null },
      outcomes: [{ outcome: 'enqueued', count: 300 }],
    });
    expect(twice(bench.center.creations)).toEqual([]);
    expect(await page.api(`GET /api/lists/${id}`)).toMatchObject({ run: one.run });
    const { clients, before } = await planOf(id);
    expect({ clients, before }).toEqual({
      ...{ clients: 300, before: { kind: 'done', run: one.run, leftOut: 0, cards: 0, deleted: 0 } },
    });
    expect(await begin(id)).toEqual({ run: one.run, isDone: true });
    expect(twice(bench.center.creations)).toEqual([]);
  });

  it('counts what was imported before, and leaves it out', async () => {
    await bench.write('more.csv', csv(leads(3)));
    await reopen({}, bench.at('more.csv'));
    const id = await page.opened();
    const { isComparing, before } = await planOf(id);
    expect({ isComparing, before }).toEqual({
      ...{
        isComparing: false,
        before: { kind: 'new', run: null, leftOut: 0, cards: 0, deleted: 0 },
      },
    });
    await ended((await begin(id)).run);
    await bench.write('more.csv', csv(leads(5)));
    const wanted = { kind: 'new', leftOut: 3, cards: 0 };
    expect(await planOf(id)).toMatchObject({ clients: 5, before: wanted });
    await page.api(`PATCH /api/lists/${id}/import`, { campaign: 42 });
    expect(await planOf(id)).toMatchObject({ before: { kind: 'new', leftOut: 0, cards: 3 } });
    await page.api(`PATCH /api/lists/${id}/import`, { campaign: null });
    expect(await ended((await begin(id)).run)).toMatchObject({
      outcomes: [
        { outcome: 'created', count: 2 },
        { outcome: 'skipped', count: 3 },
      ],
    });
    expect(twice(bench.center.creations)).toEqual([]);
  });

  it('makes a campaign, and another one with its settings', async () => {
    const installation = await loadInstallation(bench.at('center.yaml'));
    const sandbox = await startSandbox({
      ...{ installation, port: 0, database: bench.at('sandbox.db') },
    });
    try {
      const center = { name: 'test', address: 'sandbox', kind: 'sandbox' as const };
      await reopen({
        center: { ...center, installation: bench.at('center.yaml'), baseUrl: sandbox.url },
      });
      const body = {
        ...{ name: 'First', like: null, callingMode: 'PREDICTIVE_NEW', start: true },
        ...{ callingSearchSpaceId: 7, callStatusRuleProcessorId: 8 },
      };
      type Made = { id: number; code?: string };
      const make = () => page.api<Made>('POST /api/campaigns', body);
      const atOnce = await Promise.all([make(), make(), make()]);
      expect(atOnce.map(({ code }) => code)).toEqual([
        undefined,
        ...['made_meanwhile', 'made_meanwhile'],
      ]);
      const [first] = atOnce;
      const second = { ...body, name: 'Second', like: first.id, callingSearchSpaceId: 0 };
      expect(await page.api('POST /api/campaigns', second)).toEqual({
        ...{ id: first.id + 1, problem: null },
      });
      const listed = (await (
        await fetch(`${sandbox.url}/api/v1/telemarketing/campaigns.do?limit=10`)
      ).json()) as object[];
      const same = { callingMode: 'PREDICTIVE_NEW', callingSearchSpaceId: 7 };
      expect(listed).toMatchObject([
        { name: 'First', ...same },
        { name: 'Second', ...same },
      ]);
    } finally {
      await sandbox.close();
    }
  });

  it('restores deleted clients where that was chosen, and proposes it where they are why rows failed', async () => {
    const id = await list(3);
    const deleted = 'Client with identifiers: [offerId=1] is deleted; recovery restores it';
    bench.center.behave = ({ operation }) =>
      operation === '4.1' ? { refuse: () => deleted } : undefined;
    expect(await planOf(id)).toMatchObject({ recovery: false });
    const { run } = await begin(id);
    await ended(run);
    const { next } = await page.api<Result>(`GET /api/runs/${run}/result`);
    expect(next).toMatchObject({ kind: 'recover', bad: 3, top: { rows: 3 } });

    bench.center.behave = () => undefined;
    await page.api(`PATCH /api/lists/${id}/import`, { recovery: true });
    await page.api(`PATCH /api/lists/${id}/import`, { campaign: 42 });
    const plan = await planOf(id);
    expect(plan).toMatchObject({ recovery: true, choice: { recovery: true, campaign: 42 } });
    expect(plan.list.command).toContain('--recovery');
    const restored = await begin(id);
    expect(await ended(restored.run)).toMatchObject({
      outcomes: [{ outcome: 'enqueued', count: 3 }],
    });
  });

  it.each(['create', 'upsert'])('says which clients an undo has deleted: %s', async (mode) => {
    await bench.write('mode.yaml', `mode: ${mode}\n${MAPPING}`);
    await reopen({ mapping: bench.at('mode.yaml') });
    const { run } = await begin(await list(3));
    await ended(run);
    const undo = await page.api<{ run: string }>(`POST /api/runs/${run}/undo`, { rows: 3 });
    expect(await ended(undo.run)).toMatchObject({ outcomes: [{ outcome: 'undone', count: 3 }] });
    const again = await list(3);
    const before = { kind: 'new', run: null, leftOut: 0, cards: 0 };
    expect((await planOf(again)).before).toEqual({ ...before, deleted: 3 });
    // Also where the file is another one.
    expect((await planOf(await list(5))).before).toEqual({ ...before, deleted: 3 });
    await page.api(`PATCH /api/lists/${again}/import`, { recovery: true });
    expect(await planOf(again)).toMatchObject({ recovery: true, before: { deleted: 3 } });
    await ended((await begin(again)).run);
    await page.api(`PATCH /api/lists/${again}/import`, { campaign: 42 });
    expect((await planOf(again)).before?.deleted, 'they are there again').toBe(0);
  });

  it('waits for credentials that nobody has set, says which, and where they are refused', async () => {
    bench.center.behave = () => ({ answer: { status: 401, body: '{"errorMessage":"no"}' } });
    expect(await page.api('GET /api/campaigns')).toMatchObject({ code: 'not_authorized' });
    const { run, code } = await begin(await list(3));
    expect(code ?? (await ended(run)).problem?.code).toBe('not_authorized');
    await reopen({ env: { CARDLINE_TEST_TOKEN: '' } });
    const id = await list(3);
    const plan = await planOf(id);
    expect(plan).toMatchObject({ blocker: 'not_set', clients: 3, problem: { code: 'not_set' } });
    expect(plan.problem?.sentence).toContain('CARDLINE_TEST_TOKEN');
    for (const answer of [await begin(id), await page.api('GET /api/campaigns')])
      expect(answer).toMatchObject({ code: 'not_set', next: plan.problem?.next });
    expect(bench.center.creations.size).toBe(0);
  });

  it('leaves its mapping for the next file with its columns', async () => {
    await reopen({ mapping: undefined });
    const id = await list(3);
    const { revision } = await page.api<Columns>(`GET /api/lists/${id}/columns`);
    const yaml = `# mine\n${MAPPING}`;
    await page.api(`PUT /api/lists/${id}/mapping`, { revision, yaml });
    const { run } = await begin(id);
    await ended(run);
    const next = await list(5);
    const columns = await page.api<Columns>(`GET /api/lists/${next}/columns`);
    expect(columns).toMatchObject({ yaml, list: { likeLast: true } });
  });

  it('stops when one of the first 20 fails, and goes on when the person says so', async () => {
    const id = await list(1100);
    const isFirst = ({ fields }: { readonly fields?: unknown }): boolean =>
      JSON.stringify(fields).includes('100001');
    bench.center.behave = () => ({
      refuse: (client) => (isFirst(client) ? 'Not today' : undefined),
    });
    expect(await planOf(id)).toMatchObject({ canary: 20 });
    const { run } = await begin(id);
    const stopped = await ended(run);
    expect(stopped).toMatchObject({
      state: 'stopped',
      problem: { code: 'canary' },
      reasons: [{ outcome: 'failed', message: 'Not today', rows: 1 }],
    });
    expect(bench.center.creations.size).toBeLessThanOrEqual(20);
    await control(run, 'resume');
    expect(await ended(run)).toMatchObject({ state: 'finished', rows: 1100 });
    expect(twice(bench.center.creations)).toEqual([]);
  });

  it('is not started when something has changed since it was shown', async () => {
    await bench.write('leads.csv', csv(leads(3)));
    await reopen({}, bench.at('leads.csv'));
    const id = await page.opened();
    const startOn = (revision: string) =>
      page.api(`POST /api/lists/${id}/run`, { revision, typed: null, again: false });
    const first = await planOf(id);
    // All that several tabs choose at once is kept.
    const chosen = [{ campaign: 42 }, { canary: true }, { requestsPerSecond: 50 }];
    await Promise.all(chosen.map((one) => page.api(`PATCH /api/lists/${id}/import`, one)));
    expect(await startOn(first.revision)).toMatchObject({ code: 'plan_changed' });
    const second = await planOf(id);
    expect(second.choice).toMatchObject(Object.assign({}, ...chosen) as object);
    await bench.write('leads.csv', csv(leads(30)));
    expect(await startOn(second.revision)).toMatchObject({ code: 'plan_changed' });
    expect(bench.center.creations.size).toBe(0);
    expect(await planOf(id)).toMatchObject({ clients: 30 });
  });

  it('names no path of its copies where the mapping is wrong', async () => {
    const id = await list(3);
    const { revision } = await page.api<{ revision: string }>(`GET /api/lists/${id}/columns`);
    const yaml = 'client: { fields: { offerId: Offer } }\n';
    await page.api(`PUT /api/lists/${id}/mapping`, { revision, yaml });
    const { blocker, problem } = await planOf(id);
    expect(blocker).toBe('wrong_mapping');
    expect(problem).toMatchObject({ code: 'mapping_does_not_fit' });
    expect(JSON.stringify(problem)).not.toContain('mapping.yaml');
  });

  it('that deletes wants the number of rows', async () => {
    await bench.write(
      'delete.yaml',
      `mode: delete\n${MAPPING.replace(/ {2}clientRoleId[\s\S]*/, '')}  fields: { offerId: Offer, offerDomain: { column: Site, transform: [trim, lower] } }\n`,
    );
    await reopen({ mapping: bench.at('delete.yaml') });
    const id = await list(5);
    expect(await planOf(id)).toMatchObject({ mode: 'delete', confirm: true, clients: 5 });
    expect(await begin(id)).toMatchObject({ code: 'not_confirmed' });
    expect(await begin(id, 4)).toMatchObject({ code: 'not_confirmed' });
    const { run } = await begin(id, 5);
    expect(await ended(run)).toMatchObject({ state: 'finished', rows: 5 });
  });

  it('asks what to do where an earlier one broke off and something has changed', async () => {
    const id = await list(30);
    const release = hold();
    const { run } = await begin(id);
    await control(run, 'stop');
    release();
    expect(await ended(run)).toMatchObject({ state: 'stopped' });
    await page.api(`PATCH /api/lists/${id}/import`, { campaign: 42 });
    expect(await begin(id)).toMatchObject({ code: 'changed_since', values: { run } });
    const { revision } = await planOf(id);
    const body = { revision, typed: null, again: true };
    const anew = await page.api<{ run: string }>(`POST /api/lists/${id}/run`, body);
    expect(anew.run).not.toBe(run);
    expect(await ended(anew.run)).toMatchObject({ state: 'finished', rows: 30 });
  });
});

const listed = () => page.api<Answer<'GET /api/lists'>>('GET /api/lists');

describe('a run', () => {
  it('is paused, goes on, is stopped and continued, and sends nothing twice', async () => {
    const release = hold();
    const { run } = await begin(await list(100));
    expect((await control(run, 'pause')).state).toMatch(/^paus/);
    const { lists } = await listed();
    const deleted = await page.api(`DELETE /api/lists/${lists[0]?.id}`);
    expect(deleted, 'what the run reads stays').toMatchObject({ code: 'list_at_work' });
    release();
    expect((await control(run, 'continue')).state).toBe('running');
    await control(run, 'stop');
    expect(await ended(run)).toMatchObject({ state: 'stopped', problem: { code: 'interrupted' } });
    expect(await listed(), 'it can be gone on with').toMatchObject({ lists: [{ isDone: false }] });
    await control(run, 'resume');
    expect(await ended(run)).toMatchObject({ state: 'finished', rows: 100 });
    expect(await listed()).toMatchObject({ lists: [{ isDone: true }] });
    expect(twice(bench.center.creations)).toEqual([]);
  });

  it('that the command line began with a limit is continued without it', async () => {
    const file = await bench.write('leads.csv', csv(leads(60)));
    bench.center.behave = ({ operation }) =>
      operation === '4.1' ? { refuse: () => 'Refused.' } : undefined;
    const options = ['--batch-size', '10', '--concurrency', '1', '--max-failures', '5'];
    const ledger = ['--ledger', bench.at(`ledger-${number}.db`)];
    const stopped = await bench.import('run', [file], [...options, ...ledger]);
    expect(stopped.code, stopped.stderr).toBe(3);
    const { run } = stopped.summary();
    bench.center.behave = () => undefined;
    await control(run, 'resume');
    expect(await ended(run)).toMatchObject({ state: 'finished', rows: 60 });
  });

  it('ends gently with its server, and goes on in the next one', async () => {
    const release = hold();
    const { run } = await begin(await list(100));
    const closing = page.close();
    release();
    await closing;
    expect(bench.center.creations.size).toBeLessThan(100);
    page = await another();
    expect(await ended(run)).toMatchObject({ state: 'stopped', elsewhere: false });
    await control(run, 'resume');
    expect(await ended(run)).toMatchObject({ state: 'finished', rows: 100 });
    expect(twice(bench.center.creations)).toEqual([]);
  });

  it('that another process went on with is shown as it is there', async () => {
    const release = hold();
    const { run } = await begin(await list(40));
    await control(run, 'stop');
    release();
    expect(await ended(run)).toMatchObject({ state: 'stopped' });
    const elsewhere = await another();
    await elsewhere.api(`POST /api/runs/${run}/resume`);
    await elsewhere.events(`/api/runs/${run}/live`);
    await elsewhere.close();
    expect(await ended(run)).toMatchObject({ state: 'finished', rows: 40, problem: null });
    expect(await control(run, 'stop')).toMatchObject({ code: 'not_at_work' });
  });

  it('that is taken back right here is not said to be in another process', async () => {
    const id = await list(30);
    const { run } = await begin(id);
    await ended(run);
    const release = hold(() => true);
    const undo = await page.api<{ run: string }>(`POST /api/runs/${run}/undo`, { rows: 30 });
    expect(await page.api(`GET /api/runs/${run}/result`)).toMatchObject({
      ...{ isHere: false, isUndoing: true, next: { kind: 'wait' } },
    });
    const { runs } = await page.api<{ runs: { run: string }[] }>('GET /api/runs');
    const shown = runs.find((one) => one.run === run);
    expect(shown).toMatchObject({ isUndoing: true, canUndo: false, canReconcile: false });
    for (const what of ['reconcile', 'resume'])
      expect(await page.api(`POST /api/runs/${run}/${what}`)).toMatchObject({
        code: 'works_here',
      });
    // The same import is refused meanwhile, and does not join in.
    expect(await begin(id)).toMatchObject({ code: 'works_here' });
    release();
    expect(await ended(undo.run)).toMatchObject({ state: 'finished', rows: 30 });
    expect(await page.api(`GET /api/runs/${run}/result`)).toMatchObject({
      ...{ state: 'finished', isUndoing: false, isTakenBack: true },
    });
  });

  it('that another process works on is shown, and cannot be stopped here', async () => {
    await bench.write('leads.csv', csv(leads(40)));
    const release = hold();
    const asked = new Promise<void>((resolve) => {
      const { behave } = bench.center;
      bench.center.behave = (request) => {
        if (request.operation === '4.1') resolve();
        return behave(request);
      };
    });
    const other = bench.start(`ledger-${number}`, [bench.at('leads.csv')]);
    await asked;
    const { runs } = await page.api<{ runs: { run: string }[] }>('GET /api/runs');
    const { run } = runs[0]!;
    const shown = await control(run, 'stop');
    expect(shown).toMatchObject({ code: 'works_elsewhere' });
    const states = page.events<Live>(`/api/runs/${run}/live`);
    release();
    await other.ended;
    const [first, ...later] = await states;
    expect(first).toMatchObject({ elsewhere: true, state: 'running' });
    expect(later.at(-1)).toMatchObject({ elsewhere: false, state: 'finished', rows: 40 });
  });
});

/** A page without a contact center. @returns the file that it would make */
async function openWithout(name: string): Promise<string> {
  const file = bench.at(name);
  const { host } = new URL(bench.center.url);
  const center = { name: host, address: host, kind: 'local' as const };
  const take = async (installation: string) => {
    await setTimeout(20);
    return { center: { ...center, installation }, env: bench.environment, samples: [] };
  };
  await reopen({
    ...{ center: undefined, env: { ...bench.environment } },
    setup: { file, sandbox: () => take(bench.at('center.yaml')), installation: take },
  });
  return file;
}

const ask = (header: object | null, ids: object[] = [{ name: 'offerId', value: '7' }]) =>
  page.api('POST /api/setup/fields', { url: bench.center.url, header, ids });

it('takes one contact center of those that are wanted at once', async () => {
  const file = await openWithout('second.yaml');
  const described = { url: bench.center.url, header: null };
  const fields = [{ name: 'offerId', type: 'Number', sync: true, required: true }];
  const answers = await Promise.all([
    page.api('POST /api/setup/sandbox'),
    page.api('POST /api/setup/installation', { ...described, fields }),
    page.api('POST /api/setup/sandbox'),
  ]);
  expect(answers).toMatchObject([{}, { code: 'has_center' }, { code: 'has_center' }]);
  expect(answers[0]).toEqual({});
  expect(existsSync(file)).toBe(false);
});

it('takes as many fields of a client as it has room for, and says what it leaves', async () => {
  await openWithout('wide.yaml');
  const names = ['offerId', 'x'.repeat(501), ...Array.from({ length: 600 }, (_, at) => `f${at}`)];
  const clientFieldsToValues = Object.fromEntries(names.map((name) => [name, 'a']));
  const body = JSON.stringify({ clientFieldsToValues });
  bench.center.behave = () => ({ answer: { status: 200, body } });
  const { fields, leftOut } = (await ask(null)) as Answer<'POST /api/setup/fields'>;
  expect([fields.length, leftOut]).toEqual([500, 102]);
  const described = { url: bench.center.url, header: null };
  const made = await page.api('POST /api/setup/installation', { ...described, fields });
  expect(made).toMatchObject({ fields: 500 });
});

it('says in words of the page why the fields of a client cannot be read', async () => {
  await openWithout('asked.yaml');
  const header = { name: 'X-Api-Key', scheme: '' };
  const own = { ...header, variable: 'CARDLINE_TEST_TOKEN' };
  const answers = [
    await ask({ ...header, variable: 'NOT_SET_YET' }),
    await ask(own, [{ name: 'offerId', value: '' }]),
    await ask(own, [
      { name: 'offerId', value: '1' },
      { name: 'offerId', value: '2' },
    ]),
    await ask(own),
    await ask(own, [{ name: 'deal=id:Number', value: '7' }]),
  ];
  bench.center.behave = () => ({ answer: { status: 403, body: '{"errorMessage":"no"}' } });
  answers.push(await ask(own));
  bench.center.behave = () => ({ answer: { status: 200, body: '<html>' } });
  answers.push(await ask(own));
  const codes = answers.map((answer) => (answer as { code: string }).code);
  const refused = ['refused', 'refused', 'refused', 'refused'];
  expect(codes).toEqual(['not_set', 'no_values', 'no_values', ...refused]);
  expect(JSON.stringify(answers)).not.toMatch(/--[a-z]/);
});

it('drafts an installation that names the credentials, and never has them', async () => {
  const file = await openWithout('drafted.yaml');
  const { host } = new URL(bench.center.url);
  expect(await page.api('GET /api/about')).toMatchObject({ center: null, setup: file });
  const described = [
    { name: 'offerId', type: 'Number', sync: true, required: true },
    { name: 'fullName', type: 'TextField', sync: false, required: false },
  ];
  const nowhere = { url: 'cc.example.com?a=1', header: null, fields: described };
  expect(await page.api('POST /api/setup/installation', nowhere)).toMatchObject({ field: 'url' });
  expect(existsSync(file)).toBe(false);
  const made = await page.api('POST /api/setup/installation', {
    url: bench.center.url,
    header: { name: 'Authorization', scheme: 'Bearer', variable: 'NOT_SET_YET' },
    fields: described,
  });
  expect(made).toEqual({ file, fields: 2, missing: ['NOT_SET_YET'] });
  expect(readFileSync(file, 'utf8')).toMatch(
    /offerId\W+type: Number, sync: true, required: true \}/,
  );
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(file, 'utf8')).toContain('Bearer ${NOT_SET_YET}');
  expect(readFileSync(file, 'utf8')).not.toContain(TOKEN);
  expect(await page.api('GET /api/about')).toMatchObject({ center: { name: host }, setup: null });
});
