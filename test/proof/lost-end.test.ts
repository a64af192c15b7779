/**
 * A ledger that lost its end: a run is killed in its middle, and then SQLite's log (`-wal`) is deleted, cut or changed in
 * one byte, or `cardline.db` is brought back or copied to another folder without it. The same command refuses with code 3
 * in words that say what is missing, sends nothing, and names `resume RUN --settle-all`, which looks every open row up
 * before it sends anything and brings the run to its end: nobody twice, nobody lost. A ledger that lost nothing is never
 * accused, however often its run was killed.
 *
 * Short: most losses, 4 kills in a row, about 20 s. Full (PROOF=full): every loss, 20 rounds of random ones at random
 * moments, 20 kills in a row, about 2 minutes.
 */
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type Imported, countOutcomes, csv, leads, until, useBench } from '../kit/bench.js';
import { randomFrom, seedOf } from '../kit/random.js';
import { words } from '../kit/words.js';
import {
  BATCH,
  NAIVE,
  STEADY,
  creationsOf,
  eachOnce,
  isFull,
  nobodyTwice,
  said,
  sendings,
  startIn,
  stoppedAt,
} from './harness.js';

const ROWS = isFull ? 1000 : 700;
const LONG = { timeout: 900_000 };

let file: string;
const bench = useBench({
  ...NAIVE,
  prepare: async () => {
    file = await bench.list(ROWS);
    mkdirSync(bench.at('state'));
  },
});

const ledger = (): string => bench.at('state/cardline.db');
const wal = (): string => `${ledger()}-wal`;
const start = (options = STEADY) =>
  startIn(bench, bench.args('run', [file], ['--ledger', ledger(), ...options]));
const again = (path = ledger()): Promise<Imported> =>
  bench.import('run', [file], ['--ledger', path, ...STEADY]);

interface Loss {
  readonly name: string;
  /** Whether the log is brought into the ledger halfway: its newer part alone is lost then. */
  readonly isHalfKept?: true;
  readonly isLong?: true;
  /** Damages the ledger of a killed run. */
  readonly lose: () => unknown;
  /** By which the ledger is used from then on. @default the same */
  readonly path?: string;
}

const cut = (share: number, bytes = 0): void =>
  truncateSync(wal(), Math.floor(statSync(wal()).size * share) - bytes);
const deleted = (): void => rmSync(wal());

const LOSSES: readonly Loss[] = [
  { name: 'the newer part was in a log that was deleted', isHalfKept: true, lose: deleted },
  { name: 'its beginning too was in a log that was deleted', lose: deleted },
  // A log that was brought into the ledger is written anew from its beginning, and its second half means nothing.
  {
    name: 'the log was cut to a half',
    isLong: true,
    lose: () => cut(0.5),
  },
  {
    name: 'one byte in the middle of the log was changed',
    lose: () => {
      const bytes = readFileSync(wal());
      const middle = Math.floor(bytes.length / 2);
      bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
      writeFileSync(wal(), bytes);
    },
  },
  {
    name: 'a copy of cardline.db alone was brought back',
    ...{ isHalfKept: true, isLong: true },
    lose: () => {
      for (const end of ['-wal', '-shm']) rmSync(`${ledger()}${end}`, { force: true });
      copyFileSync(bench.at('backup.db'), ledger());
    },
  },
  {
    name: 'cardline.db alone was copied to another folder',
    isHalfKept: true,
    lose: () => {
      mkdirSync(bench.at('elsewhere'), { recursive: true });
      copyFileSync(ledger(), bench.at('elsewhere/cardline.db'));
    },
    path: 'elsewhere/cardline.db',
  },
];

/**
 * Kills the import when so many creations have arrived. At `half` of them, what the log has so far is brought into the
 * ledger's file, as backup tools do, of which a copy is kept.
 */
async function killed(creations: number, half = Infinity): Promise<void> {
  let isOpen = true;
  const { center } = bench;
  center.onCarriedOut = ({ operation }) => {
    if (!isOpen || operation !== '4.1' || creationsOf(center) < half) return;
    isOpen = false;
    const database = new Database(ledger());
    database.pragma('wal_checkpoint(PASSIVE)');
    database.close();
    copyFileSync(ledger(), bench.at('backup.db'));
  };
  expect(await stoppedAt(bench, () => start(), creations)).toMatchObject({ code: null });
  center.onCarriedOut = () => undefined;
}

