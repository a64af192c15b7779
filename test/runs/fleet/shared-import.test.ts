import { readFileSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import type { FleetState } from '../../../src/run/shared.js';
import { lead, leads, useBench, twice, until } from '../../kit/bench.js';
import { cardline, type Ended, startCardline } from '../../kit/cardline.js';
import { withPostgres } from '../../kit/with-postgres.js';
import { everythingOnce } from '../../proof/harness.js';
import { type Machines, machinesOf, withoutIds } from './harness.js';

/** None has fewer rows than a chunk. */
const PIECE = 1000;
const ROWS = 1.5 * PIECE;
/**
 * More pieces than one machine takes at a time, so that the other one gets some. The first row of each client wins, wherever
 * its piece is; some rows are no clients at all.
 */
const rows = leads(4 * PIECE).map((row, at) => {
  if (at % 33 === 32) return lead((at * 7) % 500, { Comment: 'again' });
  return at % 50 === 49 ? { ...row, Mobile: 'none', Other: '' } : row;
});

withPostgres('import --shared', (server) => {
  const bench = useBench();
  let machines: Machines;
  beforeEach(async () => {
    machines = machinesOf(bench, await server.ledger(), PIECE);
  }, 30_000);

  it('is done by two processes as by one, with the same report', async () => {
    const file = await bench.list(rows);
    const alone = await bench.import('alone', [file], ['--campaign', '42']);
    expect(alone.code, alone.stderr).toBe(2);
    const books = [bench.center.creations.size, bench.center.cards.size];
    bench.center.forget();
    const worker = machines.worker('--max-pieces', '1');
    // No client is carried out before the worker has taken a piece.
    const hold = new Promise<void>((resolve) => {
      worker.child.stderr.on('data', (text: string) => {
        if (text.includes(': taken')) resolve();
      });
    });
    bench.center.behave = ({ clients }) => (clients > 0 ? { hold } : undefined);
    const ended = await machines.submit('shared', file).ended;
    worker.child.kill('SIGTERM');
    const worked = await worker.ended;
    expect([ended.code, worked.code], ended.stderr + worked.stderr).toEqual([2, 0]);
    expect(worked.stderr).toMatch(/Piece \d of run \S+: ended/);
    const shared = machines.imported('shared', ended);
    expect(withoutIds(shared.report())).toEqual(withoutIds(alone.report()));
    const { outcomes, state } = shared.summary();
    expect({ outcomes, state }).toMatchObject({
      outcomes: alone.summary().outcomes,
      state: 'finished',
    });
    expect(shared.rejects()).toEqual(alone.rejects());
    expect([bench.center.creations.size, bench.center.cards.size]).toEqual(books);
    expect(twice(bench.center.creations)).toEqual([]);
    expect(bench.center.violations).toEqual([]);
    // Anywhere else, the report is the same to the byte.
    const printed = await cardline(
      ['report', shared.summary().run, '--ledger', machines.ledger, '--format', 'csv'],
      { cwd: bench.at('.') },
    );
    expect(printed.stdout).toBe(readFileSync(bench.at('shared/report.csv'), 'utf8'));
  }, 120_000);

  it('may be left to workers, is refused to others meanwhile, and is done when asked for again', async () => {
    const file = await bench.list(ROWS);
    const [one, other] = await Promise.all([
      machines.submitHere('one', file, { detach: true }),
      machines.submit('other', file, { detach: true }).ended,
    ]);
    expect([one.code, other.code], one.stderr + other.stderr).toEqual([0, 0]);
    const runOf = ({ stdout }: Ended): string =>
      (JSON.parse(stdout) as { summary: { run: string } }).summary.run;
    expect(runOf(one)).toBe(runOf(other));
    const alone = await bench.import(
      'alone',
      [file],
      [...['--campaign', '42', '--ledger', machines.ledger]],
    );
    expect(alone.code).toBe(64);
    expect(alone.stderr).toMatch(/is shared by several machines, and 2 of its pieces are left/);
    // Without its secret, a worker takes nothing.
    const poor = startCardline(['worker', '--ledger', machines.ledger]);
    const [rich, narrow] = [machines.worker(), machines.worker('--installations', 'another')];
    await until(() => bench.center.cards.size === ROWS, 'all clients are there');
    const ended = await machines.submitHere('one', file);
    expect(ended.code, ended.stderr).toBe(0);
    expect(machines.imported('one', ended).report()).toHaveLength(ROWS);
    for (const { child } of [poor, rich, narrow]) child.kill('SIGTERM');
    expect((await poor.ended).stderr).toMatch(/Nothing of run \S+ is taken: .*CARDLINE_TEST_TOKEN/);
    for (const worker of [poor, narrow]) expect((await worker.ended).stderr).not.toMatch(/: taken/);
    expect((await rich.ended).code).toBe(0);
    expect(twice(bench.center.creations)).toEqual([]);
  }, 120_000);

  it(
    'says that its time is over where it stops at its deadline',
    { tags: 'depth', timeout: 120_000 },
    async () => {
      const file = await bench.list(500);
      bench.center.behave = () => ({ delay: 300 });
      const running = machines.submit('run', file, { batchSize: 100, concurrency: 2 });
      await until(() => bench.center.cards.size > 0, 'it sends');
      running.child.kill('SIGUSR2');
      const { code, stdout } = await running.ended;
      expect(code).toBe(3);
      expect(JSON.parse(stdout)).toMatchObject({ stopped: 'It is 06:00.' });
    },
  );

  it('goes on elsewhere at once with what a worker gives back when it is stopped', async () => {
    const file = await bench.list(ROWS);
    // Answers are slow until somebody has been stopped.
    let isSlow = true;
    bench.center.behave = () => (isSlow ? { delay: 300 } : undefined);
    const first = machines.worker();
    await machines.submitHere('run', file, { detach: true, batchSize: 100, concurrency: 2 });
    await until(() => bench.center.cards.size > 100, 'the first worker sends');
    const seen = await cardline(['fleet', '--ledger', machines.ledger, '--json']);
    const { workers, runs, pieces } = JSON.parse(seen.stdout) as FleetState;
    expect(workers.map(({ pid }) => pid)).toEqual([first.child.pid]);
    expect(runs).toMatchObject([{ pieces: 2, isWhole: true, ended: 0, rows: ROWS }]);
    expect(pieces.map(({ number, rows }) => [number, rows])).toEqual([
      [0, PIECE],
      [1, ROWS - PIECE],
    ]);
    const shown = await cardline(['fleet', '--ledger', machines.ledger]);
    expect(shown.stdout).toMatch(/^\d of \S+ +1,000 +\d+ +\d+ on \S+ +\d+ s$/m);
    first.child.kill('SIGTERM');
    const stopped = await first.ended;
    expect(stopped.code, stopped.stderr).toBe(0);
    isSlow = false;
    const began = Date.now();
    const second = machines.worker();
    await until(() => bench.center.cards.size === ROWS, 'the second worker goes on');
    const ended = await machines.submitHere('run', file);
    expect(ended.code, ended.stderr).toBe(0);
    // A lease that is not given back takes 30 s to lapse.
    console.log(`gone on within ${Date.now() - began} ms`);
    second.child.kill('SIGTERM');
    await second.ended;
    everythingOnce(bench, machines.imported('run', ended), ROWS);
  }, 120_000);

  it.each([
    ['the sandbox of the command', { baseUrl: 'http://127.0.0.1:9' }, /--sandbox/],
    ['a ledger in a file', { ledger: 'here.db' }, /postgres:\/\//],
  ])('is refused with %s, before anything is begun', async (_what, options, why) => {
    const file = await bench.list(3);
    const refused = await machines.submitHere('run', file, options);
    expect([refused.code, refused.stdout]).toEqual([64, '']);
    expect(refused.stderr).toMatch(why);
    expect(bench.center.requests).toEqual([]);
  });
});
