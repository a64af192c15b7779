import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EXIT, LedgerInUseError, LostFactsError, NoLedgerError } from '../../src/core/errors.js';
import type { Fact } from '../../src/core/facts.js';
import type * as Built from '../../src/ledger/ledger.js';
import { openLedger as open } from '../../src/ledger/ledger.js';
import type { Ledger } from '../../src/ledger/port.js';
import { built } from '../kit/built.js';
import { begin, CREATED as RESULTS, CREATING, END as ENDED, IDENTITY, READ } from './runs.js';
import { folderOfTest } from '../kit/folder.js';

let folder: string;
let file: string;
let ledgers: Ledger[];
beforeEach(() => {
  folder = folderOfTest();
  file = join(folder, 'cardline.db');
  ledgers = [];
});
afterEach(async () => {
  for (const ledger of ledgers) await ledger.close();
});

async function openLedger(path = file): Promise<Ledger> {
  const ledger = await open(path, { thread: false });
  ledgers.push(ledger);
  return ledger;
}

async function closeLedger(ledger: Ledger): Promise<void> {
  ledgers = ledgers.filter((one) => one !== ledger);
  await ledger.close();
}

const END = { state: 'finished', ...ENDED } as const;
const CREATED: readonly Fact[] = [READ, CREATING, RESULTS];

/** A ledger whose process died with a run under way: its facts are in the log beside it. */
async function brokenOff(facts: readonly Fact[] = CREATED): Promise<string> {
  const ledger = await openLedger();
  const { ledger: run } = await begin(ledger);
  for (const fact of facts) await run.record(0, [fact]);
  // What a killed process leaves behind.
  const left = join(folder, 'left');
  mkdirSync(left);
  for (const name of readdirSync(folder).filter((one) => one.startsWith('cardline.db')))
    if (!name.endsWith('-shm')) copyFileSync(join(folder, name), join(left, name));
  await closeLedger(ledger);
  for (const name of readdirSync(folder).filter((one) => one.startsWith('cardline.db')))
    rmSync(join(folder, name));
  for (const name of readdirSync(left)) renameSync(join(left, name), join(folder, name));
  return run.run;
}

test('whoever waits in vain for one that writes is told its run', async () => {
  const { ledger: run } = await begin(await openLedger());
  // As a process does that is paused while it writes.
  const writing = new Database(file);
  writing.exec('BEGIN IMMEDIATE');
  const second = await open(file, { thread: false, busyMs: 50 });
  ledgers.push(second);
  await expect(begin(second)).rejects.toThrow(`has been working on run ${run.run}`);
  writing.close();
});

test('a process whose lock was removed writes nothing more once another one has the run', async () => {
  const lost = await begin(await openLedger());
  await lost.ledger.record(0, CREATED.slice(0, 2));
  const { run } = lost.ledger;
  rmSync(`${file}.${run}.lock`);
  // Nobody has it yet, and nobody can be kept out.
  expect(lost.mayBegin()).toMatchObject({
    message: expect.stringContaining('has taken run') as string,
  });
  const second = await openLedger();
  const taken = await begin(second);
  expect(taken.ledger).toMatchObject({ run, continued: true });
  const why = `has taken run ${run}`;
  await expect(lost.ledger.record(0, CREATED.slice(2))).rejects.toThrow(why);
  await expect(lost.ledger.end(END)).rejects.toThrow(why);
  await expect(lost.keep({})).rejects.toThrow(why);
  await expect(lost.identify('other')).rejects.toThrow(why);
  expect(await second.lastFact(run)).toBe(2);
  // It does not take the other one's lock with it.
  await lost.close();
  expect(taken.mayBegin()).toBe(true);
  await expect(begin(await openLedger())).rejects.toThrow(LedgerInUseError);
  await taken.ledger.record(0, CREATED.slice(2));
  await taken.ledger.end(END);
  await taken.close();
});

test('a run whose ledger is moved meanwhile sends and writes nothing more', async () => {
  const opened = await begin(await openLedger());
  await opened.ledger.record(0, CREATED.slice(0, 2));
  renameSync(file, join(folder, 'moved.db'));
  const why = 'was moved, removed or replaced';
  expect(opened.mayBegin()).toMatchObject({ message: expect.stringContaining(why) as string });
  await expect(opened.ledger.record(0, CREATED.slice(2))).rejects.toThrow(why);
  await expect(opened.ledger.end(END)).rejects.toThrow(why);
  await expect(opened.confirm()).rejects.toThrow(why);
  renameSync(join(folder, 'moved.db'), file);
  await opened.close();
  const again = await begin(await openLedger());
  expect(again.ledger.continued).toBe(true);
  expect([...(await again.ledger.rows())]).toHaveLength(2);
});

