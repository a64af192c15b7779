import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LIBRARY, built } from '../../kit/built.js';
import type * as Library from '../../../src/index.js';
import type { Misbehaviour, Operation, SeenRequest } from '../../kit/contact-center.js';
import { POSTGRES, type SharedPostgres, startPostgres, WITHOUT } from '../../kit/postgres.js';
import { machinesOf } from '../fleet/harness.js';
import { csv, leads, MAPPING, useBench, twice, until } from '../../kit/bench.js';

const { importFiles } = await built<typeof Library>(LIBRARY);

const ROWS = 300;
const CANARY = ['--canary', '5', '--campaign', '42'];

const IN_USE =
  /^Another process \(\d+ on \S+\) has been working on run \S+ since \S+; wait for it, or stop it and run the same command again\.$/m;
const BESIDE =
  /Another run is at work on this contact center: run \S+\. What is in doubt may be sent by both/;

/** What has to be waited for before a request is answered. */
class Hold {
  open = (): void => undefined;
  readonly over = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

/** Holds the first creation up. */
function holdFirst(): Hold {
  const hold = new Hold();
  bench.center.behave = ({ operation, number }) =>
    operation === '4.1' && number === 1 ? { hold: hold.over } : undefined;
  return hold;
}

const sick: Misbehaviour = { refuse: () => 'No such role.' };

let server: SharedPostgres | undefined;
beforeAll(async () => {
  if (POSTGRES !== undefined) server = await startPostgres();
}, 60_000);
afterAll(() => server?.remove(), 60_000);

const bench = useBench();
let file: string;
beforeEach(async () => {
  file = await bench.list(ROWS);
});

interface Kind {
  readonly name: string;
  readonly isThere: boolean;
  /** Where runs are kept. */
  readonly ledger: () => Promise<string>;
}

const KINDS: readonly Kind[] = [
  { name: 'a file', isThere: true, ledger: () => Promise.resolve(bench.at('run.db')) },
  {
    name: `PostgreSQL${WITHOUT}`,
    isThere: POSTGRES !== undefined,
    ledger: async () => (await server?.ledger()) ?? '',
  },
];

const seen = (operation: Operation, clients = 0): SeenRequest[] =>
  bench.center.requests.filter((one) => one.operation === operation && one.clients >= clients);

/** Resolves when a command waits for the lease of another one, and has found out that somebody has it. */
async function waitsFor(ledger: string, { ended }: { ended: Promise<unknown> }): Promise<void> {
  if (!ledger.startsWith('postgres')) return;
  const over = { isOver: false };
  void ended.then(() => (over.isOver = true));
  const database = new URL(ledger).pathname.slice(1);
  const asked = `SELECT FROM pg_stat_activity WHERE datname = '${database}' AND query LIKE '%AS "isLive"%'
    AND pid <> pg_backend_pid()`;
  while (!over.isOver && (await server?.execute(database, asked))?.length === 0) await sleep(20);
}

/** Tests that one kind of ledger is enough for each time: both share all but the lock itself. */
const inDepth = (name: string, isKept: (name: string) => boolean): 'depth' | [] =>
  isKept(name) ? [] : 'depth';
const inFile = (name: string): boolean => name === 'a file';
const inPostgres = (name: string): boolean => POSTGRES === undefined || !inFile(name);

describe.each(KINDS)(
  'a command beside another one, with runs in $name',
  ({ name, isThere, ledger }) => {
    const start = (at: string, name: string, options: readonly string[], files = [file]) =>
      bench.start(name, files, ['--ledger', at, ...options]);

    it.skipIf(!isThere)(
      'is refused where that one stops by its canary meanwhile',
      { tags: inDepth(name, inPostgres), timeout: 120_000 },
      async () => {
        const at = await ledger();
        const hold = new Hold();
        bench.center.behave = ({ operation }) =>
          operation === '4.1' ? { ...sick, hold: hold.over } : undefined;
        const first = start(at, 'first', CANARY);
        await until(() => seen('4.1').length === 1, 'the canary is sent');
        const second = start(at, 'second', CANARY);
        await waitsFor(at, second);
        if (at.startsWith('postgres')) hold.open();
        const refused = await second.ended;
        hold.open();
        expect((await first.ended).code).toBe(3);
        expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(IN_USE)]);
        expect(seen('4.1')).toHaveLength(1);
      },
    );

    const OVERLAPPING = `duplicates: { within: runs }\n${MAPPING}`;
    /** Two lists with 100 clients in both. */
    const overlapping = async () => {
      await bench.write('mapping.yaml', OVERLAPPING);
      return [
        await bench.write('one.csv', csv(leads(200))),
        await bench.write('other.csv', csv(leads(ROWS).slice(100))),
      ] as const;
    };

