import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type * as Library from '../../src/index.js';
import type { ImportFilesOptions, RunningSandbox } from '../../src/index.js';
import { root } from '../kit/cardline.js';

// Its threads are files of their own, which only the built library has.
const built = new URL('../../dist/command/index.mjs', import.meta.url).href;
const library = (await import(built)) as typeof Library;
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
const shared = ({ run, mode, state, rows, outcomes }: Awaited<ReturnType<typeof showRun>>) => ({
  ...{ run, mode, state, rows, outcomes },
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-functions-'));
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
  await rm(folder, { recursive: true });
});

describe('functions that work on rows', () => {
  it('answer alike, and as the ledger has it', async () => {
    const imported = await importFiles(options());
    expect(imported).toMatchObject({ mode: 'create', state: 'finished', out: at('out') });
    expect([imported.exitCode, imported.outcomes.rejected]).toEqual([2, 1]);
    expect(imported.rows).toBe(ROWS);
    expect(Object.values(imported.outcomes).reduce((sum, count) => sum + count, 0)).toBe(ROWS);
    expect(imported.summary).toMatchObject({ run: imported.run, outcomes: imported.outcomes });
    const ledger = at('ledger.db');
    expect(await showRun({ run: imported.run, ledger })).toMatchObject({
      run: imported.run,
      mode: imported.mode,
      rows: imported.rows,
      outcomes: imported.outcomes,
    });

    const checked = await checkFiles(options());
    expect(checked).toMatchObject({ run: null, mode: 'create', state: 'finished', rows: ROWS });
    expect(checked.exitCode).toBe(imported.exitCode);
    expect(checked.outcomes.rejected).toBe(imported.outcomes.rejected);
    expect(checked.summary.clients + checked.summary.rejected + checked.summary.skipped).toBe(ROWS);

    const compared = await reconcileFiles({ ...options(), out: at('compared') });
    expect(compared).toMatchObject({ mode: 'reconcile', rows: ROWS });
    expect(compared.outcomes.match).toBe(imported.outcomes.enqueued);

    const again = await importFiles(options());
    expect(again).toMatchObject({ run: imported.run, already: true, outcomes: imported.outcomes });
    expect(again.endedAt).toBeLessThanOrEqual(Date.now());
  });

  it('work on a run by its id, with the installation that it had', async () => {
    const { run, outcomes } = await importFiles(options());
    const onRun = { run, ledger: at('ledger.db'), baseUrl: sandbox.url, env: sandbox.env };
    const claims = await reconcileRun({ ...onRun, out: at('claims') });
    expect(claims.outcomes.match).toBe(outcomes.enqueued);
    const undone = await undoRun({ ...onRun, out: at('undone') });
    expect(undone).toMatchObject({ mode: 'undo', state: 'finished', rows: ROWS });
    expect(undone.outcomes.undone).toBe(outcomes.enqueued);
    const gone = await reconcileFiles({ ...options(), out: at('compared') });
    expect(gone.outcomes.missing).toBe(outcomes.enqueued);
  });

  it('do not send what was in a sandbox to the address of the installation', async () => {
    const { run } = await importFiles(options());
    const refusal = undoRun({ run, ledger: at('ledger.db'), env: sandbox.env });
    await expect(refusal).rejects.toThrow(UsageError);
    await expect(refusal).rejects.toThrow('Give that address as baseUrl.');
  });

  it('go on with a run that was stopped, by the ledger alone', async () => {
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
});

describe('functions on runs', () => {
  it('list, show, report and compare them with the same fields', async () => {
    const first = await importFiles(options());
    const second = await importFiles({ ...options(), again: true, out: at('second') });
    const ledger = at('ledger.db');
    const runs = await listRuns({ ledger });
    expect(runs.map(({ run }) => run)).toEqual([second.run, first.run]);

    const reported = await reportRun({ run: first.run, ledger, file: at('report.jsonl') });
    expect(shared(reported)).toEqual(shared(await showRun({ run: first.run, ledger })));
    expect(reported.file).toBe(at('report.jsonl'));
    let text = '';
    for await (const piece of reportLines({ run: first.run, ledger, format: 'jsonl' }))
      text += piece;
    expect(await readFile(reported.file, 'utf8')).toBe(text);

    const rows = [];
    for await (const row of runRows({ run: first.run, ledger })) rows.push(row.outcome);
    expect(rows).toHaveLength(ROWS);

    const differences: unknown[] = [];
    const compared = await compareRuns({
      ...{ earlier: first.run, later: second.run, ledger },
      onDifference: (difference) => differences.push(difference),
    });
    expect([compared.earlier.run, compared.later.run]).toEqual([first.run, second.run]);
    expect(compared.new + compared.gone + compared.changed).toBe(differences.length);
    const [trend] = await mappingTrend({ mapping: at('leads.yaml'), ledger });
    expect(trend?.points).toHaveLength(2);
  });

  it('find the ledger by the installation', async () => {
    await writeFile(
      at('named.yaml'),
      `${await readFile(at('center.yaml'), 'utf8')}ledger: kept.db\n`,
    );
    const { ledger: _, ...request } = options();
    const { run, ledger } = await importFiles({ ...request, installation: at('named.yaml') });
    expect(ledger).toBe(at('kept.db'));
    expect(await showRun({ run, installation: at('named.yaml') })).toMatchObject({ run });
  });
});

describe('the sandbox of a test', () => {
  it('has the campaigns that were asked for, and a client for all operations', async () => {
    expect(sandbox.campaigns.map(({ name }) => name)).toEqual(['Autumn leads', 'Winter leads']);
    const listed = await sandbox.center.listCampaigns({ query: { limit: 10, offset: 0 } });
    expect(listed.map(({ id }) => id).sort()).toEqual(sandbox.campaigns.map(({ id }) => id).sort());
    expect(sandbox.env).toEqual({ TOKEN_OF_NOBODY: 'sandbox' });
  });

  it('shows what an import has made, and has the time that it is given', async () => {
    const { outcomes } = await importFiles(options());
    const [first] = sandbox.campaigns;
    expect(outcomes.enqueued).toBeGreaterThan(50);
    expect(first?.name).toBe('Autumn leads');
    const card = await sandbox.center.readClient({
      body: { clientSyncIdentifiers: { offerId: 10_001, offerDomain: 'flats.example.net' } },
    });
    expect(card.clientFieldsToValues['fullName']).toBe('Grace Пирожок');
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

it('drafts an installation from a client', async () => {
  await importFiles(options());
  const identifiers = { offerId: 10_001, offerDomain: 'flats.example.net' };
  const file = at('drafted.yaml');
  const drafted = await draftInstallation({ file, url: sandbox.url, identifiers });
  expect(drafted).toMatchObject({ file, replaced: false, isRead: true });
  const { card } = await loadInstallation(file);
  expect(Object.keys(card)).toHaveLength(drafted.fields);
  expect(card['offerId']).toMatchObject({ sync: true });
  await expect(draftInstallation({ file, url: sandbox.url, identifiers })).rejects.toThrow(
    UsageError,
  );
});