async function catchOf(action: () => Promise<unknown>): Promise<Error> {
  try {
    await action();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('It was not refused.');
}

test('a ledger by the name of a symbolic link is the same ledger', async () => {
  await begin(await openLedger());
  const link = join(folder, 'link.db');
  symlinkSync(file, link);
  const second = await openLedger(link);
  expect(second.file).toBe(file);
  await expect(begin(second)).rejects.toThrow(LedgerInUseError);
});

test('a ledger with a second name is refused, since nobody would see the other', async () => {
  await closeLedger(await openLedger());
  linkSync(file, join(folder, 'other.db'));
  const refusal = await catchOf(() => openLedger());
  expect(refusal).toBeInstanceOf(NoLedgerError);
  expect(refusal.message).toMatch(/second name/);
});

test('a ledger that was moved goes on, and one that is open by another name does not', async () => {
  const first = await openLedger();
  await (await begin(first)).close();
  await closeLedger(first);
  const moved = join(folder, 'moved.db');
  renameSync(file, moved);
  const second = await openLedger(moved);
  expect(await second.runs()).toHaveLength(1);
  // As a bind mount of the file would show it: the same file, and a log of another name.
  renameSync(moved, file);
  await expect(openLedger()).rejects.toThrow(LedgerInUseError);
  renameSync(file, moved);
});

test('another process that looks at a ledger does not take the log from one that works on it', async () => {
  const ledger = await openBuilt(file);
  ledgers.push(ledger);
  const { ledger: run } = await begin(ledger);
  for (let chunk = 0; chunk < 20; chunk++) {
    await run.record(chunk, [READ]);
    // The thread takes over after some, and opens the file as well.
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const script = `const Database = require('better-sqlite3');
    const other = new Database(${JSON.stringify(file)});
    console.log(other.prepare('SELECT count(*) AS count FROM fact').get().count);
    other.close();`;
  const other = spawnSync(process.execPath, ['-e', script], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
  });
  expect(other.stdout.trim(), other.stderr).toBe('20');
  expect(existsSync(`${file}-wal`)).toBe(true);
  await run.record(20, [READ]);
  const reader = new Database(file, { readonly: true });
  expect(reader.prepare('SELECT count(*) AS count FROM fact').get()).toEqual({ count: 21 });
  reader.close();
});

test.each<[string, () => void]>([
  ['deleted', () => rmSync(`${file}-wal`)],
  ['cut off', () => truncateSync(`${file}-wal`, Math.floor(statSync(`${file}-wal`).size / 2))],
  [
    'changed in a byte',
    () => {
      const log = readFileSync(`${file}-wal`);
      const middle = Math.floor(log.length / 2);
      log.writeUInt8(log.readUInt8(middle) ^ 0xff, middle);
      writeFileSync(`${file}-wal`, log);
    },
  ],
])('a ledger whose log was %s is refused, and says what is missing', async (_how, damage) => {
  const run = await brokenOff();
  damage();
  const refusal = await catchOf(async () => begin(await openLedger()));
  expect(refusal).toBeInstanceOf(LostFactsError);
  expect(refusal).toMatchObject({ exitCode: EXIT.stopped });
  expect(refusal.message).toContain(run);
  expect(refusal.message).toContain('--settle-all');
  // Nor can another import trust it.
  const other = { ...IDENTITY, inputs: ['/other.csv'], content: 'ee' };
  await expect(begin(await openLedger(), { identity: other })).rejects.toThrow(LostFactsError);
  const settling = await begin(await openLedger(), { settleAll: true });
  expect(settling.ledger).toMatchObject({ run, settlesAll: true });
  await settling.close();
  // What was lost is lost: a later process settles on.
  expect((await begin(await openLedger())).ledger).toMatchObject({ run, settlesAll: true });
});

test('a ledger that was copied without its log and its mark is refused, and an untouched one is not', async () => {
  const run = await brokenOff();
  const copy = join(folder, 'copy', 'cardline.db');
  mkdirSync(join(folder, 'copy'));
  copyFileSync(file, copy);
  const refusal = await catchOf(async () => begin(await openLedger(copy)));
  expect(refusal).toBeInstanceOf(LostFactsError);
  expect(refusal.message).toContain(run);
  const same = await begin(await openLedger());
  expect(same.ledger).toMatchObject({ run, continued: true, settlesAll: false });
  expect([...(await same.ledger.factsOf(0))]).toHaveLength(CREATED.length);
});

test('a ledger that does not know a run of which there is a mark is refused', async () => {
  await brokenOff();
  rmSync(file);
  rmSync(`${file}-wal`);
  const refusal = await catchOf(async () => begin(await openLedger()));
  expect(refusal.message).toMatch(/does not know run .* of leads\.csv.*--settle-all/);
  // Another list settles nothing of this one.
  const other = { ...IDENTITY, inputs: ['/other.csv'], content: 'ee' };
  await expect(begin(await openLedger(), { identity: other })).rejects.toThrow(LostFactsError);
  expect(
    (await begin(await openLedger(), { identity: other, settleAll: true })).ledger.settlesAll,
  ).toBe(true);
  await expect(begin(await openLedger())).rejects.toThrow(LostFactsError);
  expect((await begin(await openLedger(), { settleAll: true })).ledger.settlesAll).toBe(true);
});

test('a run that ended leaves no mark, and a ledger alone goes on elsewhere', async () => {
  const ledger = await openLedger();
  const opened = await begin(ledger);
  const run = opened.ledger;
  await run.record(0, [...CREATED]);
  await run.end({ ...END, state: 'stopped' });
  await opened.close();
  await closeLedger(ledger);
  expect(readdirSync(folder)).toEqual(['cardline.db']);
  const elsewhere = join(folder, 'elsewhere.db');
  copyFileSync(file, elsewhere);
  expect((await begin(await openLedger(elsewhere))).ledger).toMatchObject({
    run: run.run,
    continued: true,
  });
});

test.each<[string, () => string]>([
  [
    'a spreadsheet',
    () => {
      writeFileSync(file, 'a,b\n'.repeat(1000), { mode: 0o644 });
      return file;
    },
  ],
  [
    "another program's database",
    () => {
      const other = new Database(file);
      other.exec('CREATE TABLE bookmark (id INTEGER PRIMARY KEY)');
      other.close();
      return file;
    },
  ],
  ['a device', () => '/dev/null'],
  ['a folder', () => folder],
  [
    'a pipe',
    () => {
      spawnSync('mkfifo', [file]);
      return file;
    },
  ],
  ['a path that cannot be', () => '/proc/nothing/cardline.db'],
])('%s is refused as a ledger at once, and left as it was', async (_what, make) => {
  const path = make();
  const before = statSync(path, { throwIfNoEntry: false });
  const content = before?.isFile() ? readFileSync(path) : null;
  const refusal = await catchOf(() => openLedger(path));
  expect(refusal).toBeInstanceOf(NoLedgerError);
  expect(refusal).toMatchObject({ exitCode: EXIT.usage });
  const after = statSync(path, { throwIfNoEntry: false });
  expect([after?.mode, after?.mtimeMs]).toEqual([before?.mode, before?.mtimeMs]);
  if (content) expect(readFileSync(path).equals(content)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.includes('-wal'))).toEqual([]);
});
test('the ledger is readable by its owner alone', async () => {
  const deep = join(folder, 'deep', 'cardline.db');
  await closeLedger(await openLedger(deep));
  expect(statSync(deep).mode & 0o777).toBe(0o600);
});

