import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CanaryStop, LedgerError, type StopRun, TooManyStop } from '../../src/core/errors.js';
import { noOutcomes } from '../../src/core/outcome.js';
import { PlaceError } from '../../src/nightly/places/place.js';
import type { ImportResult } from '../../src/run/requests.js';
import { openRig, type Rig } from './rig.js';

const NEVER = new AbortController().signal;

let rig: Rig;
afterEach(() => rig.remove());

const arrive = (name: string, text: string): Promise<void> => writeFile(join(rig.in, name), text);
/** What a watcher of its own takes in one look. */
const look = async (): Promise<number> => (await rig.watcher()).once(NEVER);
const shown = (names: readonly string[]) => names.filter((name) => !name.startsWith('.'));

/** A process that is killed before or after its n-th call, and does nothing any more. */
function killing(at: number, isAfter: boolean) {
  let calls = 0;
  const wrapped = async (call: () => Promise<unknown>): Promise<unknown> => {
    calls++;
    if (calls > at || (calls === at && !isAfter)) throw new Error('killed');
    const result = await call();
    if (calls >= at) throw new Error('killed');
    return result;
  };
  const around = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) =>
          wrapped(() => Reflect.apply(value, target, args) as Promise<unknown>);
      },
    });
  const execute =
    <F extends (...args: never[]) => Promise<unknown>>(work: F) =>
    (...args: Parameters<F>) =>
      wrapped(() => work(...args)) as ReturnType<F>;
  return { change: { place: around, state: around, execute, claimMs: 0 }, calls: () => calls };
}

describe('a watcher that is killed between any two steps', () => {
  const sha256 = createHash('sha256').update('a').digest('hex');
  it.each([
    { name: 'a file', files: { 'leads-1.csv': 'a' }, more: {}, kind: 'finished' },
    {
      name: 'a file with a manifest',
      files: { 'leads-1.csv': 'a', 'leads-1.csv.sha256': sha256 },
      more: { ready: { manifest: '{name}.sha256' } },
      kind: 'finished',
    },
    {
      name: 'a file that is not what its manifest says',
      files: { 'leads-1.csv': 'b', 'leads-1.csv.sha256': sha256 },
      more: { ready: { manifest: '{name}.sha256' } },
      kind: 'bad',
    },
  ])(
    'imports $name once, tells of it once and puts it away',
    async ({ files, more, kind }) => {
      for (let at = 1, isOver = false; !isOver; at++)
        for (const isAfter of [false, true]) {
          rig = await openRig(more);
          for (const [name, text] of Object.entries(files)) await arrive(name, text);
          const { change, calls } = killing(at, isAfter);
          const first = await rig.watcher(change);
          isOver = await first.once(NEVER).then(
            () => true,
            () => false,
          );
          await look();
          const where = `killed ${isAfter ? 'after' : 'before'} step ${at} of ${calls()}`;
          const shelf = kind === 'bad' ? 'failed' : 'done';
          expect(shown(await rig.names('.')), where).toEqual([shelf]);
          expect(shown(await rig.names('.cardline/vendor')), where).toEqual([]);
          const put = shown(await rig.names(shelf)).filter((name) =>
            /^leads-\d(?:-\d)?\.csv$/.test(name),
          );
          expect(put, where).toEqual(['leads-1.csv']);
          // Ended before its notice: the next watcher finds that it is done, and says so.
          const kinds = (await rig.notices()).map((notice) => notice.kind);
          expect(kinds, where).toHaveLength(1);
          expect([kind, 'repeated'], where).toContain(kinds[0]);
          expect(rig.imported.size, where).toBe(kind === 'bad' ? 0 : 1);
          if (!isOver || !isAfter) await rig.remove();
        }
    },
    60_000,
  );
});

it('a watcher whose state fails at any one step waits, and goes on with what it had', async () => {
  for (let at = 1; at <= 12; at++) {
    rig = await openRig();
    await arrive('leads-1.csv', 'a');
    const end = new AbortController();
    let [calls, looks] = [0, 0];
    const state = <T extends object>(target: T): T =>
      new Proxy(target, {
        get: (_, name) => {
          const member = memberOf(target, name) as (...args: unknown[]) => unknown;
          return (...args: unknown[]) =>
            ++calls === at ? Promise.reject(new LedgerError('The disk is full.')) : member(...args);
        },
      });
    const sleep = async (ms: number): Promise<void> => {
      rig.time.now += ms;
      if (++looks === 10) end.abort();
      await Promise.resolve();
    };
    const clock = { now: () => rig.time.now, sleep };
    await (await rig.watcher({ state, clock })).watch(end.signal);
    const where = `the state fails at call ${at}`;
    expect([...rig.imported.values()], where).toMatchObject([{ text: 'a' }]);
    expect(shown(await rig.names('.')), where).toEqual(['done']);
    expect(await rig.notices(), where).toHaveLength(1);
    const told = rig.notes.filter((note) => /disk is full|is back/.test(note));
    expect(told, where).toEqual(['The disk is full.', 'The ledger is back.']);
    await rig.remove();
  }
});

