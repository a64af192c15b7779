/**
 * A ledger that lost its end: a run is killed in its middle, and then SQLite's log (`-wal`) is deleted, cut to a half or
 * changed in one byte, or `cardline.db` is brought back or copied to another folder without it. The same command refuses
 * with code 3 in words that say what is missing, sends nothing, and names `resume RUN --settle-all`, which looks every
 * open row up before it sends anything and brings the run to its end: nobody twice, nobody lost. A ledger that lost
 * nothing is never accused, however often its run was killed.
 *
 * Short: four losses, 4 kills in a row, about 15 s. Full (PROOF=full): every loss, 20 rounds of random ones at random
 * moments, 20 kills in a row, about 2 minutes.
 */
import {
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
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SeenRequest } from '../../kit/contact-center.js';
import { randomFrom, seedOf } from '../../kit/random.js';
import { type Bench, type Imported, countOutcomes, csv, leads, until } from '../../runs/harness.js';
import { isFull } from '../harness.js';
import {
  BATCH,
  STEADY,
  command,
  creationsOf,
  eachOnce,
  nobodyTwice,
  openNaiveBench,
  said,
  sendings,
  startCommand,
  stoppedAt,
} from './harness.js';

const ROWS = isFull ? 1000 : 700;
const BATCHES = ROWS / BATCH;

let bench: Bench;
let file: string;
beforeEach(async () => {
  bench = await openNaiveBench();
  file = await bench.write('leads.csv', csv(leads(ROWS)));
  mkdirSync(bench.at('state'));
});
afterEach(() => bench.close());

const ledger = (): string => bench.at('state/cardline.db');
const importTo = (path: string): string[] =>
  bench.args('run', [file], ['--ledger', path, ...STEADY]);
const again = (path = ledger()): Promise<Imported> =>
  command(bench, importTo(path)).then((ended) => bench.imported('run', ended));

/** Brings what the log has so far into the ledger's file, as backup tools do, and keeps a copy of that file. */
function checkpoint(): void {
  const database = new Database(ledger());
  database.pragma('wal_checkpoint(PASSIVE)');
  database.close();
  copyFileSync(ledger(), bench.at('backup.db'));
}

interface Loss {
  readonly name: string;
  /** Whether the log is brought into the ledger halfway: its newer part alone is lost then. */
  readonly isHalfKept: boolean;
  /** Whether the short proof has it too. */
  readonly isShort: boolean;
  /** Damages the ledger of a killed run. Gives the path by which the ledger is used from then on. */
  readonly lose: () => string;
}

const wal = (): string => `${ledger()}-wal`;

const DELETED: Loss = {
  name: 'the log was deleted',
  ...{ isHalfKept: true, isShort: true },
  lose: () => {
    rmSync(wal());
    return ledger();
  },
};
const LOSSES: readonly Loss[] = [
  DELETED,
  {
    name: 'the log was cut to a half',
    // A log that was brought into the ledger is written anew from its beginning, and its second half means nothing.
    ...{ isHalfKept: false, isShort: false },
    lose: () => {
      truncateSync(wal(), Math.floor(statSync(wal()).size / 2));
      return ledger();
    },
  },
  {
    name: 'one byte in the middle of the log was changed',
    ...{ isHalfKept: false, isShort: true },
    lose: () => {
      const bytes = readFileSync(wal());
      const middle = Math.floor(bytes.length / 2);
      bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
      writeFileSync(wal(), bytes);
      return ledger();
    },
  },
  {
    name: 'a copy of cardline.db alone was brought back',
    ...{ isHalfKept: true, isShort: false },
    lose: () => {
      for (const end of ['-wal', '-shm']) rmSync(`${ledger()}${end}`, { force: true });
      copyFileSync(bench.at('backup.db'), ledger());
      return ledger();
    },
  },
  {
    name: 'cardline.db alone was copied to another folder',
    ...{ isHalfKept: true, isShort: true },
    lose: () => {
      mkdirSync(bench.at('elsewhere'), { recursive: true });
      copyFileSync(ledger(), bench.at('elsewhere/cardline.db'));
      return bench.at('elsewhere/cardline.db');
    },
  },
];

/** Kills the import when so many creations have arrived; at `half` of them the log is brought into the ledger. */
async function killed(creations: number, half: number | null): Promise<void> {
  let open = half !== null;
  const { center } = bench;
  center.onCarriedOut = ({ operation }: SeenRequest) => {
    if (!open || operation !== '4.1' || creationsOf(center) < (half ?? 0)) return;
    open = false;
    checkpoint();
  };
  const { code } = await stoppedAt(bench, () => startCommand(bench, importTo(ledger())), creations);
  expect(code, 'it was killed').toBe(null);
  center.onCarriedOut = () => undefined;
}

