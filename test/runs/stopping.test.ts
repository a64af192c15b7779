import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import {
  countOutcomes,
  identityIn,
  type Imported,
  inOrder,
  installation,
  leads,
  twice,
  until,
  useBench,
} from '../kit/bench.js';
import { LIBRARY, built } from '../kit/built.js';
import { executable } from '../kit/cardline.js';
import type * as Library from '../../src/index.js';

const { importFiles } = await built<typeof Library>(LIBRARY);

const bench = useBench({ after: inOrder });

/** Enough that some are not read when the first are enqueued. */
const ROWS = 3000;
const OPTIONS = ['--campaign', '42', '--batch-size', '50', '--concurrency', '2'];
const HOLD_MS = 1000;

interface Remaining {
  readonly rows: number;
  readonly waiting: number;
  readonly waitingWithCard?: number;
  readonly unread?: number;
  readonly unreadIsEstimated?: true;
}
const remaining = async (): Promise<Remaining> =>
  JSON.parse(await readFile(bench.at('run/summary.json'), 'utf8')) as Remaining;

const again = (): Promise<Imported> => {
  bench.center.behave = () => undefined;
  return bench.import('run', [bench.at('leads.csv')], OPTIONS);
};

/**
 * Begins an import whose requests to enqueue are held up. Resolves when both places are taken by such requests, and
 * clients have been created whose turn has not come.
 */
async function whileEnqueuing<Started>(start: (file: string) => Started, rows = ROWS) {
  let held = 0;
  const asked = new Set<string>();
  bench.center.behave = ({ operation, identities, number }) => {
    if (operation !== '4.9') return undefined;
    for (const identity of identities) asked.add(identity);
    if (number < 4) return undefined;
    held++;
    setTimeout(() => held--, HOLD_MS);
    return { delay: HOLD_MS };
  };
  const running = start(await bench.list(rows));
  const isReached = () => held === 2 && bench.center.creations.size > asked.size;
  await until(isReached, 'clients are enqueued');
  return running;
}
const begun = (...more: string[]) =>
  whileEnqueuing((file) => bench.start('run', [file], [...OPTIONS, ...more]));

describe('a run that is stopped', () => {
  // Each signal ends a run: SIGTERM and SIGHUP below, SIGINT one in `commands/rows`.
  it('by SIGQUIT says what remains, and calls nothing failed that was never tried', async () => {
    const { child, ended } = await begun();
    child.kill('SIGQUIT');
    const stopped = bench.imported('run', await ended);
    expect(stopped.code, stopped.stderr).toBe(3);
    expect(Object.keys(countOutcomes(stopped.report()))).toEqual(['enqueued']);
    const left = await remaining();
    expect(stopped.report()).toHaveLength(left.rows);
    expect(left.waitingWithCard).toBeGreaterThan(0);
    expect(left.unreadIsEstimated).toBe(true);
    const all = left.rows + left.waiting + (left.unread ?? 0);
    expect(all).toBeGreaterThan(ROWS * 0.8);
    expect(all).toBeLessThan(ROWS * 1.2);
    expect(stopped.stdout).toMatch(/waiting .*continue the run to have them sent; \d+ have a card/);
    expect(stopped.stdout).toMatch(/about [\d,]+ rows were not read yet/);
    const show = await bench.run('runs', 'show', '--ledger', bench.at('run.db'));
    expect(show.stdout).toMatch(
      /waiting +[\d,]+ rows are yet to be sent; \d+ of them have a card already/,
    );
  });

  it('is continued to its end by the same command, which enqueues once what waited and counts as before', async () => {
    const { child, ended } = await begun('--max-failures', '50%');
    child.kill('SIGTERM');
    const stopped = bench.imported('run', await ended);
    expect([stopped.code, stopped.summary()]).toMatchObject([
      ...[3, { state: 'stopped', outcomes: { unknown: 0 } }],
    ]);
    // They were counted before, so none of them is estimated.
    const { rows, waiting, unread = 0, unreadIsEstimated } = await remaining();
    expect([rows + waiting + unread, unreadIsEstimated]).toEqual([ROWS, undefined]);
    expect(unread).toBeGreaterThan(0);
    const run = await again();
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain('Continuing');
    expect(run.summary().run).toBe(stopped.summary().run);
    expect(countOutcomes(run.report())).toEqual({ enqueued: ROWS });
    expect(bench.center.cards.size).toBe(ROWS);
    expect(twice(bench.center.enqueuings)).toEqual([]);
  });

  it('says of no row that it is unread where all were read', async () => {
    const options = ['--campaign', '42', '--batch-size', '10', '--concurrency', '2'];
    const { child, ended } = await whileEnqueuing(
      (file) => bench.start('run', [file], options),
      100,
    );
    child.kill('SIGTERM');
    expect((await ended).code).toBe(3);
    const { rows, waiting, unread } = await remaining();
    expect([rows + waiting, unread]).toEqual([100, undefined]);
  });

  it('writes its report when nobody reads what it prints any more', async () => {
    const { child, ended } = await begun();
    child.stdout.destroy();
    child.stderr.destroy();
    child.kill('SIGHUP');
    child.kill('SIGHUP');
    expect((await ended).code).toBe(3);
    expect((await remaining()).rows).toBeGreaterThan(0);
  });

  // Only where there is a program that gives a process a terminal of its own.
  it.skipIf(!existsSync('/usr/bin/script'))(
    'writes its report when its terminal has been closed',
    async () => {
      const terminal = await whileEnqueuing((file) => {
        const command = [process.execPath, executable, ...bench.args('run', [file], OPTIONS)];
        return spawn('/usr/bin/script', ['-qec', command.join(' '), '/dev/null'], {
          env: { ...process.env, ...bench.environment },
          stdio: ['pipe', 'pipe', 'pipe'],
        });
      });
      terminal.kill('SIGKILL');
      await until(() => existsSync(bench.at('run/summary.json')), 'the report is written');
      expect((await remaining()).waiting).toBeGreaterThan(0);
      expect(existsSync(bench.at('run/report.csv'))).toBe(true);
    },
  );
});

