import { rmSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Cable, startCable } from '../fleet/cable.js';
import { type Running, startSubmitter } from '../fleet/harness.js';
import { codeOf } from '../../../src/core/errors.js';
import type { ImportRequest } from '../../../src/run/requests.js';
import type { Ended } from '../../kit/cardline.js';
import { withPostgres } from '../../kit/with-postgres.js';
import { countOutcomes, installation, useBench, twice, until } from '../../kit/bench.js';

/** LEASE_ROUNDS: how often everything is tried. */
const rounds = Array.from({ length: Number(process.env['LEASE_ROUNDS'] ?? 1) }, (_, at) => at + 1);
const ROWS = 200;
const LEASE = { leaseMs: 2500, renewMs: 400 };
const OPTIONS = { shared: false, batchSize: 20, concurrency: 2, lease: LEASE };
const CAMPAIGN = { campaign: { id: 42 } };
const LONG_MS = 180_000;

const bench = useBench();
let file: string;
beforeEach(async () => {
  const named = installation(bench.center.url).replace(
    'headers: {',
    'headers: { X-Worker: "${WORKER}",',
  );
  await bench.write('center.yaml', named);
  file = await bench.list(ROWS);
});

const requestsOf = (name: string) =>
  bench.center.requests.filter(({ headers }) => headers['x-worker'] === name);
const changesOf = (name: string) =>
  requestsOf(name).filter(({ operation }) => !['4.8', '4.12', '4.19'].includes(operation));

type Start = (name: string, options?: Partial<ImportRequest>) => Running;
const starterOn =
  (at: string): Start =>
  (name, options = {}) =>
    startSubmitter(
      {
        ...{ files: [file], ledger: at, out: bench.at('run') },
        ...{ mapping: bench.at('mapping.yaml'), installation: bench.at('center.yaml') },
        ...{ ...OPTIONS, ...options },
      },
      { ...bench.environment, WORKER: name },
    );

/** Holds the first request of a process that changes anything until `open` is called. */
function holdFirstOf(name: string): () => void {
  let open: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    open = resolve;
  });
  bench.center.behave = ({ headers, operation }) =>
    headers['x-worker'] === name && operation !== '4.19' && changesOf(name).length === 1
      ? { hold: over }
      : undefined;
  return open;
}

withPostgres('a process that lost its run', (server) => {
  let cable: Cable;
  let database: string;
  beforeEach(async () => {
    database = await server.ledger();
    cable = await startCable(server.port);
    return () => cable.close();
  }, 60_000);

  const count = async (of: string): Promise<number> => {
    const name = new URL(database).pathname.slice(1);
    const [found] = await server.execute(name, `SELECT count(*)::int AS n FROM ${of}`);
    return (found as { n: number }).n;
  };
  const throughCable = (): string => {
    const address = new URL(database);
    address.port = String(cable.port);
    return address.href;
  };

  interface Way {
    readonly what: string;
    /** What was done before. */
    readonly before?: Partial<ImportRequest>;
    readonly options: (run: string) => Partial<ImportRequest> & { readonly undoes?: string };
    /**
     * Kind of the fact with which it says that it is about to send a batch; absent: it sends the clients of a batch one by
     * one, so that some wait whenever one is under way.
     */
    readonly intent?: string;
    readonly ends: Readonly<Record<string, number>>;
    /** How often it was done for each client; adding to a campaign may be asked for twice, and is done once. */
    readonly done: () => ReadonlyMap<string, number>;
  }
  const WAYS: readonly Way[] = [
    {
      what: 'creates clients',
      options: () => CAMPAIGN,
      intent: 'creating',
      ends: { enqueued: ROWS },
      done: () => bench.center.creations,
    },
    {
      what: 'adds clients to a campaign',
      before: {},
      options: () => ({ ...CAMPAIGN, mode: 'enqueue' }),
      intent: 'enqueuing',
      ends: { enqueued: ROWS },
      done: () =>
        new Map([...bench.center.cards].map(([client, { campaigns }]) => [client, campaigns.size])),
    },
    {
      what: 'deletes clients',
      before: {},
      options: () => ({ mode: 'delete', confirmed: true }),
      ends: { deleted: ROWS },
      done: () => bench.center.deletions,
    },
    {
      what: 'takes a run back',
      before: {},
      options: (run) => ({ undoes: run }),
      ends: { undone: ROWS },
      done: () => bench.center.deletions,
    },
  ];

  const ways = WAYS.flatMap((way) => rounds.map((round) => ({ ...way, round })));
  for (const [at, { what, round, before, options, intent, ends, done }] of ways.entries())
    it(
      `sends nothing between its intent and its request: one that ${what} (${round})`,
      { timeout: LONG_MS, tags: at === 0 ? [] : 'depth' },
      async () => {
        let run = '';
        if (before) {
          const ended = await starterOn(database)('before', before).ended;
          expect(ended.code, ended.stderr).toBe(0);
          run = (JSON.parse(ended.stdout) as { summary: { run: string } }).summary.run;
        }
        const intents = () =>
          count(`cardline.fact WHERE kind = '${intent}' AND run = (
        SELECT max(place) FROM cardline.run)`);
        const open = holdFirstOf('late');
        const late = starterOn(throughCable())('late', options(run));
        await until(() => changesOf('late').length > 0, 'it sends');
        if (intent !== undefined) {
          // From here on, it learns of nothing that it puts on record: the next intent waits for its confirmation.
          cable.holdsAnswers = true;
          const [known, sent] = [await intents(), changesOf('late').length];
          open();
          // Where it waits for the confirmation of a result, no intent follows: then it is paused just there.
          await happens(async () => (await intents()) > known || known > sent, 100);
        }
        late.child.kill('SIGSTOP');
        open();
        // What the kernel had of it is passed on all the same.
        await sleep(500);
        await bench.center.quiet();
        const left = requestsOf('late').length;
        const other = await endedOnceFree(() => starterOn(database)('other', options(run)));
        expect(other.code, other.stderr).toBe(0);
        cable.holdsAnswers = false;
        late.child.kill('SIGCONT');
        const lost = await late.ended;
        expect([lost.code, lost.stderr]).toEqual([
          3,
          expect.stringMatching(/Another process has taken run \S+, since this one did not answer/),
        ]);
        expect(requestsOf('late').slice(left)).toEqual([]);
        expect(twice(done())).toEqual([]);
        expect(done().size).toBe(ROWS);
        // Its report is that of the process that has the run.
        const after = bench.imported('run', other);
        expect(countOutcomes(after.report())).toEqual(ends);
        expect(after.summary().state).toBe('finished');
        const name = new URL(database).pathname.slice(1);
        const states = await server.execute(name, 'SELECT DISTINCT state FROM cardline.run');
        expect(states).toEqual([{ state: 'finished' }]);
      },
    );

  it.each(rounds)(
    'goes on after a pause in which nobody took it (%i)',
    async () => {
      const open = holdFirstOf('late');
      const late = starterOn(database)('late', CAMPAIGN);
      await until(() => changesOf('late').length > 0, 'it sends');
      late.child.kill('SIGSTOP');
      open();
      await sleep(LEASE.leaseMs * 2);
      late.child.kill('SIGCONT');
      const ended = await late.ended;
      expect(ended.code, ended.stderr).toBe(0);
      expect(twice(bench.center.creations)).toEqual([]);
      expect(countOutcomes(bench.imported('run', ended).report())).toEqual({ enqueued: ROWS });
    },
    LONG_MS,
  );
});