it('a watcher that has lost its file to another one does not put it away', async () => {
  rig = await openRig();
  await arrive('leads-1.csv', 'a');
  const end = new AbortController();
  const lost = (): Promise<string> => {
    end.abort();
    return Promise.resolve('another');
  };
  const state = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_, name) =>
        name === 'holderOf' && rig.imported.size > 0 ? lost : memberOf(target, name),
    });
  await (await rig.watcher({ state })).once(end.signal);
  expect(rig.imported.size).toBe(1);
  expect(await rig.names('.')).not.toContain('done');
});

it('two watchers take many files, each once', async () => {
  const count = process.env['PROOF'] ? 1000 : 50;
  rig = await openRig();
  const names = Array.from({ length: count }, (_, index) => `leads-${index}.csv`);
  await Promise.all(names.map((name) => arrive(name, name)));
  const watchers = await Promise.all([rig.watcher(), rig.watcher()]);
  expect(await Promise.all(watchers.map((watcher) => watcher.once(NEVER)))).toEqual([0, 0]);
  expect(rig.imported.size).toBe(count);
  expect([...rig.imported.values()].filter(({ times }) => times > 1)).toEqual([]);
  expect(shown(await rig.names('done')).filter((name) => name.endsWith('.csv'))).toHaveLength(
    count,
  );
  expect(await rig.notices()).toHaveLength(count);
}, 60_000);

it('a file that grows for a minute, with a rename in the middle, is taken once and whole', async () => {
  rig = await openRig({ ready: { stableFor: '10s' } });
  let [path, whole] = [join(rig.in, 'leads-1.csv'), ''];
  await writeFile(path, whole);
  const clock = {
    now: () => rig.time.now,
    sleep: async (ms: number) => {
      rig.time.now += ms;
      if (whole.length >= 30) return;
      whole += 'x';
      await appendFile(path, 'x');
      if (whole.length !== 15) return;
      await rename(path, join(rig.in, 'leads-2.csv'));
      path = join(rig.in, 'leads-2.csv');
    },
  };
  const watcher = await rig.watcher({ clock });
  await watcher.once(NEVER);
  expect([...rig.imported.values()]).toMatchObject([{ text: 'x'.repeat(30), times: 1 }]);
  expect(shown(await rig.names('done'))).toContain('leads-2.csv');
});

it('names of any kind are put away, and what is no file is left alone', async () => {
  rig = await openRig({ files: '*' });
  const long = `leads-${'я'.repeat(122)}.csv`;
  const odd = ['leads-\n1.csv', '-rf.csv', '..leads', '...', 'лиды-й.csv', "leads-$&-$'.csv", long];
  for (const name of odd) await arrive(name, name);
  await mkdir(join(rig.in, 'leads-dir.csv'));
  await symlink('/etc/passwd', join(rig.in, 'leads-link.csv'));
  execFileSync('mkfifo', [join(rig.in, 'leads-pipe.csv')]);
  await look();
  // Hidden files are none of ours.
  const taken = odd.filter((name) => !name.startsWith('.'));
  expect([...rig.imported.values()].map(({ text }) => text).sort()).toEqual(taken.sort());
  expect(await rig.names('.')).toEqual([
    ...['...', '..leads', '.cardline', 'done'],
    ...['leads-dir.csv', 'leads-link.csv', 'leads-pipe.csv'],
  ]);
  const done = (await rig.names('done')).filter((name) => /^[^.].*(?:csv|leads)$/s.test(name));
  expect(done).toHaveLength(taken.length);
  expect(done.every((name) => Buffer.byteLength(name) <= 207)).toBe(true);
});

it('a pipe or a link in place of a manifest does not hold the watcher up', async () => {
  rig = await openRig({ ready: { manifest: '{name}.sha256' } });
  await mkdir(join(rig.in, '.cardline/vendor'), { recursive: true });
  await writeFile(join(rig.in, '.cardline/vendor/leads-1.csv'), 'a');
  execFileSync('mkfifo', [join(rig.in, 'leads-1.csv.sha256')]);
  await look();
  expect(shown(await rig.names('failed'))).toContain('leads-1.csv');
});

it('a link in place of the folder of its work is refused', async () => {
  rig = await openRig();
  await mkdir(join(rig.folder, 'elsewhere/vendor'), { recursive: true });
  await writeFile(join(rig.folder, 'elsewhere/vendor/leads-1.csv'), 'not arrived');
  await symlink(join(rig.folder, 'elsewhere'), join(rig.in, '.cardline'));
  await expect(look()).rejects.toThrow(/is a link/);
  expect(rig.imported.size).toBe(0);
});

