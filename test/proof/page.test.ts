import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { List } from '../../src/web/shared/list.js';
import type { ImportPlan, Live } from '../../src/web/shared/run.js';
import { type Bench, csv, leads, openBench, twice } from '../runs/harness.js';
import { canMount, mountDisk, resizeDisk, unmountDisk } from '../kit/small-disk.js';
import { openPageBench, type PageBench, startBuiltPage } from '../page/harness.js';

// Threads are files of their own, which only the built server has.
const start = await startBuiltPage();

const ROWS = 1200;
/** What the page asks for before it takes an upload, and then some. */
const LARGE = 400_000_000;
/** What is left on a disk that is nearly full. */
const ROOM = 50_000;

let bench: Bench;
let page: PageBench;
let headers: Record<string, string>;
let disk: string | undefined;
beforeEach(async () => {
  bench = await openBench('{ clientsPerRequest: 50, concurrency: 1 }');
});
afterEach(async () => {
  bench.center.behave = () => undefined;
  await page.close();
  if (disk !== undefined) await unmountDisk(disk);
  disk = undefined;
  await bench.close();
});

async function open(ledger: string): Promise<void> {
  const address = new URL(bench.center.url).host;
  page = await openPageBench({
    ...{ start, ledger, mapping: bench.at('mapping.yaml'), env: bench.environment },
    center: { name: 'test', address, kind: 'local', installation: bench.at('center.yaml') },
  });
  headers = { 'x-cardline-session': await page.session() };
}

/** The page with its ledger and lists on a file system of its own. */
async function openOnDisk(): Promise<string> {
  disk = bench.at('disk');
  await mountDisk(disk, LARGE);
  await open(join(disk, 'cardline.db'));
  return disk;
}

const newList = async (content: string): Promise<string> => {
  const body = { name: 'leads.csv', bytes: Buffer.byteLength(content) };
  return (await page.api<List>('POST /api/lists', body)).id;
};

/** Begins to import all rows. @returns the id of the run */
async function begin(): Promise<string> {
  const content = csv(leads(ROWS));
  const id = await newList(content);
  await page.upload(id, content);
  await page.api(`PATCH /api/lists/${id}/import`, { campaign: 42, canary: false });
  const { text } = await page.ask(`/api/lists/${id}/import`, { headers });
  const [last = '{}'] = text.match(/(?<=^data: ).*$/gm)?.slice(-1) ?? [];
  const { revision } = JSON.parse(last) as ImportPlan;
  const body = { revision, typed: null, again: false };
  return (await page.api<{ run: string }>(`POST /api/lists/${id}/run`, body)).run;
}

/** Waits until a tab sees that a run stands so. */
async function until(run: string, stands: (live: Live) => boolean): Promise<Live> {
  for (let tries = 0; ; tries++) {
    const live = await current(run);
    if (stands(live)) return live;
    if (tries > 400) throw new Error(`It stands so: ${JSON.stringify(live)}`);
    await sleep(50);
  }
}

/** The first event of the stream that a tab follows. */
async function current(run: string): Promise<Live> {
  const stop = new AbortController();
  const url = `http://127.0.0.1:${page.port}/api/runs/${run}/live`;
  const answer = await fetch(url, { headers, signal: stop.signal });
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of answer.body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true });
    if (text.includes('\n\n')) break;
  }
  stop.abort();
  return JSON.parse(/(?<=^data: ).*$/m.exec(text)?.[0] ?? '{}') as Live;
}

const resume = (run: string) => page.api(`POST /api/runs/${run}/control`, { what: 'resume' });

async function expectAllOnce(run: string): Promise<void> {
  const live = await until(run, ({ state }) => state === 'finished');
  expect(live.outcomes).toEqual([{ outcome: 'enqueued', count: ROWS }]);
  expect(bench.center.cards.size).toBe(ROWS);
  expect(twice(bench.center.creations)).toEqual([]);
  const campaigns = [...bench.center.cards.values()].map((card) => [...card.campaigns].join());
  expect(new Set(campaigns)).toEqual(new Set(['42']));
}

describe.skipIf(!canMount)('a disk that is full, behind the page', () => {
  it('is said while a file is uploaded, of which nothing stays', async () => {
    const folder = await openOnDisk();
    const content = csv(leads(40_000));
    const id = await newList(content);
    await resizeDisk(folder, 1_000_000);
    const { status, text } = await page.upload(id, content);
    expect([status, JSON.parse(text)]).toMatchObject([507, { code: 'disk_full' }]);
    expect(await page.api('GET /api/lists')).toEqual({ lists: [] });
    await resizeDisk(folder, LARGE);
    const again = await newList(content);
    expect((await page.upload(again, content)).status).toBe(200);
  });

  it('stops an import, which goes on when there is room, and sends nothing twice', async () => {
    const folder = await openOnDisk();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    bench.center.behave = ({ number }) => (number > 3 ? { hold: held } : undefined);
    const run = await begin();
    await until(run, ({ rows, inFlight }) => rows > 0 && inFlight > 0);
    const { blocks, bfree, bsize } = await statfs(folder);
    await resizeDisk(folder, (blocks - bfree) * bsize + ROOM);
    release();
    const stopped = await until(run, ({ state }) => state === 'stopped');
    expect(stopped.problem).toMatchObject({ code: 'disk_full' });
    expect(bench.center.cards.size).toBeLessThan(ROWS);
    await resizeDisk(folder, LARGE);
    bench.center.behave = () => undefined;
    await resume(run);
    await expectAllOnce(run);
  });
});

describe('a contact center that dies while the page imports', () => {
  const die = (): void => {
    bench.center.behave = ({ number }) =>
      number % 2 === 0 ? { untouched: true, drop: true } : { drop: true };
  };

  it('is said, and the import goes on by itself when it is there again', async () => {
    await open(bench.at('alone.db'));
    bench.center.behave = () => ({ delay: 30 });
    const run = await begin();
    await until(run, ({ rows }) => rows > 0);
    die();
    const { state, warnings } = await until(run, (live) => live.warnings.length > 0);
    expect(state).toBe('running');
    expect(warnings.join(' ')).toMatch(/no answer from/);
    bench.center.behave = () => undefined;
    await expectAllOnce(run);
  });

  it.runIf(process.env['PROOF'] === 'full')(
    'can be left alone: the import is stopped, and continued when it is there again',
    async () => {
      await open(bench.at('stopped.db'));
      bench.center.behave = () => ({ delay: 30 });
      const run = await begin();
      await until(run, ({ rows }) => rows > 0);
      die();
      await until(run, (live) => live.warnings.length > 0);
      await page.api(`POST /api/runs/${run}/control`, { what: 'stop' });
      const stopped = await until(run, ({ state }) => state === 'stopped');
      expect(stopped.problem).toMatchObject({ code: 'interrupted' });
      bench.center.behave = () => undefined;
      await resume(run);
      await expectAllOnce(run);
    },
  );
});
