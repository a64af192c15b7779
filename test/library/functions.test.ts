import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type * as Library from '../../src/index.js';
import type { ImportFilesOptions, RunningSandbox } from '../../src/index.js';
import { root } from '../kit/cardline.js';
import { folderOfTest } from '../kit/folder.js';
import { built, LIBRARY } from '../kit/built.js';

const library = await built<typeof Library>(LIBRARY);
const { checkFiles, compareRuns, draftInstallation, importFiles, listRuns } = library;
const { loadInstallation, mappingTrend, reconcileFiles, reconcileRun, reportLines } = library;
const { reportRun, resumeRun, runRows, showRun, startSandbox, undoRun, UsageError } = library;

/** A program's own test: a folder with a few of the sample's rows, and a sandbox. */
let folder: string;
let sandbox: RunningSandbox;
/** Some rows of the sample have line breaks in their cells. */
const [LINES, ROWS] = [101, 91];
/** Without a phone, which the mapping requires. */
const REJECTED = ',99999,https://a.example.org,Ann,Lee,,,,,hot,,,new,,,,';
const at = (name: string): string => join(folder, name);
const options = (): ImportFilesOptions => ({
  files: [at('leads.csv')],
  mapping: at('leads.yaml'),
  installation: at('center.yaml'),
  baseUrl: sandbox.url,
  env: sandbox.env,
  ledger: at('ledger.db'),
  out: at('out'),
});
/** What runs share, wherever they are shown. */
type Shared = 'run' | 'mode' | 'state' | 'rows' | 'outcomes';
const shared = (of: Pick<Awaited<ReturnType<typeof showRun>>, Shared>) => {
  const { run, mode, state, rows, outcomes } = of;
  return { run, mode, state, rows, outcomes };
};

beforeEach(async () => {
  folder = folderOfTest();
  await cp(join(root, 'mappings/leads.yaml'), at('leads.yaml'));
  const described = await readFile(join(root, 'mappings/installation.yaml'), 'utf8');
  const headers = `headers: { Authorization: 'Bearer \${TOKEN_OF_NOBODY}' }\n`;
  await writeFile(at('center.yaml'), described + headers);
  const lines = (await readFile(join(root, 'samples/leads.csv'), 'utf8')).split('\n');
  await writeFile(at('leads.csv'), [...lines.slice(0, LINES), REJECTED, ''].join('\n'));
  sandbox = await startSandbox({
    installation: at('center.yaml'),
    campaigns: ['Autumn leads', 'Winter leads'],
  });
});
afterEach(async () => {
  await sandbox.close();
});

it('functions that work on rows and on runs answer alike, and as the ledger has it', async () => {
  const imported = await importFiles(options());
  const { run, outcomes } = imported;
  const ledger = at('ledger.db');
  const onRun = { run, ledger, baseUrl: sandbox.url, env: sandbox.env };
  expect(imported).toMatchObject({ mode: 'create', state: 'finished', out: at('out') });
  expect([imported.exitCode, outcomes.rejected, imported.rows]).toEqual([2, 1, ROWS]);
  expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(ROWS);
  expect(imported.summary).toMatchObject({ run, outcomes });
  expect(shared(await showRun({ run, ledger }))).toEqual(shared(imported));

  const checked = await checkFiles(options());
  expect(checked).toMatchObject({ run: null, mode: 'create', state: 'finished', rows: ROWS });
  expect(checked.exitCode).toBe(imported.exitCode);
  expect(checked.outcomes.rejected).toBe(outcomes.rejected);
  expect(checked.summary.clients + checked.summary.rejected + checked.summary.skipped).toBe(ROWS);

  const compared = await reconcileFiles({ ...options(), out: at('compared') });
  expect(compared).toMatchObject({ mode: 'reconcile', rows: ROWS });
  expect(compared.outcomes.match).toBe(outcomes.enqueued);
  const claims = await reconcileRun({ ...onRun, out: at('claims') });
  expect(claims.outcomes.match).toBe(outcomes.enqueued);

  const already = await importFiles(options());
  expect(already).toMatchObject({ run, already: true, outcomes, rows: ROWS });
  const nothingMore = { requests: 0, retries: 0, seconds: 0, rowsPerSecond: 0 };
  expect(already.summary).toMatchObject({ rows: ROWS, ...nothingMore });
  expect(already.endedAt).toBeLessThanOrEqual(Date.now());

  const later = await importFiles({ ...options(), again: true, out: at('second') });
  const creating = (await listRuns({ ledger })).filter(({ mode }) => mode === 'create');
  expect(creating.map((one) => one.run)).toEqual([later.run, run]);
  const reported = await reportRun({ run, ledger, file: at('report.jsonl') });
  expect(shared(reported)).toEqual(shared(imported));
  expect(reported.file).toBe(at('report.jsonl'));
  let text = '';
  for await (const piece of reportLines({ run, ledger, format: 'jsonl' })) text += piece;
  expect(await readFile(reported.file, 'utf8')).toBe(text);
  const rows = [];
  for await (const row of runRows({ run, ledger })) rows.push(row.outcome);
  expect(rows).toHaveLength(ROWS);
  const differences: unknown[] = [];
  const two = await compareRuns({
    ...{ earlier: run, later: later.run, ledger },
    onDifference: (difference) => differences.push(difference),
  });
  expect([two.earlier.run, two.later.run]).toEqual([run, later.run]);
  expect(two.new + two.gone + two.changed).toBe(differences.length);
  const [trend] = await mappingTrend({ mapping: at('leads.yaml'), ledger });
  expect(trend?.points).toHaveLength(2);

  // What was in a sandbox is not sent to the address of the installation.
  const refusal = undoRun({ run, ledger, env: sandbox.env });
  await expect(refusal).rejects.toThrow(UsageError);
  await expect(refusal).rejects.toThrow('Give that address as baseUrl.');
  const undone = await undoRun({ ...onRun, out: at('undone') });
  expect(undone).toMatchObject({ mode: 'undo', state: 'finished', rows: ROWS });
  expect(undone.outcomes.undone).toBe(outcomes.enqueued);
  const gone = await reconcileFiles({ ...options(), out: at('gone'), again: true });
  expect(gone.outcomes.missing).toBe(outcomes.enqueued);
});

