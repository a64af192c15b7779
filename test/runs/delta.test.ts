import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { printImportResult } from '../../src/cli/output/import-result.js';
import type * as History from '../../src/history/history.js';
import type * as Import from '../../src/run/import.js';
import type * as Undo from '../../src/run/on-record.js';
import type { ImportRequest, ImportResult } from '../../src/run/requests.js';
import { built } from '../kit/built.js';
import { type Sandbox, startSandbox } from '../kit/sandbox.js';
import { csv, lead, leads, MAPPING, useBench } from '../kit/bench.js';

const { importFiles } = await built<typeof Import>('run/import.js');
const { undoRun } = await built<typeof Undo>('run/on-record.js');
const { pruneRuns } = await built<typeof History>('history/history.js');

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

const isIn = (row: number): boolean =>
  [...sandbox.books(IDENTIFIERS)].some(
    ([id, { campaigns }]) => id.includes(lead(row).Offer) && campaigns.length > 0,
  );

/** A mapping with which a person removes clients from the campaign. */
const byHand = async (): Promise<Partial<ImportRequest>> => {
  const fields =
    'fields: { offerId: Offer, offerDomain: { column: Site, transform: [trim, lower] } }';
  return {
    mapping: await bench.write('dequeue.yaml', `mode: dequeue\nclient: { ${fields} }\n`),
  };
};

const undo = (undoes: string): Promise<ImportResult> =>
  undoRun({
    ...{ undoes, installation: bench.at('center.yaml'), baseUrl: sandbox.url },
    ...{ env: bench.environment, ledger: bench.at(`delta-${number}.db`) },
    out: bench.at(`undo-${number}-${undoes}`),
  });

/** A contact center before the sandbox that answers some requests itself. */
async function beforeSandbox<T>(
  answers: (path: string, response: ServerResponse) => boolean,
  use: (baseUrl: string) => Promise<T>,
): Promise<T> {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '', method = 'GET', headers } = request;
    const body = Buffer.concat(await request.toArray());
    if (answers(url, response)) return;
    const { host: _, connection: __, ...others } = headers as Record<string, string>;
    const sent = method === 'GET' ? { method, headers: others } : { method, headers: others, body };
    const answer = await fetch(`${sandbox.url}${url}`, sent);
    const type = answer.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, { 'content-type': type });
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
  const server = createServer((request, response) => void pass(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    const { port } = server.address() as AddressInfo;
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Imports while no client can be removed from the campaign, as if all were in a call. */
const duringCalls = (text: string, more: Partial<ImportRequest> = {}): Promise<Told> =>
  beforeSandbox(
    (path, response) => {
      if (!path.includes('remove.do')) return false;
      response.writeHead(409, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ errorMessage: 'The client is in a call.' }));
      return true;
    },
    (baseUrl) => imported(text, { baseUrl, ...more }),
  );

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
    const undone = await undo(mended.summary.run);
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
    await imported(csv(leads(20)));
    const other = { ...(await byHand()), ledger: bench.at(`by-hand-${number}.db`) };
    expect(outcomesOf(await imported(csv([lead(20)]), other))).toEqual({ dequeued: 1 });
    const fewer = await imported(csv(leads(19)));
    expect(outcomesOf(fewer.missing!)).toEqual({ unchanged: 1 });
    expect(outcomesOf(await imported(csv(leads(20))))).toEqual({ enqueued: 1, unchanged: 19 });
    expect(inCampaign()).toBe(20);
  });
});

const MODES = ['create', 'upsert'] as const;

