import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { printImportResult } from '../../src/cli/output/import-result.js';
import type * as History from '../../src/history/history.js';
import type * as Import from '../../src/run/import.js';
import type * as Undo from '../../src/run/on-record.js';
import type { ImportRequest, ImportResult } from '../../src/run/requests.js';
import { built } from '../kit/built.js';
import { type Sandbox, startSandbox } from '../kit/sandbox.js';
import { csv, lead, type LeadRow, leads, MAPPING, useBench } from '../kit/bench.js';
import { tablesIn } from '../kit/tables.js';

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

/** What the file says of its keys. */
interface Night {
  readonly undo?: true;
  readonly list?: string | number;
  readonly changed?: readonly number[];
  readonly cells?: Readonly<Record<string, Partial<LeadRow>>>;
  readonly like?: Readonly<Record<string, number>>;
  readonly by?: string;
  readonly ledger?: string;
  readonly replace?: readonly [string, string];
  readonly options?: Partial<ImportRequest>;
  readonly duringCalls?: true;
  readonly outcomes?: object;
  readonly has?: object;
  readonly lacks?: string;
  readonly missing?: object | null;
  readonly stopped?: string | null;
  readonly exit?: number;
  readonly maxRequests?: number;
  readonly prints?: string;
  readonly warns?: string;
  readonly inCampaign?: number;
  readonly isIn?: number;
  readonly clients?: number;
}
interface Story {
  readonly story: string;
  readonly modes?: readonly string[];
  readonly section?: string;
  readonly nights: readonly Night[];
}
const STORIES = tablesIn(import.meta.dirname, 'delta.yaml') as Record<string, Story[]>;

/** `1-49, 51` */
const numbersIn = (text: string | number): number[] =>
  String(text)
    .split(', ')
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, at) => first + at);
    });

function listOf({ list = '', changed = [], cells = {}, like = {} }: Night): string {
  const given = Object.entries(cells).flatMap(([range, own]) =>
    numbersIn(range).map((row) => [row, own] as const),
  );
  const own = new Map<number, Partial<LeadRow>>([
    ...changed.map((row) => [row, { Comment: 'new' }] as const),
    ...given,
    ...Object.entries(like).map(
      ([row, other]) => [Number(row), { ...lead(other), Offer: lead(Number(row)).Offer }] as const,
    ),
  ]);
  const seen = new Set<number>();
  return csv(
    numbersIn(list).map((row) => lead(row, seen.has(row) ? {} : (seen.add(row), own.get(row)))),
  );
}

async function expectNight(one: Night, last: string): Promise<string> {
  if (one.replace) {
    const [from, to] = one.replace;
    const mapping = await readFile(bench.at('list.yaml'), 'utf8');
    await bench.write('list.yaml', mapping.replace(from, to));
  }
  const options = {
    ...one.options,
    ...(one.by && { mapping: bench.at(one.by) }),
    ...(one.ledger && { ledger: bench.at(`${one.ledger}-${number}.db`) }),
  };
  const result: ImportResult & Partial<Told> = one.undo
    ? await undo(last)
    : await (one.duringCalls ? duringCalls : imported)(listOf(one), options);
  const { outcomes, has, missing, stopped } = one;
  if (outcomes) expect(outcomesOf(result)).toEqual(outcomes);
  if (has) expect(outcomesOf(result)).toMatchObject(has);
  if (one.lacks) expect(outcomesOf(result)).not.toHaveProperty(one.lacks);
  if (missing === null) expect(result.missing).toBeUndefined();
  else if (missing) expect(outcomesOf(result.missing!)).toEqual(missing);
  if (stopped === null) expect(result.stopped).toBeUndefined();
  else if (stopped) expect(result.stopped).toContain(stopped);
  if (one.exit !== undefined) expect(result.exitCode).toBe(one.exit);
  if (one.maxRequests) expect(result.summary.requests).toBeLessThanOrEqual(one.maxRequests);
  if (one.warns) expect(result.warnings?.join('\n')).toMatch(new RegExp(one.warns));
  if (one.inCampaign !== undefined) expect(inCampaign()).toBe(one.inCampaign);
  if (one.isIn) expect([one.isIn, isIn(one.isIn)]).toEqual([one.isIn, true]);
  if (one.clients) expect(sandbox.books(IDENTIFIERS).size).toBe(one.clients);
  if (one.prints) {
    const printed = new PassThrough();
    const terminal = { stdout: printed, stderr: printed, columns: undefined };
    await printImportResult(result, terminal, { json: false });
    expect(String(printed.read())).toContain(one.prints);
  }
  return result.summary.run;
}

describe.each(Object.entries(STORIES))('%s', (_, stories) => {
  const all = stories.flatMap((story) =>
    (story.modes ?? ['upsert']).map((mode) => [`${story.story} (${mode})`, mode, story] as const),
  );
  it.each(all)('%s', async (_name, mode, { section = DELTA, nights }) => {
    for (const name of ['list.yaml', 'other.yaml'])
      await bench.write(name, `mode: ${mode}\n${MAPPING}${section}\n`);
    const fields =
      'fields: { offerId: Offer, offerDomain: { column: Site, transform: [trim, lower] } }';
    await bench.write('dequeue.yaml', `mode: dequeue\nclient: { ${fields} }\n`);
    let run = '';
    for (const one of nights) run = await expectNight(one, run);
  });
});

const MODES = ['create', 'upsert'] as const;

describe.each(MODES)('a list of mode %s, whatever else goes on,', (mode) => {
  const write = (name: string, more = 'delta: { missing: dequeue, maxMissing: 100% }\n') =>
    bench.write(name, `mode: ${mode}\n${MAPPING}${more}`);
  beforeEach(() => write('list.yaml'));

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
    const next = await imported(csv(leads(20).with(2, lead(3, { Comment: 'new' }))));
    expect([next.stopped, next.missing]).toEqual([undefined, undefined]);
  });

  it('takes clients back when the run that made them is forgotten', async () => {
    const made = await imported(csv(leads(20)));
    await sleep(10);
    // What had ended by then, however long the machine takes.
    let by = Date.now();
    const forget = () => pruneRuns(Date.now() - by, made.ledger, {});
    await imported(csv(leads(20)));
    await imported(csv(leads(19)));
    expect(await forget()).toEqual([made.summary.run]);
    await imported(csv(leads(20)));
    expect(isIn(20)).toBe(true);
    // Left and came back: the run that only brought it back has the word.
    await sleep(10);
    by = Date.now();
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
});