test('a ledger of the first version is brought up to date, with its runs', async () => {
  const ledger = await openLedger();
  const run = await begin(ledger);
  await run.ledger.end(END);
  await run.close();
  await closeLedger(ledger);
  const early = new Database(file);
  for (const column of ['fingerprint', 'opened_at', 'parts', 'worker', 'relies', 'settles_all'])
    early.exec(`ALTER TABLE run DROP COLUMN ${column}`);
  early.exec('DROP TABLE ledger');
  early.pragma('application_id = 0');
  early.pragma('user_version = 1');
  early.close();
  const later = await openLedger();
  const done = await later.openRun({ identity: IDENTITY, settings: {}, out: () => '' });
  expect(done).toMatchObject({ kind: 'done', record: { run: run.ledger.run } });
});

// The recording thread starts from a built file.
const { openLedger: openBuilt } = await built<typeof Built>('ledger/ledger.js');
/** More than is recorded before the thread is called. */
const MANY = 40;

const creating = (row: number) => [{ kind: 'creating' as const, rows: [row] }];

test('facts keep their order where the recording thread takes over, and none is lost', async () => {
  const ledger = await openBuilt(file);
  const run = await begin(ledger);
  const recorded = [];
  for (let row = 0; row < MANY; row++) {
    recorded.push(run.ledger.record(0, creating(row)));
    // Some wait for one another, and some are under way together.
    if (row % 3 === 0) await Promise.all(recorded);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await Promise.all(recorded);
  const facts = await run.ledger.factsOf(0);
  const rows = facts.map((fact) => fact.kind === 'creating' && fact.rows[0]);
  expect(rows).toEqual(Array.from({ length: MANY }, (_, row) => row));
  await run.close();
  await ledger.close();
});

test('a ledger that the recording thread cannot open is told in plain words, and can be closed', async () => {
  const ledger = await openBuilt(file);
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
  writeFileSync(file, 'a,b\n'.repeat(1000));
  const run = await begin(ledger);
  // A busy machine takes its time to start the thread.
  const recordAll = async (): Promise<never> => {
    for (let row = 0; ; row++) {
      await run.ledger.record(0, creating(row));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  await expect(recordAll()).rejects.toThrow(/cardline\.db: the file is not a ledger/);
  await run.close();
  await ledger.close();
});