describe('a process that is paused, with runs in a file', () => {
  it.each(rounds)(
    'keeps its run, however long that takes (%i)',
    { tags: 'depth', timeout: LONG_MS },
    async () => {
      const open = holdFirstOf('late');
      const late = starterOn(bench.at('run.db'))('late', CAMPAIGN);
      await until(() => changesOf('late').length > 0, 'it sends');
      late.child.kill('SIGSTOP');
      open();
      const refused = await starterOn(bench.at('run.db'))('other', CAMPAIGN).ended;
      expect([refused.code, refused.stderr]).toEqual([
        3,
        expect.stringMatching(/has been working on run/),
      ]);
      late.child.kill('SIGCONT');
      const ended = await late.ended;
      expect(ended.code, ended.stderr).toBe(0);
      expect(changesOf('other')).toEqual([]);
      expect(twice(bench.center.creations)).toEqual([]);
      expect(countOutcomes(bench.imported('run', ended).report())).toEqual({ enqueued: ROWS });
    },
  );

  it.each(rounds)(
    'sends nothing more once somebody has removed its lock, and another one has the run (%i)',
    async () => {
      const open = holdFirstOf('late');
      const late = starterOn(bench.at('run.db'))('late', CAMPAIGN);
      await until(() => changesOf('late').length > 0, 'it sends');
      await pauseBetweenWrites(late, bench.at('run.db'));
      open();
      // What the kernel had of it is passed on all the same.
      await sleep(500);
      await bench.center.quiet();
      for (const name of readdirSync(bench.at('.')))
        if (name.endsWith('.lock')) rmSync(bench.at(name));
      const left = requestsOf('late').length;
      const other = await starterOn(bench.at('run.db'))('other', CAMPAIGN).ended;
      expect(other.code, other.stderr).toBe(0);
      late.child.kill('SIGCONT');
      const lost = await late.ended;
      expect([lost.code, lost.stderr]).toEqual([3, expect.stringMatching(/has taken run/)]);
      expect(requestsOf('late').slice(left)).toEqual([]);
      expect(twice(bench.center.creations)).toEqual([]);
    },
    LONG_MS,
  );
});

/** Pauses a process at a moment at which it writes nothing: else nobody could write to its file meanwhile. */
async function pauseBetweenWrites({ child }: Running, ledger: string): Promise<void> {
  const database = new Database(ledger, { timeout: 0 });
  try {
    for (let left = 100; left > 0; left--) {
      child.kill('SIGSTOP');
      // It is stopped a moment later.
      await sleep(50);
      try {
        database.exec('BEGIN IMMEDIATE; ROLLBACK');
        return;
      } catch (error) {
        if (codeOf(error) !== 'SQLITE_BUSY') throw error;
      }
      child.kill('SIGCONT');
      await sleep(20);
    }
    throw new Error('It writes all the time.');
  } finally {
    database.close();
  }
}

/** Runs a command again, as a person would, for as long as it is refused since somebody has had the run. */
async function endedOnceFree(start: () => Running): Promise<Ended> {
  // It is refused until the lease has lapsed.
  await sleep(LEASE.leaseMs);
  for (let left = 20; ; left--) {
    const ended = await start().ended;
    if (left === 0 || ended.code !== 3 || !/has been working on run/.test(ended.stderr))
      return ended;
  }
}

/** Waits for it, and asks so often at most. */
async function happens(ask: () => Promise<boolean>, times: number): Promise<void> {
  for (let left = times; left > 0 && !(await ask()); left--) await sleep(20);
}
