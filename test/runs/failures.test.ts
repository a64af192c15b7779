import { describe, expect, it } from 'vitest';
import type * as Library from '../../src/index.js';
import { LIBRARY, built } from '../kit/built.js';
import { countOutcomes, identityOf, lead, until, useBench, twice } from '../kit/bench.js';

const { importFiles } = await built<typeof Library>(LIBRARY);

const bench = useBench({ after: ({ center }) => expect(twice(center.creations)).toEqual([]) });

/** More than a chunk has: the last tenth is counted with the second one. */
const ROWS = 1200;
const OPTIONS = ['--batch-size', '50', '--concurrency', '2'];
const numbers = Array.from({ length: ROWS }, (_, index) => index + 1);

/** A file of which these rows are rejected by the mapping. */
const fileWith = (isRejected: (number: number) => boolean): Promise<string> =>
  bench.list(numbers.map((number) => lead(number, isRejected(number) ? { Mobile: 'none' } : {})));

/** The contact center refuses the clients of these rows. */
function refusing(isRefused: (number: number) => boolean, delay = 0): void {
  const refused = new Set(numbers.filter(isRefused).map((number) => String(100_000 + number)));
  bench.center.behave = ({ operation }) =>
    operation === '4.1'
      ? {
          delay,
          refuse: ({ fields }) =>
            refused.has(String((fields as { offerId: unknown }).offerId)) ? 'Refused.' : undefined,
        }
      : undefined;
}

const first = (percent: number) => (number: number) => number <= (ROWS * percent) / 100;
const last = (percent: number) => (number: number) => number > ROWS - (ROWS * percent) / 100;
const nobody = () => false;
const importing = (file: string, ...more: string[]) =>
  bench.import('run', [file], [...OPTIONS, ...more]);

const resume = (...more: string[]) => bench.run('resume', '--ledger', bench.at('run.db'), ...more);

/** Begins an import, and kills it when it has sent something. */
async function killed(...more: string[]): Promise<void> {
  bench.center.behave = ({ operation }) =>
    operation === '4.1' ? { delay: 60_000, untouched: true } : undefined;
  const seen = bench.center.requests.length;
  const { child, ended } = bench.start('run', [await fileWith(nobody)], [...OPTIONS, ...more]);
  await until(() => bench.center.requests.length > seen + 1, 'it is sent');
  child.kill('SIGKILL');
  await ended;
}

describe('a share of failures is one of all rows', () => {
  it('3 % bad rows pass 5 %, whether refused at the beginning or rejected at the end', async () => {
    refusing(first(1.5));
    const run = await importing(await fileWith(last(1.5)), '--max-failures', '5%');
    expect(run.code, run.stderr).toBe(2);
    expect(run.summary()).toMatchObject({ rows: ROWS, state: 'finished' });
    expect(countOutcomes(run.report())['created']).toBe(ROWS * 0.97);
  });

  it('too many rejected rows, at the end: nothing is sent, and a higher limit begins', async () => {
    const file = await fileWith(last(10));
    const stopped = await importing(file, '--max-failures', '5%');
    expect(stopped.code).toBe(3);
    expect(stopped.stderr).toMatch(
      /120 of 1,200 rows are rejected \(10 %\), more than the 5 % that --max-failures allows, so nothing was sent\. Most frequent: 120 x Mobile: .*"cardline check"/,
    );
    expect(bench.center.requests).toEqual([]);
    expect(stopped.summary()).toMatchObject({ rows: 0, unread: ROWS, state: 'stopped' });
    const run = await importing(file, '--max-failures', '20%');
    expect(run.code, run.stderr).toBe(2);
    expect(countOutcomes(run.report())).toEqual({ created: ROWS * 0.9, rejected: ROWS * 0.1 });
  });

  it('rows that are refused stop the run in time; whoever goes on keeps the limit, or names a higher one', async () => {
    refusing(first(10));
    const file = await fileWith(nobody);
    const stopped = await importing(file, '--campaign', '42', '--max-failures', '5%');
    expect(stopped.code).toBe(3);
    expect(stopped.stderr).toMatch(
      /of 1,200 rows did not end well, more than the 5 % that are allowed/,
    );
    const seen = bench.center.requests.length;
    expect(bench.center.creations.size).toBeLessThan(200);
    for (const { code, stderr } of [
      await importing(file, '--campaign', '42', '--max-failures', '5%'),
      await resume(),
    ])
      expect([code, stderr]).toEqual([
        3,
        expect.stringMatching(
          /than the 5 % .* so nothing more was sent.* a higher --max-failures/s,
        ),
      ]);
    expect(bench.center.requests.slice(seen).filter(({ clients }) => clients > 0)).toEqual([]);
    const run = bench.imported('run', await resume('--max-failures', '20%'));
    expect(run.code, run.stderr).toBe(2);
    expect(countOutcomes(run.report())).toEqual({ enqueued: ROWS * 0.9, failed: ROWS * 0.1 });
    expect(twice(bench.center.enqueuings)).toEqual([]);
  });

  it('a limit that a later command names is kept from then on', async () => {
    const answer = { status: 401, body: '' };
    bench.center.behave = ({ operation, number }) =>
      operation === '4.1' && number > 1 ? { untouched: true, answer } : undefined;
    const file = await fileWith(nobody);
    expect((await importing(file)).code).toBe(3);
    expect((await importing(file, '--max-failures', '5%')).code).toBe(3);
    refusing(first(10));
    const stopped = await resume();
    expect([stopped.code, stopped.stderr]).toEqual([
      3,
      expect.stringMatching(/more than the 5 % that are allowed/),
    ]);
  });
});

