import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { watchPickups } from '../../src/nightly/watch/watch-pickups.js';
import { openRig, type Rig } from './rig.js';
import { type Arrivals, openArrivals } from './harness.js';

let arrivals: Arrivals;
let rig: Rig;
beforeEach(async () => {
  arrivals = await openArrivals();
  rig = await openRig();
}, 30_000);
afterEach(async () => {
  await arrivals.close();
  await rig.remove();
});

it('ends watchers where nothing can be sent beside them, and says why', async () => {
  const notes: string[] = [];
  const watching = watchPickups({
    file: arrivals.at('pickup.yaml'),
    env: arrivals.environment,
    signal: new AbortController().signal,
    onNote: (_, note) => notes.push(note),
  });
  const ended = expect(watching).rejects.toThrow('no such table: outbox');
  // As a disk or another program may damage it: the watchers themselves do not come across it.
  await expect
    .poll(() => dropOutbox(arrivals.at('pickup.state.db')), { timeout: 30_000 })
    .toBe(true);
  await ended;
  expect(notes).toEqual([]);
}, 60_000);

it('leaves no place open when watching fails', async () => {
  let isOpen = true;
  const watcher = await rig.watcher({
    state: (state) =>
      new Proxy(state, {
        get: (target, name) => {
          if (name === 'claim') return () => Promise.reject(new Error('the state is gone'));
          return memberOf(target, name);
        },
      }),
    place: (place) =>
      new Proxy(place, {
        get: (target, name) => {
          if (name === 'claimed')
            return () => Promise.resolve([{ name: 'leads-1.csv', bytes: 1, version: '1' }]);
          if (name === 'close') isOpen = false;
          return memberOf(target, name);
        },
      }),
  });
  await expect(watcher.watch(new AbortController().signal)).rejects.toThrow('the state is gone');
  expect(isOpen).toBe(false);
});

/** A member of an object that works on the object itself, whatever stands before it. */
function memberOf(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? (value.bind(target) as unknown) : value;
}

function dropOutbox(file: string): boolean {
  try {
    const db = new Database(file, { fileMustExist: true });
    db.exec('DROP TABLE outbox');
    db.close();
    return true;
  } catch {
    // Not there yet, or being written.
    return false;
  }
}