describe('the same command again', () => {
  /** More than are sent by the time that an import is ended twice. */
  const MANY = 1000;

  /** Starts an import, and kills it when the stand-in has seen some more requests. */
  async function killed(): Promise<void> {
    const file = await bench.list(MANY);
    const seen = bench.center.requests.length;
    bench.center.behave = () => ({ delay: 30 });
    const running = bench.start('run', [file], OPTIONS);
    await until(() => bench.center.requests.length >= seen + 12, 'requests arrive');
    running.child.kill('SIGKILL');
    await running.ended;
  }

  it('continues after two SIGKILLs, and settles what was under way', async () => {
    await killed();
    await killed();
    const run = await again();
    expect(run.code, run.stderr).toBe(0);
    const report = run.report();
    expect(report.map(({ row }) => row)).toEqual(leads(MANY).map((_, index) => String(index + 2)));
    expect(countOutcomes(report)).toEqual({ enqueued: MANY });
    for (const line of report) {
      const card = bench.center.cards.get(identityIn(line));
      expect([...(card?.campaigns ?? [])]).toEqual([42]);
      expect(line['createdClientId']).toBe(String(card?.id));
    }
    expect(bench.center.cards.size).toBe(MANY);
    const confirmed = report.filter(({ createResult }) => createResult?.includes('confirmed'));
    expect(confirmed.length).toBeLessThanOrEqual(2 * 2 * 50);
  });

  it('stops in plain words when the ledger is damaged, and sends nothing twice', async () => {
    const stop = new AbortController();
    bench.center.behave = ({ number }) => {
      if (number === 20) stop.abort();
      return undefined;
    };
    await bench.import('run', [await bench.list(MANY)], OPTIONS, stop.signal);
    const pages = await readFile(bench.at('run.db'));
    for (let page = 4; (page + 1) * 4096 < pages.length; page++)
      pages.fill(0x5a, page * 4096 + 100, page * 4096 + 2100);
    await writeFile(bench.at('run.db'), pages);
    const run = await again();
    expect(run.code, run.stderr).toBe(3);
    expect(run.stderr).toContain('run.db');
    expect(twice(bench.center.enqueuings)).toEqual([]);
  });
});

describe('a deadline', () => {
  const DEADLINE = '06:00 UTC';
  /** Beside others, a command may take seconds until its first request. */
  const BEFORE_MS = 4000;

  it('stops the run gently, which says what is left, and goes on with the same command', async () => {
    const file = await bench.list(200);
    const one = ['--campaign', '42', '--batch-size', '10', '--concurrency', '1'];
    bench.center.behave = () => ({ delay: 200 });
    const now = Date.now;
    const shift = new Date().setUTCHours(6, 0, 0, 0) - BEFORE_MS - now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + shift);
    const run = bench.import('run', [file], [...one, '--deadline', DEADLINE]);
    const stopped = await run.finally(() => clock.mockRestore());
    expect(stopped.code, stopped.stderr).toBe(3);
    expect(stopped.stderr).toContain(`It is ${DEADLINE}, at which the run was to stop.`);
    expect(stopped.stdout).toMatch(/^ *waiting +\d/m);
    const { rows, state } = stopped.summary();
    expect(state).toBe('stopped');
    expect(rows).toBeGreaterThan(0);
    bench.center.behave = () => undefined;
    const ended = await bench.import('run', [file], one);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.summary().rows).toBe(200);
  });
});

describe('outside of the permitted hours', () => {
  const hour = (new Date().getUTCHours() + 12) % 24;
  const two = (number: number): string => String(number).padStart(2, '0');
  const hours = `${two(hour)}:00-${two((hour + 1) % 24)}:00 UTC`;
  const CAMPAIGNS = [{}, { campaign: { name: 'Autumn leads' } }, { campaign: { id: 42 } }];
  const closed = (): Promise<string> =>
    bench.write('closed.yaml', installation(bench.center.url, `{ hours: "${hours}" }`));

  it.each(CAMPAIGNS)(
    'a run waits, says until when, and ends when it is asked to: %j',
    async (campaign) => {
      const stop = new AbortController();
      const told: string[] = [];
      const { exitCode } = await importFiles({
        ...{ files: [await bench.list(5)], mapping: bench.at('mapping.yaml'), ...campaign },
        ...{ installation: await closed(), env: bench.environment },
        ...{ ledger: bench.at('run.db'), out: bench.at('run'), signal: stop.signal },
        onWarning: (text) => {
          told.push(text);
          stop.abort();
        },
      });
      expect([exitCode, told]).toEqual([
        3,
        [expect.stringContaining(`permitted ${hours}; the run pauses`)],
      ]);
      expect(told[0]).toContain(`${two(hour)}:00 there`);
      expect(bench.center.requests).toEqual([]);
    },
  );

  it('a run ends where it is not to wait', async () => {
    const options = ['-i', await closed(), '--campaign', 'Autumn leads', '--no-wait-for-hours'];
    const { code, stderr } = await bench.import('run', [await bench.list(5)], options);
    expect(code, stderr).toBe(3);
    expect(stderr).toContain(`Requests are permitted ${hours}, and the run was not to wait.`);
    expect(stderr).toContain(`${two(hour)}:00 there`);
    expect(bench.center.requests).toEqual([]);
  });
});
