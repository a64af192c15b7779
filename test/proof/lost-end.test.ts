/**
 * A ledger that lost its end: a run is killed in its middle, and then SQLite's log (`-wal`) is deleted or cut, or
 * `cardline.db` is copied to another folder without it. The same command refuses with code 3 in words that say what is
 * missing, sends nothing, and names `resume RUN --settle-all`, which looks every open row up before it sends anything and
 * brings the run to its end: nobody twice, nobody lost. A ledger that lost nothing is not accused. What else may be lost:
 * `test/ledger/files`.
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
} from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type Imported, countOutcomes, until, useBench } from '../kit/bench.js';
import { words } from '../kit/words.js';
import {
  BATCH,
  NAIVE,
  STEADY,
  creationsOf,
  eachOnce,
  nobodyTwice,
  said,
  sendings,
  startIn,
  stoppedAt,
} from './harness.js';

const ROWS = 700;
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

/** What befalls the ledger of a killed run, and by which path it is used from then on, where it is another one. */
type Loss = readonly [name: string, lose: () => void, path: string | undefined];
const LOSSES: readonly Loss[] = [
  ['the newer part was in a log that was deleted', () => rmSync(wal()), undefined],
  [
    'cardline.db alone was copied to another folder',
    () => {
      mkdirSync(bench.at('elsewhere'));
      copyFileSync(ledger(), bench.at('elsewhere/cardline.db'));
    },
    'elsewhere/cardline.db',
  ],
];

/**
 * Kills the import when so many creations have arrived. At `half` of them, what the log has so far is brought into the
 * ledger's file, as backup tools do.
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
  it.each<Loss>(LOSSES)('%s', LONG, async (_name, lose, path) => {
    await killed(10, 4);
    lose();
    await toldAndSettled(path && bench.at(path));
  });

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
      truncateSync(wal(), statSync(wal()).size - bytes);
      await toldAndSettled();
    },
  );
});

describe('a ledger that lost nothing', () => {
  const endsOnce = async (path?: string): Promise<void> => {
    const run = await again(path);
    expect(run.code, said(run)).toBe(0);
    await eachOnce(bench.center, ROWS);
    expect(countOutcomes(run.report())).toEqual({ created: ROWS });
  };

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
