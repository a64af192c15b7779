import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { printImportResult } from '../../src/cli/output/import-result.js';
import type * as Import from '../../src/run/import.js';
import type * as Undo from '../../src/run/on-record.js';
import type { ImportRequest, ImportResult } from '../../src/run/requests.js';
import { built } from '../kit/built.js';
import { type Sandbox, startSandbox } from '../kit/sandbox.js';
import { csv, lead, leads, MAPPING, useBench } from '../kit/bench.js';

const { importFiles } = await built<typeof Import>('run/import.js');
const { undoRun } = await built<typeof Undo>('run/on-record.js');

const IDENTIFIERS = ['offerId', 'offerDomain'];
const DELTA = 'delta: { missing: dequeue, maxMissing: 10% }\n';

const bench = useBench({ once: true });
let sandbox: Sandbox;
let number = 0;
let night = 0;
beforeEach(async () => {
  sandbox = await startSandbox(bench.at('center.yaml'), bench.at(`center-${++number}.db`));
  night = 0;
  await bench.write('list.yaml', `mode: upsert\n${MAPPING}${DELTA}`);
  return () => sandbox.close();
});

interface Told extends ImportResult {
  readonly warnings: readonly string[];
}

/** Imports a list; each night has a file of its own. */
async function imported(text: string, more: Partial<ImportRequest> = {}): Promise<Told> {
  const warnings: string[] = [];
  const file = await bench.write(`leads-${++night}.csv`, text);
  const result = await importFiles({
    ...{ files: [file], mapping: bench.at('list.yaml'), installation: bench.at('center.yaml') },
    ...{ baseUrl: sandbox.url, env: bench.environment, campaign: { id: 1 } },
    ...{ ledger: bench.at(`delta-${number}.db`), out: bench.at(`delta-${number}-${night}`) },
    onWarning: (message) => warnings.push(message),
    ...more,
  });
  return { ...result, warnings };
}

const outcomesOf = ({ summary: { outcomes } }: ImportResult): object =>
  Object.fromEntries(Object.entries(outcomes).filter(([, count]) => count > 0));

const inCampaign = (): number =>
  [...sandbox.books(IDENTIFIERS).values()].filter(({ campaigns }) => campaigns.length > 0).length;

/** The list of a later night: some rows have changed. */
const changed = (count: number, numbers: readonly number[]): string =>
  csv(leads(count).map((row, at) => (numbers.includes(at + 1) ? { ...row, Comment: 'new' } : row)));