describe('a canary', () => {
  it('is judged by its own clients, whatever rows are rejected, and waited for when its answers are lost', async () => {
    const refused = 100_000 + ROWS * 0.05 + 1;
    bench.center.behave = ({ operation, number }) => {
      if (operation !== '4.1') return undefined;
      if (number === 1) return { untouched: true, drop: true };
      return {
        refuse: (client) => (JSON.stringify(client).includes(`:${refused},`) ? 'No.' : undefined),
      };
    };
    const run = await importing(
      await fileWith(first(5)),
      '--canary',
      '10',
      '--max-failures',
      '11%',
    );
    expect(run.code, run.stderr).toBe(2);
    expect(countOutcomes(run.report())).toEqual({
      ...{ created: ROWS * 0.95 - 1, rejected: ROWS * 0.05, failed: 1 },
    });
    const creations = bench.center.requests.filter(({ operation }) => operation === '4.1');
    const canary = numbers
      .slice(ROWS * 0.05)
      .slice(0, 10)
      .map((number) => identityOf(lead(number)));
    expect(creations.slice(0, 2).map(({ identities }) => identities)).toEqual([canary, canary]);
  });

  it('holds on after its process was killed, and when the run is resumed', async () => {
    await killed('--canary', '10');
    refusing((number) => number === 3);
    const sick = await resume();
    expect([sick.code, sick.stderr]).toEqual([3, expect.stringContaining('first rows failed')]);
    expect(bench.center.creations.size).toBe(9);
    const resumed = await resume();
    expect(resumed.code, resumed.stderr).toBe(2);
    expect(bench.center.creations.size).toBe(ROWS - 1);
  });

  it('is told of who stops the run while it is sent', async () => {
    refusing((number) => number === 3, 1000);
    const stop = new AbortController();
    const running = importFiles({
      ...{ files: [await fileWith(nobody)], mapping: bench.at('mapping.yaml') },
      ...{ installation: bench.at('center.yaml'), env: bench.environment },
      ...{ ledger: bench.at('run.db'), out: bench.at('run'), signal: stop.signal, canary: 10 },
    });
    await until(() => bench.center.requests.some(({ clients }) => clients > 0), 'it is sent');
    stop.abort();
    const { exitCode, stopped } = await running;
    expect([exitCode, stopped]).toEqual([3, expect.stringContaining('first rows failed')]);
    expect(bench.center.creations.size).toBe(9);
  });
});