it('a run that was stopped goes on by the ledger alone', async () => {
  const stopped = await importFiles({ ...options(), maxFailures: { count: 0 } });
  expect(stopped).toMatchObject({ state: 'stopped', exitCode: 3 });
  expect(stopped.stopped).toContain('1 of');
  const place = { baseUrl: sandbox.url, env: sandbox.env, ledger: at('ledger.db') };
  await expect(resumeRun({ ledger: place.ledger })).rejects.toThrow('baseUrl');
  expect(await resumeRun(place)).toMatchObject({ run: stopped.run, state: 'stopped' });
  const resumed = await resumeRun({ ...place, maxFailures: { count: ROWS } });
  expect(resumed).toMatchObject({ run: stopped.run, state: 'finished', rows: ROWS });
  await expect(resumeRun(place)).rejects.toThrow('there is nothing to resume');
});

it('the ledger is found by the installation', async () => {
  const named = at('named.yaml');
  await writeFile(named, `${await readFile(at('center.yaml'), 'utf8')}ledger: kept.db\n`);
  const { ledger: _, ...request } = options();
  const { run, ledger } = await importFiles({ ...request, installation: named });
  expect(ledger).toBe(at('kept.db'));
  expect(await showRun({ run, installation: named })).toMatchObject({ run });
});

describe('the sandbox of a test', () => {
  it('has the campaigns that were asked for, and a client for all operations', async () => {
    expect(sandbox.campaigns.map(({ name }) => name)).toEqual(['Autumn leads', 'Winter leads']);
    const listed = await sandbox.center.listCampaigns({ query: { limit: 10, offset: 0 } });
    expect(listed.map(({ id }) => id).sort()).toEqual(sandbox.campaigns.map(({ id }) => id).sort());
    expect(sandbox.env).toEqual({ TOKEN_OF_NOBODY: 'sandbox' });
  });

  it('shows what an import has made, of which an installation can be drafted', async () => {
    const { outcomes } = await importFiles(options());
    expect(outcomes.enqueued).toBeGreaterThan(50);
    expect(sandbox.campaigns[0]?.name).toBe('Autumn leads');
    const identifiers = { offerId: 10_001, offerDomain: 'flats.example.net' };
    const card = await sandbox.center.readClient({ body: { clientSyncIdentifiers: identifiers } });
    expect(card.clientFieldsToValues['fullName']).toBe('Grace Пирожок');

    const draft = { file: at('drafted.yaml'), url: sandbox.url, identifiers };
    const drafted = await draftInstallation(draft);
    expect(drafted).toMatchObject({ file: draft.file, replaced: false, isRead: true });
    const { card: fields } = await loadInstallation(draft.file);
    expect(Object.keys(fields)).toHaveLength(drafted.fields);
    expect(fields['offerId']).toMatchObject({ sync: true });
    await expect(draftInstallation(draft)).rejects.toThrow(UsageError);
  });

  it('says with an error of the library why it cannot start', async () => {
    const port = Number(new URL(sandbox.url).port);
    const second = startSandbox({ installation: at('center.yaml'), port });
    await expect(second).rejects.toThrow(UsageError);
    await sandbox.close();
    // It may be closed again, and its port is free.
    await sandbox.close();
    sandbox = await startSandbox({ installation: at('center.yaml'), port });
    expect(sandbox.url).toContain(String(port));
  });
});