    /** One that sends, and a second one that waits for its end. */
    const waitingBeside = async (at: string) => {
      const [one, other] = await overlapping();
      const hold = holdFirst();
      const first = start(at, 'first', SLOW, [one]);
      await until(() => seen('4.1').length === 1, 'the first one sends');
      const second = start(at, 'second', [...SLOW, '--wait-for-runs'], [other]);
      let said = '';
      second.child.stderr.on('data', (text: string) => (said += text));
      await until(() => /Waiting until other runs/.test(said), 'it waits');
      return { hold, first, second };
    };
    const SLOW = ['--campaign', '42', '--batch-size', '50', '--concurrency', '1'];

    it.skipIf(!isThere)(
      'is refused with --again for the same file, and told of it where it compares other rows',
      { tags: inDepth(name, inFile), timeout: 120_000 },
      async () => {
        const at = await ledger();
        const [one, other] = await overlapping();
        const hold = holdFirst();
        const first = start(at, 'first', SLOW, [one]);
        await until(() => seen('4.1').length === 1, 'the first one sends');
        const second = await bench.import('second', [other], ['--ledger', at, ...SLOW]);
        expect([second.code, second.stderr]).toEqual([0, expect.stringMatching(BESIDE)]);
        const again = start(at, 'again', [...SLOW, '--again'], [one]);
        await waitsFor(at, again);
        if (at.startsWith('postgres')) hold.open();
        const refused = await again.ended;
        hold.open();
        const ended = await first.ended;
        expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(IN_USE)]);
        expect([ended.code, ended.stderr]).toEqual([2, expect.not.stringMatching(BESIDE)]);
        expect(bench.center.cards.size).toBe(ROWS);
      },
    );

    it.skipIf(!isThere)(
      'waits for its end with --wait-for-runs, and knows then what it has sent',
      { tags: inDepth(name, inPostgres), timeout: 120_000 },
      async () => {
        const at = await ledger();
        const { hold, first, second } = await waitingBeside(at);
        hold.open();
        const [ended, late] = [await first.ended, await second.ended];
        expect([ended.code, late.code], ended.stderr + late.stderr).toEqual([0, 0]);
        expect(late.stderr).not.toMatch(BESIDE);
        expect(bench.imported('second', late).summary().outcomes).toMatchObject({
          enqueued: 100,
          skipped: 100,
        });
        expect(twice(bench.center.creations)).toEqual([]);
        expect(bench.center.cards.size).toBe(ROWS);
      },
    );

    it.skipIf(!isThere)(
      'in one process is told of it, waits for it and is refused as in two',
      { tags: inDepth(name, inFile), timeout: 120_000 },
      async () => {
        const at = await ledger();
        const [one, other] = await overlapping();
        const hold = holdFirst();
        const said: string[] = [];
        const begin = (name: string, from: string, options = {}) =>
          importFiles({
            ...{ files: [from], mapping: bench.at('mapping.yaml'), ledger: at },
            ...{ installation: bench.at('center.yaml'), env: bench.environment },
            ...{ out: bench.at(name), campaign: { id: 42 }, batchSize: 50, concurrency: 1 },
            ...options,
            onWarning: (message: string) => said.push(`${name}: ${message}`),
          });
        const first = begin('first', one);
        await until(() => seen('4.1').length === 1, 'the first one sends');
        const waiting = begin('waiting', other, { waitForRuns: true });
        await until(() => said.some((text) => /^waiting: Waiting until/.test(text)), 'it waits');
        const same = begin('same', one).then(
          () => 'done',
          (error: unknown) => String(error),
        );
        if (at.startsWith('postgres')) await waitsFor(at, { ended: same });
        else expect(await same).toMatch(/has been working on run/);
        hold.open();
        expect(await same).toMatch(/has been working on run/);
        expect((await first).exitCode).toBe(0);
        expect((await waiting).summary.outcomes).toMatchObject({ enqueued: 100, skipped: 100 });
        expect(twice(bench.center.creations)).toEqual([]);
      },
    );
  },
);

describe.skipIf(POSTGRES === undefined)(`a shared import${WITHOUT}`, () => {
  it('is refused beside the same one that stops by its canary meanwhile', async () => {
    const at = (await server?.ledger()) ?? '';
    const hold = new Hold();
    bench.center.behave = ({ operation }) =>
      operation === '4.1' ? { ...sick, hold: hold.over } : undefined;
    const machines = machinesOf(bench, at);
    const first = machines.submit('first', file, { canary: 5 });
    await until(() => seen('4.1').length === 1, 'the canary is sent');
    const second = machines.submitHere('second', file, { canary: 5 });
    await waitsFor(at, { ended: second });
    hold.open();
    const [ended, refused] = [await first.ended, await second];
    expect([ended.code, refused.code], ended.stderr + refused.stderr).toEqual([3, 3]);
    // It may have waited so long for the lease that the other one has ended.
    expect(refused.stderr).toMatch(/^Another process (?:.* )?has been working on run /m);
    expect(seen('4.1')).toHaveLength(1);
  }, 120_000);
});
