import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LedgerError } from '../../../src/core/errors.js';
import { noticeOf } from '../../../src/nightly/notices/notice.js';
import { openState, type Entry, type WatchState } from '../../../src/nightly/state/state.js';
import { POSTGRES, type SharedPostgres, startPostgres, WITHOUT } from '../../kit/postgres.js';
import { canMount, mountDisk, resizeDisk, unmountDisk } from '../../kit/small-disk.js';
import { testFolder } from '../../kit/folder.js';

const KEY = { pickup: 'vendor', file: 'leads-1.csv' };
const OTHER = { ...KEY, file: 'leads-2.csv' };
/** Short, so that a claim that is not renewed lapses while the test waits. */
const CLAIM_MS = 400;

const folder = testFolder();
let server: SharedPostgres | undefined;
afterAll(() => {
  server?.remove();
});

const notice = (target: string, at = 1): Entry['notices'][number] => ({
  ...{ target, at },
  notice: noticeOf({ kind: 'finished', pickup: 'vendor', sentence: `${at}` }, randomUUID(), at),
});

const KINDS = [
  {
    name: 'SQLite',
    isThere: true,
    begin: () => Promise.resolve(),
    place: () => Promise.resolve([undefined, join(folder, `${randomUUID()}.db`)] as const),
  },
  {
    name: `PostgreSQL${WITHOUT}`,
    isThere: POSTGRES !== undefined,
    begin: async () => void (server = await startPostgres()),
    place: async () => [await server?.database(), ''] as const,
  },
];

describe.each(KINDS)('the state of watchers in $name', (kind) => {
  if (!kind.isThere) {
    it.skip('needs a server', () => undefined);
    return;
  }
  let one: WatchState;
  let two: WatchState;
  beforeAll(kind.begin, 60_000);
  beforeEach(async () => {
    const [ledger, file] = await kind.place();
    [one, two] = await Promise.all([
      openState(ledger, file, CLAIM_MS),
      openState(ledger, file, CLAIM_MS),
    ]);
  });
  afterEach(async () => {
    await Promise.all([one.close(), two.close()]);
  });

  it('gives a file to one watcher, until it lets go or no longer renews its claim', async () => {
    const both = await Promise.all([one.claim(KEY, 'v', 1), two.claim(KEY, 'v', 1)]);
    expect(both.filter((claim) => claim !== null)).toHaveLength(1);
    const [holder, next] = both[0] ? [one, two] : [two, one];
    expect([await holder.holderOf(KEY), await next.holderOf(KEY)]).toEqual(['this', 'another']);
    for (let round = 0; round < 4; round++) {
      await sleep(CLAIM_MS / 3);
      await holder.renew();
    }
    expect(await next.claim(KEY, 'v', 2)).toBeNull();
    await sleep(CLAIM_MS * 1.5);
    expect(await next.claim(KEY, 'v', 2)).toMatchObject({ at: 1 });
    // Whoever has lost it keeps nothing of it any more.
    expect(await holder.record({ notices: [notice('t')], about: { ...KEY, run: 'r' } })).toBe(
      false,
    );
    expect(await one.due(['t'], 10, 20)).toEqual([]);
    await next.letGo(KEY);
    expect(await holder.claim(KEY, 'v', 3)).not.toBeNull();
  });

  it('remembers what is known of a file, and forgets it with another version or at its end', async () => {
    expect(await one.claim(KEY, 'v', 1)).toEqual({
      ...{ at: 1, noticed: null, isChecked: false, hasStopped: false },
    });
    await one.noteClaim(KEY, { isChecked: true });
    await one.noteClaim(KEY, { hasStopped: true });
    await one.record({ notices: [], about: { ...KEY, run: null } });
    await one.letGo(KEY);
    expect(await two.claim(KEY, 'v', 2)).toEqual({
      ...{ at: 1, noticed: '', isChecked: true, hasStopped: true },
    });
    await two.letGo(KEY);
    expect(await one.claim(KEY, 'w', 3)).toMatchObject({ at: 3, noticed: null, isChecked: false });
    await one.unclaim(KEY);
    expect(await two.claim(KEY, 'w', 4)).toMatchObject({ at: 4 });
    expect(await one.claim(OTHER, 'v', 5)).not.toBeNull();
  });

  it('gives a notice to one sender, each target its own in their order', async () => {
    await one.record({ notices: [notice('a', 1), notice('b', 2), notice('a', 3)] });
    const shown = (list: Awaited<ReturnType<WatchState['due']>>) =>
      list.map(({ target, at }) => `${target}${at}`).sort();
    const [first, second] = await Promise.all([
      one.due(['a', 'b'], 10, 50),
      two.due(['a', 'b'], 10, 50),
    ]);
    expect(shown([...first, ...second])).toEqual(['a1', 'b2']);
    const [a] = [...first, ...second].filter(({ target }) => target === 'a');
    await two.again(a?.id ?? 0, 30, true);
    expect(await one.due(['a'], 29, 50)).toEqual([]);
    expect(await one.nextDue(['a'])).toBe(30);
    expect(await one.due(['a'], 30, 50)).toMatchObject([{ at: 1, attempts: 1 }]);
    await one.sent(a?.id ?? 0);
    expect(shown(await two.due(['a', 'c'], 30, 50))).toEqual(['a3']);
    // Those of a target that no pickup file has any more.
    await one.forget(3);
    expect(shown(await two.due(['b'], 100, 110))).toEqual([]);
    expect(shown(await two.due(['a'], 100, 110))).toEqual(['a3']);
  });

  it('lets one watcher say what all of them see', async () => {
    const mark = { pickup: 'vendor', name: 'late', from: null, to: '5' };
    const said = await Promise.all(
      [one, two].map((state) => state.record({ notices: [notice('t')], mark })),
    );
    expect(said.filter(Boolean)).toHaveLength(1);
    expect(await two.mark('vendor', 'late')).toBe('5');
    expect(await one.record({ notices: [], mark: { ...mark, from: '5', to: '6' } })).toBe(true);
    expect(await two.record({ notices: [], mark: { ...mark, from: '5', to: null } })).toBe(false);
    expect(await two.marks('vendor', 'la')).toEqual([{ name: 'late', value: '6' }]);
    expect(await one.record({ notices: [], mark: { ...mark, from: '6', to: null } })).toBe(true);
    expect(await two.mark('vendor', 'late')).toBeNull();
  });

  it('knows the files that were taken last', async () => {
    const taken = { ...KEY, run: 'r', kind: 'finished', rows: 2, badRows: 1 };
    for (const at of [1, 2, 3]) await one.record({ notices: [], taken: { ...taken, at } });
    await two.record({ notices: [], taken: { ...taken, pickup: 'other', at: 4 } });
    expect(await two.latest('vendor', 2)).toEqual([
      { ...taken, at: 3 },
      { ...taken, at: 2 },
    ]);
  });
});

