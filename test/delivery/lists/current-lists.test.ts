import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CurrentLists } from '../../../src/prepare/current-lists.js';
import { NumberStore } from '../../../src/lists/lists.js';
import { testFolder } from '../../kit/folder.js';

const folder = testFolder();

const MINUTE = 60_000;

it('lists that change while a run is at work are honoured within a minute', async () => {
  const [file, store] = [join(folder, 'a-2020-01-01.txt'), join(folder, 'own.db')];
  writeFileSync(file, '+12025550101\n');
  new NumberStore(store, undefined, 'write').close();
  let now = Date.now();
  const lists = new CurrentLists(
    [
      // How old it may be was asked when the run began.
      { name: 'a', file, format: 'numbers', scope: 'row', maxAge: 1, old: 'stop' },
      { name: 'own', store, scope: 'phone' },
    ],
    { now: () => now },
  );
  const listed = async (number: number): Promise<readonly string[]> =>
    (await lists.current()).check(number)?.names ?? [];
  try {
    expect(await listed(12025550101)).toEqual(['a']);
    expect(await listed(12025550102)).toEqual([]);
    writeFileSync(file, '+12025550101\n+12025550102\n');
    const own = new NumberStore(store, undefined, 'write');
    own.add(12025550102, {}, now);
    own.close();
    expect(await listed(12025550102)).toEqual([]);
    now += MINUTE;
    expect(await listed(12025550102)).toEqual(['a', 'own']);
    rmSync(store);
    expect(await listed(12025550101)).toEqual(['a']);
    now += MINUTE;
    await expect(lists.current()).rejects.toThrow(/List "own" .*: There is no store/);
  } finally {
    lists.close();
  }
});

it('lists that take longer to open than a minute are opened once', async () => {
  const file = join(folder, 'slow-2020-01-01.txt');
  writeFileSync(file, '+12025550101\n');
  let now = Date.now();
  const spec = { name: 'a', file, format: 'numbers', scope: 'row', old: 'warn' } as const;
  const lists = new CurrentLists([spec], { now: () => now });
  try {
    const opening = lists.current();
    now += MINUTE;
    expect(lists.current()).toBe(opening);
    await opening;
    const next = lists.current();
    expect(next).not.toBe(opening);
    expect((await next).check(12025550101)?.names).toEqual(['a']);
  } finally {
    lists.close();
  }
});