/** What is wrong is told, nothing is sent, and what is told to do brings the run to its end. */
async function toldAndSettled(path = ledger()): Promise<void> {
  const { center } = bench;
  const [sent, created] = [sendings(center), new Set(center.creations.keys())];
  const refused = await again(path);
  expect(sendings(center) - sent, 'what the refused command sent').toBe(0);
  expect(refused.code, said(refused)).toBe(3);
  expect(refused.stderr).toMatch(/missing|lost|older|incomplete|lacks|not there/i);
  const [, run = ''] = /resume (\S+)[^\n]*--settle-all/.exec(refused.stderr) ?? [];
  expect(run, refused.stderr).not.toBe('');

  const lookedUp = center.requests.length;
  const places = ['--ledger', path, '--out', bench.at('run')];
  const ended = await bench.run(...words`resume ${run} --settle-all ${places} ${STEADY}`);
  await eachOnce(center, ROWS);
  expect(ended.code, said(ended)).toBe(0);
  const settled = bench.imported('run', ended);
  expect(countOutcomes(settled.report())).toEqual({ created: ROWS });
  expect(settled.summary()).toMatchObject({ rows: ROWS, state: 'finished' });
  // Whoever was created before is found, not sent.
  const later = center.requests.slice(lookedUp).filter(({ operation }) => operation === '4.1');
  const sentAgain = later.flatMap(({ identities }) => identities);
  expect(sentAgain.filter((one) => created.has(one))).toEqual([]);
  // The same command knows that it is done.
  const before = sendings(center);
  const repeated = await again(path);
  expect([repeated.code, sendings(center)], said(repeated)).toEqual([0, before]);
  await nobodyTwice(center);
}

describe('a killed run whose ledger lost its end', () => {
  it.each(LOSSES.filter(({ isLong }) => !isLong || isFull))(
    '$name',
    LONG,
    async ({ isHalfKept, lose, path }) => {
      await killed(10, isHalfKept && 4);
      lose();
      await toldAndSettled(path && bench.at(path));
    },
  );

  it.each([1, 4096 + 24])(
    'the log lacks its last %d bytes, as a power cut leaves it',
    LONG,
    async (bytes) => {
      // What was written last is that this one is to be created.
      bench.center.behave = ({ operation, number }) =>
        operation === '4.1' && number === 7 ? { untouched: true, silent: true } : undefined;
      const { child, ended } = start(['--batch-size', String(BATCH), '--concurrency', '1']);
      await until(() => creationsOf(bench.center) === 7, 'the seventh creation arrives');
      child.kill('SIGKILL');
      await ended;
      bench.center.behave = () => undefined;
      cut(1, bytes);
      await toldAndSettled();
    },
  );

  it.runIf(isFull)('the log was deleted after an earlier run had ended', LONG, async () => {
    const other = await bench.write('other.csv', csv(leads(20)));
    const first = await bench.import('other', [other], ['--ledger', ledger(), ...STEADY]);
    expect(first.code, first.stderr).toBe(0);
    bench.center.forget();
    await killed(10);
    deleted();
    await toldAndSettled();
  });

  it.runIf(isFull)('20 rounds of any kind, at any moment', LONG, async () => {
    const random = randomFrom(seedOf('lost-end'));
    for (let round = 0; round < 20; round++) {
      const { name, isHalfKept, lose, path } = LOSSES[Math.floor(random() * LOSSES.length)]!;
      const moment = 4 + Math.floor(random() * (ROWS / BATCH - 6));
      const half = 2 + Math.floor(random() * (moment - 2));
      console.log(JSON.stringify({ round, name, moment, half }));
      await killed(moment, isHalfKept && half);
      lose();
      await toldAndSettled(path && bench.at(path));
      bench.center.forget();
      for (const folder of ['state', 'elsewhere', 'run'])
        rmSync(bench.at(folder), { recursive: true, force: true });
      mkdirSync(bench.at('state'));
    }
  });
});

describe('a ledger that lost nothing', () => {
  const endsOnce = async (path?: string): Promise<void> => {
    const run = await again(path);
    expect(run.code, said(run)).toBe(0);
    await eachOnce(bench.center, ROWS);
    expect(countOutcomes(run.report())).toEqual({ created: ROWS });
  };

  const kills = isFull ? 20 : 4;
  it(`continues after ${kills} kills in a row`, LONG, async () => {
    const random = randomFrom(seedOf('no-false-alarm'));
    const { center } = bench;
    center.behave = () => ({ delay: 20 });
    for (let kill = 0; kill < kills; kill++) {
      const { child, ended } = start();
      // Sometimes while it begins, sometimes in its middle.
      const wanted = center.requests.length + Math.floor(random() * 3);
      await Promise.race([until(() => center.requests.length >= wanted, 'requests arrive'), ended]);
      child.kill('SIGKILL');
      const { code, stderr } = await ended;
      expect(code, stderr).toBe(null);
    }
    await endsOnce();
  });

  it('continues when its whole folder was copied', LONG, async () => {
    await killed(8, 3);
    cpSync(bench.at('state'), bench.at('elsewhere'), { recursive: true });
    await endsOnce(bench.at('elsewhere/cardline.db'));
  });

  it('continues where its log ends in what was never written whole', LONG, async () => {
    await killed(8);
    appendFileSync(wal(), readFileSync(wal()).subarray(32, 3032));
    await endsOnce();
  });
});