it('of an earlier version goes on, and one of a later version is refused', async () => {
  const file = join(folder, 'old.db');
  const db = new Database(file);
  db.exec(`CREATE TABLE taken (pickup TEXT NOT NULL, file TEXT NOT NULL, run TEXT, at INTEGER NOT NULL, kind TEXT NOT NULL,
      rows INTEGER NOT NULL, bad_rows INTEGER NOT NULL);
    CREATE INDEX taken_run ON taken (pickup, run);
    CREATE TABLE outbox (id INTEGER PRIMARY KEY, target TEXT NOT NULL, notice TEXT NOT NULL, at INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0, next_at INTEGER NOT NULL);
    CREATE TABLE mark (pickup TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (pickup, name));
    INSERT INTO taken VALUES ('vendor', 'leads-1.csv', 'r', 1, 'finished', 2, 0);
    PRAGMA user_version = 1`);
  db.close();
  const state = await openState(undefined, file);
  expect(await state.latest('vendor', 1)).toMatchObject([{ run: 'r', rows: 2 }]);
  await state.close();
  const newer = new Database(file);
  newer.pragma('user_version = 9');
  newer.close();
  await expect(openState(undefined, file)).rejects.toThrow('newer version');
});

describe('the file of a state', () => {
  const path = (): string => join(folder, `${randomUUID()}.db`);

  it('is for its owner alone', async () => {
    const file = path();
    const state = await openState(undefined, file);
    await state.claim(KEY, 'v', 1);
    for (const end of ['', '-wal', '-shm']) expect(statSync(file + end).mode & 0o777).toBe(0o600);
    await state.close();
  });

  it.each([
    ['is another file', (file: string) => writeFileSync(file, 'x'.repeat(9999)), /Move it away/],
    ['is a folder', (file: string) => mkdirSync(file), /opened and written|Move it away/],
    [
      'has no folder',
      (file: string) => rmSync(file, { force: true }),
      /Check the rights of the file and of its folder/,
    ],
  ])('that %s says what to do', async (name, make, words) => {
    const file = name === 'has no folder' ? join(path(), 'state.db') : path();
    make(file);
    const error = await openState(undefined, file).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ exitCode: 64, message: expect.stringMatching(words) as string });
  });

  it.skipIf(!canMount)(
    `waits while the disk is full, and goes on${canMount ? '' : ' (skipped: only root of Linux mounts)'}`,
    async () => {
      const disk = path();
      await mountDisk(disk, 2 ** 18);
      const state = await openState(undefined, join(disk, 'state.db'));
      const fill = async (): Promise<void> => {
        for (let at = 1; at < 2_000; at++)
          await state.record({ notices: [notice('x'.repeat(500), at)] });
      };
      const error = await fill().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(LedgerError);
      expect(error).toMatchObject({
        exitCode: 3,
        message: expect.stringContaining('the disk is full. Free some space') as string,
      });
      await resizeDisk(disk, 2 ** 24);
      await state.record({ notices: [notice('after')] });
      expect(await state.due(['after'], Number.MAX_SAFE_INTEGER, 0)).toHaveLength(1);
      await state.close();
      await unmountDisk(disk);
    },
  );
});