describe('a list that comes each night', () => {
  it('is sent as far as it has changed, whatever its file is called', async () => {
    expect(outcomesOf(await imported(csv(leads(200))))).toEqual({ enqueued: 200 });
    const second = await imported(changed(200, [7, 150]));
    expect(outcomesOf(second)).toEqual({ updated: 2, unchanged: 198 });
    expect(second.exitCode).toBe(0);
    const third = await imported(changed(200, [7, 150]));
    expect(outcomesOf(third)).toEqual({ unchanged: 200 });
    // Nothing is sent or looked up but whether a contact center is there.
    expect(third.summary.requests).toBeLessThanOrEqual(1);
  });

  it('is sent again where it failed, and after an undo', async () => {
    const refused = leads(100).map((row, at) => (at < 5 ? { ...row, Segment: 'hot' } : row));
    expect(outcomesOf(await imported(csv(refused)))).toEqual({ rejected: 5, enqueued: 95 });
    const mended = await imported(csv(leads(100)));
    expect(outcomesOf(mended)).toEqual({ enqueued: 5, unchanged: 95 });
    const undone = await undoRun({
      ...{
        undoes: mended.summary.run,
        installation: bench.at('center.yaml'),
        baseUrl: sandbox.url,
      },
      ...{ env: bench.environment, ledger: mended.ledger, out: bench.at(`undo-${number}`) },
    });
    expect(undone.summary.outcomes.undone).toBe(5);
    expect(outcomesOf(await imported(csv(leads(100)), { recovery: true }))).toEqual({
      enqueued: 5,
      unchanged: 95,
    });
  });

  it('leaves the campaign without those whom it lacks, and takes them back when they return', async () => {
    await imported(csv(leads(50)));
    const fewer = await imported(csv(leads(47)));
    expect(outcomesOf(fewer)).toEqual({ unchanged: 47 });
    expect(outcomesOf(fewer.missing!)).toEqual({ dequeued: 3 });
    const printed = new PassThrough();
    const terminal = { stdout: printed, stderr: printed, columns: undefined };
    await printImportResult(fewer, terminal, { json: false });
    expect(String(printed.read())).toContain('not in this one: 3 (3 dequeued).');
    expect(inCampaign()).toBe(47);
    const back = await imported(csv(leads(50)));
    expect(outcomesOf(back)).toMatchObject({ unchanged: 47, enqueued: 3 });
    expect(back.missing).toBeUndefined();
    expect(inCampaign()).toBe(50);
  });

  it('removes later whom a list with --again lacked, which removes nobody', async () => {
    await imported(csv(leads(40)));
    const again = await imported(csv(leads(38)), { again: true });
    expect([again.missing, inCampaign()]).toEqual([undefined, 40]);
    const next = await imported(changed(38, [2]));
    expect(outcomesOf(next.missing!)).toEqual({ dequeued: 2 });
    expect(inCampaign()).toBe(38);
    expect((await imported(changed(38, [3]))).missing).toBeUndefined();
  });

  it('is not sent at all where too many are missing', async () => {
    await imported(csv(leads(50)));
    const half = await imported(changed(25, [3]));
    expect(half.exitCode).toBe(64);
    expect(half.stopped).toContain('25 of 50 clients of the lists before are not in this one');
    expect(inCampaign()).toBe(50);
    const whole = await imported(changed(50, [3]));
    expect(outcomesOf(whole)).toEqual({ unchanged: 49, updated: 1 });
    expect(whole.missing).toBeUndefined();
  });

  it('keeps those who are rejected or a duplicate; a part of it removes nobody', async () => {
    await imported(csv(leads(40)));
    const spoilt = leads(40).map((row, at) => (at === 3 ? { ...row, Mobile: 'none' } : row));
    const run = await imported(csv([...spoilt, lead(1)]));
    expect(outcomesOf(run)).toEqual({ unchanged: 39, rejected: 1, skipped: 1 });
    expect(run.missing).toBeUndefined();
    const part = await imported(csv(leads(40)), { limit: 10 });
    expect([outcomesOf(part), part.missing]).toEqual([{ unchanged: 10 }, undefined]);
    expect(inCampaign()).toBe(40);
  });

  it('says how many rows another mapping changes', async () => {
    await imported(csv(leads(20)));
    await bench.write(
      'list.yaml',
      `mode: upsert\n${MAPPING.replace('trim, lower', 'lower')}${DELTA}`,
    );
    const same = await imported(csv(leads(20)));
    expect(same.warnings.join('\n')).toMatch(/mapping was changed since run \S+.*: \d+ of 20 rows/);
  });

  it('of mode create creates nobody twice', async () => {
    await bench.write('list.yaml', `${MAPPING}${DELTA}`);
    await imported(csv(leads(30)));
    const second = await imported(changed(32, [5]));
    expect(outcomesOf(second)).toEqual({ enqueued: 2, skipped: 1, unchanged: 29 });
    expect(sandbox.books(IDENTIFIERS).size).toBe(32);
  });

  it('adds whom it removes again, although somebody had removed them before', async () => {
    await bench.write('list.yaml', `${MAPPING}${DELTA}`);
    const fields =
      'fields: { offerId: Offer, offerDomain: { column: Site, transform: [trim, lower] } }';
    const dequeue = await bench.write('dequeue.yaml', `mode: dequeue\nclient: { ${fields} }\n`);
    await imported(csv(leads(20)));
    const byHand = { mapping: dequeue, ledger: bench.at(`by-hand-${number}.db`) };
    expect(outcomesOf(await imported(csv([lead(20)]), byHand))).toEqual({ dequeued: 1 });
    const fewer = await imported(csv(leads(19)));
    expect(outcomesOf(fewer.missing!)).toEqual({ unchanged: 1 });
    expect(outcomesOf(await imported(csv(leads(20))))).toEqual({ enqueued: 1, unchanged: 19 });
    expect(inCampaign()).toBe(20);
  });
});