it('two pickups share a folder, each with its own files', async () => {
  rig = await openRig();
  await mkdir(join(rig.in, '.cardline/other'), { recursive: true });
  await writeFile(join(rig.in, '.cardline/other/leads-9.csv'), 'of the other pickup');
  await arrive('leads-1.csv', 'a');
  await look();
  expect([...rig.imported.values()]).toMatchObject([{ text: 'a' }]);
  expect(await readFile(join(rig.in, '.cardline/other/leads-9.csv'), 'utf8')).toContain('other');
});

it('a file of another that has its name is never replaced', async () => {
  rig = await openRig({ after: { keep: '1s' } });
  await mkdir(join(rig.in, 'done'));
  await writeFile(join(rig.in, 'done/leads-1.csv'), 'a person put it here');
  await writeFile(join(rig.in, 'done/leads-1-2.csv.note'), 'and this');
  await arrive('leads-1.csv', 'a');
  await look();
  expect(shown(await rig.names('done'))).toContain('leads-1-2.csv');
  rig.time.now = Date.now() + 60_000;
  await look();
  expect(await rig.names('done')).toEqual(['leads-1-2.csv.note', 'leads-1.csv']);
});

it('a marker that never comes does not keep --once for ever', async () => {
  rig = await openRig({ files: '*', ready: { marker: '{name}.done' } });
  await arrive('leads-1.csv', 'a');
  await arrive('leads-2.csv', 'b');
  await arrive('leads-2.csv.done', '');
  await look();
  expect([...rig.imported.values()].map(({ text }) => text)).toEqual(['b']);
  expect(shown(await rig.names('.'))).toEqual(['done', 'leads-1.csv']);
});

it('says also with --once that nothing has come, and that the place is gone and is back', async () => {
  rig = await openRig({ expect: { by: '02:00 UTC' } });
  await look();
  rig.time.now += 3 * 3_600_000;
  for (let time = 0; time < 2; time++) await look();
  await rename(rig.in, `${rig.in}-away`);
  for (let time = 0; time < 2; time++) await expect(look()).rejects.toThrow(/no such folder/);
  await rename(`${rig.in}-away`, rig.in);
  for (let time = 0; time < 2; time++) await look();
  expect((await rig.notices()).map(({ kind }) => kind)).toEqual(['late', 'stopped', 'recovered']);
});

it('the same content under the same name is told of each time', async () => {
  rig = await openRig();
  for (let time = 0; time < 3; time++) {
    await arrive('leads-1.csv', 'a');
    await look();
  }
  expect((await rig.notices()).map(({ kind }) => kind)).toEqual([
    ...['finished', 'repeated', 'repeated'],
  ]);
});

it('nothing more is sent of a file that has its notice and could not be put away', async () => {
  rig = await openRig();
  await arrive('leads-1', 'text');
  let sent = 0;
  const stopped = (by: StopRun): ImportResult =>
    ({
      ...{ report: '', rejects: [], exitCode: 3, ledger: 'cardline.db' },
      ...{ stopped: by.message, stoppedBy: by },
      summary: { run: 'run-1', rows: 1, outcomes: noOutcomes(), state: 'stopped', seconds: 1 },
    }) as unknown as ImportResult;
  let isBroken = true;
  const watcher = await rig.watcher({
    execute: () => (request) => {
      if (request.maxFailures) return Promise.resolve(stopped(new TooManyStop('Too many.')));
      sent++;
      return Promise.resolve(stopped(new CanaryStop('The first rows failed.')));
    },
    place: (place) => {
      const putAway = place.putAway.bind(place);
      return Object.assign(place, {
        putAway: (...args: Parameters<typeof putAway>) =>
          isBroken ? Promise.reject(new PlaceError('The disk is full.')) : putAway(...args),
      });
    },
  });
  const again = () => watcher.once(NEVER);
  await expect(again()).rejects.toThrow('The disk is full.');
  isBroken = false;
  await again();
  expect(sent).toBe(1);
  expect((await rig.names('failed')).filter((name) => name === 'leads-1')).toHaveLength(1);
  expect((await rig.notices()).filter(({ kind }) => kind === 'bad')).toHaveLength(1);
});

it('leaves no place open when watching fails', async () => {
  let isOpen = true;
  rig = await openRig();
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
  await expect(watcher.watch(NEVER)).rejects.toThrow('the state is gone');
  expect(isOpen).toBe(false);
});

/** A member of an object that works on the object itself, whatever stands before it. */
function memberOf(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? (value.bind(target) as unknown) : value;
}