/** What is wrong is told, nothing is sent, and what is told to do brings the run to its end. */
async function toldAndSettled(path: string): Promise<void> {
  const { center } = bench;
  const [sent, created] = [sendings(center), new Set(center.creations.keys())];
  const refused = await again(path);
  expect(sendings(center) - sent, 'what the refused command sent').toBe(0);
  expect(refused.code, said(refused)).toBe(3);
  expect(refused.stderr).toMatch(/missing|lost|older|incomplete|lacks|not there/i);
  const [, run = ''] = /resume (\S+)[^\n]*--settle-all/.exec(refused.stderr) ?? [];
  expect(run, refused.stderr).not.toBe('');

  const lookedUp = center.requests.length;
  const options = ['--ledger', path, '--out', bench.at('run'), ...STEADY];
  const ended = await command(bench, ['resume', run, '--settle-all', ...options]);
  await eachOnce(center, ROWS);
  expect(ended.code, said(ended)).toBe(0);
  const settled = bench.imported('run', ended);
  expect(countOutcomes(settled.report())).toEqual({ created: ROWS });
  expect(settled.summary()).toMatchObject({ rows: ROWS, state: 'finished' });
  // Whoever was created before is found, not sent.
  const later = center.requests.slice(lookedUp).filter(({ operation }) => operation === '4.1');
  expect(later.flatMap(({ identities }) => identities).filter((one) => created.has(one))).toEqual(
    [],
  );
  // The same command knows that it is done.
  const repeated = await again(path);
  expect([repeated.code, sendings(center)], said(repeated)).toEqual([0, sendings(center)]);
  await nobodyTwice(center);
}

describe('a killed run whose ledger lost its end', () => {
  it.each(LOSSES.filter(({ isShort }) => isShort || isFull))(
    '$name',
    { timeout: 120_000 },
    async ({ isHalfKept, lose }) => {
      await killed(10, isHalfKept ? 4 : null);
      await toldAndSettled(lose());
    },
  );

  it('its beginning too was in a log that was deleted', { timeout: 120_000 }, async () => {
    await killed(10, null);
    await toldAndSettled(DELETED.lose());
  });

  it.runIf(isFull)(
    'the log was deleted after an earlier run of other rows had ended',
    { timeout: 120_000 },
    async () => {
      const other = await bench.write('other.csv', csv(leads(20)));
      const args = bench.args('other', [other], ['--ledger', ledger(), ...STEADY]);
      const first = await command(bench, args);
      expect(first.code, first.stderr).toBe(0);
      bench.center.forget();
      await killed(10, null);
      await toldAndSettled(DELETED.lose());
    },
  );

  it.runIf(isFull)('20 rounds of any kind, at any moment', { timeout: 900_000 }, async () => {
    const random = randomFrom(seedOf('lost-end'));
    for (let round = 0; round < 20; round++) {
      const { name, isHalfKept, lose } = LOSSES[Math.floor(random() * LOSSES.length)] ?? DELETED;
      const moment = 4 + Math.floor(random() * (BATCHES - 6));
      const half = 2 + Math.floor(random() * (moment - 2));
      console.log(JSON.stringify({ round, name, moment, half }));
      await killed(moment, isHalfKept ? half : null);
      await toldAndSettled(lose());
      bench.center.forget();
      for (const folder of ['state', 'elsewhere', 'run'])
        rmSync(bench.at(folder), { recursive: true, force: true });
      mkdirSync(bench.at('state'));
    }
  });
});

describe('a ledger that lost nothing', () => {
  const kills = isFull ? 20 : 4;
  it(`continues after ${kills} kills in a row`, { timeout: 600_000 }, async () => {
    const random = randomFrom(seedOf('no-false-alarm'));
    const { center } = bench;
    center.behave = () => ({ delay: 20 });
    for (let kill = 0; kill < kills; kill++) {
      const { child, ended } = startCommand(bench, importTo(ledger()));
      const before = center.requests.length;
      const wanted = Math.floor(random() * 3);
      // Sometimes while it begins, sometimes in its middle.
      await until(
        () => center.requests.length >= before + wanted || child.exitCode !== null,
        'requests arrive',
      );
      child.kill('SIGKILL');
      const { code, stderr } = await ended;
      expect(code, stderr).toBe(null);
    }
    const run = await again();
    expect(run.code, said(run)).toBe(0);
    await eachOnce(center, ROWS);
    expect(countOutcomes(run.report())).toEqual({ created: ROWS });
  });

  it('continues when its whole folder was copied', { timeout: 120_000 }, async () => {
    await killed(8, 3);
    const elsewhere = bench.at('elsewhere');
    cpSync(bench.at('state'), elsewhere, { recursive: true });
    const run = await again(`${elsewhere}/cardline.db`);
    expect(run.code, said(run)).toBe(0);
    await eachOnce(bench.center, ROWS);
  });
});