describe.each(MODES)('a list of mode %s, whatever else goes on,', (mode) => {
  const write = (name: string, more = 'delta: { missing: dequeue, maxMissing: 100% }\n') =>
    bench.write(name, `mode: ${mode}\n${MAPPING}${more}`);
  beforeEach(() => write('list.yaml'));
  const but = (count: number, row: number, value?: object): string =>
    csv(
      leads(count).flatMap((one, at) =>
        at + 1 !== row ? [one] : value ? [{ ...one, ...value }] : [],
      ),
    );

  it('does not count whom somebody wanted to remove, and who is not of the list', async () => {
    await write('list.yaml', DELTA);
    await imported(csv(leads(50)));
    const removal = await imported(csv(leads(230).slice(200)), await byHand());
    expect(outcomesOf(removal)).toEqual({ failed: 30 });
    const next = await imported(csv([...leads(49), lead(51)]));
    expect(outcomesOf(next)).toEqual({ unchanged: 49, enqueued: 1 });
    expect(outcomesOf(next.missing!)).toEqual({ dequeued: 1 });
  });

  it('removes nobody of another list in its campaign', async () => {
    const other = { mapping: await write('other.yaml') };
    await imported(csv(leads(20)));
    await imported(csv(leads(40).slice(30)), other);
    const failed = await duringCalls(csv(leads(39).slice(30)), other);
    expect(outcomesOf(failed.missing!)).toEqual({ failed: 1 });
    await imported(csv(leads(40).slice(30)), other);
    expect((await imported(csv(leads(20)))).missing).toBeUndefined();
    expect(isIn(40)).toBe(true);
  });

  it('of another campaign is not missed in this one', async () => {
    await write('list.yaml', DELTA);
    const second = JSON.stringify({
      ...{ name: 'Second', typeProcessing: 'OPERATOR', callingMode: 'PROGRESSIVE_NEW' },
      ...{ callingSearchSpaceId: 1, callStatusRuleProcessorId: 1 },
    });
    const headers = { 'content-type': 'application/json' };
    const url = `${sandbox.url}/api/v1/telemarketing/campaigns/progress.do`;
    await fetch(url, { method: 'POST', headers, body: second });
    await imported(csv(leads(20)));
    await imported(csv(leads(50).slice(30)), { campaign: { id: 2 } });
    const next = await imported(changed(20, [3]));
    expect([next.stopped, next.missing]).toEqual([undefined, undefined]);
  });

  it.each([
    ['is rejected', { Mobile: 'none' }, 'rejected', ''],
    ['has the phone of another', lead(1), 'skipped', 'duplicates: { by: [sync, phone] }\n'],
  ])('removes a client that %s one night, and is missing the next', async (...drawn) => {
    const [, value, outcome, section] = drawn;
    await write('list.yaml', `delta: { missing: dequeue, maxMissing: 100% }\n${section}`);
    await imported(csv(leads(20)));
    const { Offer } = lead(4);
    const spoilt = await imported(but(20, 4, { ...value, Offer }));
    expect(outcomesOf(spoilt)).toEqual({ unchanged: 19, [outcome]: 1 });
    expect([spoilt.missing, isIn(4)]).toEqual([undefined, true]);
    expect(outcomesOf((await imported(but(20, 4))).missing!)).toEqual({ dequeued: 1 });
    expect((await imported(but(20, 4))).missing).toBeUndefined();
  });

  it('takes clients back when the run that made them is forgotten', async () => {
    const made = await imported(csv(leads(20)));
    const forget = () => pruneRuns(1000, made.ledger, {});
    await sleep(1500);
    await imported(csv(leads(20)));
    await imported(csv(leads(19)));
    await forget();
    await imported(csv(leads(20)));
    expect(isIn(20)).toBe(true);
    // Left and came back: the run that only brought it back has the word.
    await sleep(1500);
    await imported(csv(leads(20)));
    await forget();
    const failed = await duringCalls(csv(leads(19)));
    expect(outcomesOf(failed.missing!)).toEqual({ failed: 1 });
    for (let nights = 0; nights < 2; nights++)
      expect(Object.keys(outcomesOf(await imported(csv(leads(20)))))).not.toContain('failed');
    expect(isIn(20)).toBe(true);
    expect(outcomesOf((await imported(csv(leads(19)))).missing!)).toEqual({ dequeued: 1 });
  });

  it('removes whom a list lacked that was changed while it was read', async () => {
    await imported(csv(leads(20)));
    const file = await bench.write(`changing-${number}.csv`, csv([...leads(19), lead(51)]));
    let isChanged = false;
    const spoil = (path: string): boolean => {
      if (path.includes('exec.do') && !isChanged) appendFileSync(file, '\r\n');
      isChanged ||= path.includes('exec.do');
      return false;
    };
    const spoilt = await beforeSandbox(spoil, (baseUrl) =>
      imported('', { files: [file], baseUrl }),
    );
    expect([spoilt.exitCode, spoilt.missing]).toEqual([2, undefined]);
    await imported(csv([...leads(19), lead(51), lead(52)]));
    expect(isIn(20)).toBe(false);
  });

  it('neither misses nor refuses what an undo has taken out or left', async () => {
    await write('list.yaml', DELTA);
    await imported(csv(leads(50)));
    const more = await imported(csv(leads(60)));
    await undo(more.summary.run);
    const next = await imported(csv(leads(50)));
    expect([next.stopped, next.missing]).toEqual([undefined, undefined]);
    for (const again of [next, await imported(csv(leads(50)))])
      expect(outcomesOf(again)).not.toHaveProperty('enqueue_failed');
  });
});
