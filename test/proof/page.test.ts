import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { ImportPlan, Live } from '../../src/web/page/state/answers.js';
import { csv, leads, twice, useBench } from '../kit/bench.js';
import { canMount, mountDisk, resizeDisk, unmountDisk } from '../kit/small-disk.js';
import { openPageBench, type PageBench, startBuiltPage } from '../page/harness.js';
import { isFull } from './harness.js';

// Threads are files of their own, which only the built server has.
const start = await startBuiltPage();

const ROWS = 1200;
/** Bytes that the page asks for before it takes an upload, and then some; and what is left on a disk that is nearly full. */
const [LARGE, ROOM] = [400_000_000, 50_000];

const bench = useBench({ limits: '{ clientsPerRequest: 50, concurrency: 1 }' });
let page: PageBench;
afterEach(async () => {
  bench.center.behave = () => undefined;
  await page.close();
});

/** Opens a page with its ledger and lists in a folder, and begins to import all rows. @returns the id of the run */
async function begin(folder: string): Promise<string> {
  const address = new URL(bench.center.url).host;
  page = await openPageBench({
    ...{ start, ledger: join(folder, 'cardline.db'), mapping: bench.at('mapping.yaml') },
    env: bench.environment,
    center: { name: 'test', address, kind: 'local', installation: bench.at('center.yaml') },
  });
  const id = await page.list(csv(leads(ROWS)));
  await page.api(`PATCH /api/lists/${id}/import`, { campaign: 42, canary: false });
  const plan = (await page.events<ImportPlan>(`/api/lists/${id}/import`)).at(-1);
  const body = { revision: plan?.revision, typed: null, again: false };
  return (await page.api<{ run: string }>(`POST /api/lists/${id}/run`, body)).run;
}

const control = (run: string, what: 'resume' | 'stop') =>
  page.api(`POST /api/runs/${run}/control`, { what });

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
  const headers = { 'x-cardline-session': await page.session() };
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

async function expectAllOnce(run: string): Promise<void> {
  bench.center.behave = () => undefined;
  const live = await until(run, ({ state }) => state === 'finished');
  expect(live.outcomes).toEqual([{ outcome: 'enqueued', count: ROWS }]);
  expect(bench.center.cards.size).toBe(ROWS);
  expect(twice(bench.center.creations)).toEqual([]);
  const campaigns = [...bench.center.cards.values()].map((card) => [...card.campaigns].join());
  expect(new Set(campaigns)).toEqual(new Set(['42']));
}

describe.skipIf(!canMount)('a disk that gets full', () => {
  afterEach(async () => {
    await page.close();
    await unmountDisk(bench.at('disk'));
  });

  it('stops an import, which goes on when there is room, and sends nothing twice', async () => {
    const folder = bench.at('disk');
    await mountDisk(folder, LARGE);
    let release = (): void => undefined;
    const hold = new Promise<void>((resolve) => (release = resolve));
    bench.center.behave = ({ number }) => (number > 3 ? { hold } : undefined);
    const run = await begin(folder);
    await until(run, ({ rows, inFlight }) => rows > 0 && inFlight > 0);
    const { blocks, bfree, bsize } = await statfs(folder);
    await resizeDisk(folder, (blocks - bfree) * bsize + ROOM);
    release();
    const stopped = await until(run, ({ state }) => state === 'stopped');
    expect(stopped.problem).toMatchObject({ code: 'disk_full' });
    expect(bench.center.cards.size).toBeLessThan(ROWS);
    await resizeDisk(folder, LARGE);
    await control(run, 'resume');
    await expectAllOnce(run);
  });
});

describe('a contact center that dies while the page imports', () => {
  /** Resolves with a run whose tab says that nobody answers. */
  const unanswered = async (): Promise<string> => {
    bench.center.behave = () => ({ delay: 30 });
    const run = await begin(bench.at('.'));
    await until(run, ({ rows }) => rows > 0);
    bench.center.behave = ({ number }) => ({ untouched: number % 2 === 0, drop: true });
    const { state, warnings } = await until(run, (live) => live.warnings.length > 0);
    expect([state, warnings.join(' ')]).toEqual([
      'running',
      expect.stringMatching(/no answer from/),
    ]);
    return run;
  };

  it('is said, and the import goes on by itself when it is there again', async () => {
    await expectAllOnce(await unanswered());
  });

  it.runIf(isFull)(
    'can be left alone: the import is stopped, and continued when it is there again',
    async () => {
      const run = await unanswered();
      await control(run, 'stop');
      const stopped = await until(run, ({ state }) => state === 'stopped');
      expect(stopped.problem).toMatchObject({ code: 'interrupted' });
      bench.center.behave = () => undefined;
      await control(run, 'resume');
      await expectAllOnce(run);
    },
  );
});
