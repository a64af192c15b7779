import { describe, expect, it } from 'vitest';
import { cardline } from '../kit/cardline.js';
import { countOutcomes, csv, identityOf, lead, useBench, twice, until } from '../kit/bench.js';

const bench = useBench({ after: ({ center }) => expect(twice(center.creations)).toEqual([]) });

const ROWS = 1000;
const OPTIONS = ['--batch-size', '20', '--concurrency', '2'];
const numbers = Array.from({ length: ROWS }, (_, index) => index + 1);

/** A file of which these rows are rejected by the mapping. */
const fileWith = (isRejected: (number: number) => boolean): Promise<string> =>
  bench.write(
    'leads.csv',
    csv(numbers.map((number) => lead(number, isRejected(number) ? { Mobile: 'none' } : {}))),
  );

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

const resume = (...more: string[]) =>
  bench.run('resume', '--ledger', bench.at('run.db'), ...more);

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
  it.each([
    ['rejected, at the beginning', first(3), nobody],
    ['refused and rejected', first(1.5), last(1.5)],
  ])('3 % bad rows pass 5 %: %s', async (_where, isRejected, isRefused) => {
    refusing(isRefused);
    const run = await importing(await fileWith(isRejected), '--max-failures', '5%');
    expect(run.code, run.stderr).toBe(2);
    expect(run.summary()).toMatchObject({ rows: ROWS, state: 'finished' });
    expect(countOutcomes(run.report())['created']).toBe(970);
  });

  it('10 % bad rows never stop at 90 %', async () => {
    refusing(first(10));
    const run = await importing(await fileWith(nobody), '--max-failures', '90%');
    expect(run.code, run.stderr).toBe(2);
    expect(run.summary()).toMatchObject({ rows: ROWS, state: 'finished' });
  });

  it('too many rejected rows, at the end: nothing is sent, and a higher limit begins', async () => {
    const file = await fileWith(last(10));
    const stopped = await importing(file, '--max-failures', '5%');
    expect(stopped.code).toBe(3);
    expect(stopped.stderr).toMatch(
      /100 of 1,000 rows are rejected \(10 %\), more than the 5 % that --max-failures allows, so nothing was sent\. Most frequent: 100 x Mobile: .*"cardline check"/,
    );
    expect(bench.center.requests).toEqual([]);
    expect(stopped.summary()).toMatchObject({ rows: 0, unread: ROWS, state: 'stopped' });
    const run = await importing(file, '--max-failures', '20%');
    expect(run.code, run.stderr).toBe(2);
    expect(countOutcomes(run.report())).toEqual({ created: 900, rejected: 100 });
  });

  it('rows that are refused stop the run in time, and a higher limit continues it to its end', async () => {
    refusing(first(10));
    const file = await fileWith(nobody);
    const stopped = await importing(file, '--campaign', '42', '--max-failures', '5%');
    expect(stopped.code).toBe(3);
    expect(stopped.stderr).toMatch(
      /of 1,000 rows did not end well, more than the 5 % that are allowed/,
    );
    const seen = bench.center.requests.length;
    expect(bench.center.creations.size).toBeLessThan(200);
    const same = await importing(file, '--campaign', '42', '--max-failures', '5%');
    expect(same.code).toBe(3);
    expect(same.stderr).toMatch(/so nothing more was sent/);
    expect(bench.center.requests.slice(seen).filter(({ clients }) => clients > 0)).toEqual([]);
    const run = await importing(file, '--campaign', '42', '--max-failures', '20%');
    expect(run.code, run.stderr).toBe(2);
    expect(countOutcomes(run.report())).toEqual({ enqueued: 900, failed: 100 });
    expect(twice(bench.center.enqueuings)).toEqual([]);
  });

  it('resume keeps the limit that the run began with, until it is given another one', async () => {
    refusing(first(10));
    const file = await fileWith(nobody);
    expect((await importing(file, '--max-failures', '5%')).code).toBe(3);
    const seen = bench.center.requests.length;
    const refused = await resume();
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringMatching(/than the 5 % .* so nothing more was sent.* a higher --max-failures/s),
    ]);
    expect(bench.center.requests.slice(seen).filter(({ clients }) => clients > 0)).toEqual([]);
    const resumed = await resume('--max-failures', '20%');
    expect(resumed.code, resumed.stderr).toBe(2);
    expect(bench.center.creations.size).toBe(900);
  });

  it('a limit that a later command names is kept from then on', async () => {
    await killed();
    await killed('--max-failures', '5%');
    refusing(first(10));
    const stopped = await resume();
    expect([stopped.code, stopped.stderr]).toEqual([
      3,
      expect.stringMatching(/more than the 5 % that are allowed/),
    ]);
  });

  it('a number stops at the first row beyond it, also of few rows', async () => {
    refusing((number) => number % 2 === 0 && number <= 42);
    const file = await bench.write('few.csv', csv(numbers.slice(0, 60).map((n) => lead(n))));
    const options = ['--batch-size', '1', '--concurrency', '1', '--max-failures'];
    const stopped = await bench.import('run', [file], [...options, '20']);
    expect(stopped.code).toBe(3);
    expect(countOutcomes(stopped.report())['failed']).toBe(21);
    const run = await bench.import('run', [file], [...options, '21']);
    expect(run.code, run.stderr).toBe(2);
    expect(run.summary().rows).toBe(60);
  });

  it('standard input is counted as well', { tags: 'depth' }, async () => {
    const text = csv(
      numbers.map((number) => lead(number, first(10)(number) ? { Mobile: '' } : {})),
    );
    const args = bench.args('run', ['-'], ['--max-failures', '5%']);
    const { code, stderr } = await cardline(args, { input: text, env: bench.environment });
    expect(code, stderr).toBe(3);
    expect(bench.center.requests).toEqual([]);
  });
});

describe('a canary', () => {
  it('is judged by its own clients, whatever rows are rejected', async () => {
    refusing((number) => number === 51);
    const file = await fileWith(first(5));
    const options = ['--canary', '40', '--max-failures', '6%'];
    const run = await importing(file, ...options);
    expect(run.code, run.stderr).toBe(2);
    expect(countOutcomes(run.report())).toEqual({ created: 949, rejected: 50, failed: 1 });
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
    const { child, ended } = bench.start(
      'run',
      [await fileWith(nobody)],
      [...OPTIONS, ...['--canary', '10']],
    );
    await until(() => bench.center.requests.some(({ clients }) => clients > 0), 'it is sent');
    child.kill('SIGINT');
    const stopped = await ended;
    expect([stopped.code, stopped.stderr]).toEqual([
      3,
      expect.stringContaining('first rows failed'),
    ]);
    expect(bench.center.creations.size).toBe(9);
  });

  it('is waited for when its answers are lost', async () => {
    bench.center.behave = ({ operation, number }) =>
      operation === '4.1' && number === 1 ? { untouched: true, drop: true } : undefined;
    const run = await importing(await fileWith(nobody), '--canary', '10');
    expect(run.code, run.stderr).toBe(0);
    const creations = bench.center.requests.filter(({ operation }) => operation === '4.1');
    const canary = numbers.slice(0, 10).map((number) => identityOf(lead(number)));
    expect(creations.slice(0, 2).map(({ identities }) => identities)).toEqual([canary, canary]);
  });
});
