import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { NumberStore, openNumbers } from '../../../src/lists/lists.js';
import { runAt } from '../../commands/terminal.js';
import { cardline } from '../../kit/cardline.js';
import { testFolder } from '../../kit/folder.js';

const folder = testFolder();
let files = 0;
const fresh = (): string => join(folder, `${++files}.db`);

const DAY = 86_400_000;
const [TTL, NOW] = [100 * DAY, Date.UTC(2026, 0, 1)];
const MEBIBYTE = 1024 ** 2;

describe('a store of numbers', () => {
  const opened = (file: string, ttl: number | undefined, use: (store: NumberStore) => void) => {
    const store = new NumberStore(file, ttl, 'write');
    try {
      use(store);
    } finally {
      store.close();
    }
  };
  const listed = async (file: string, now: number, numbers: readonly number[]) => {
    const list = await openNumbers({ store: file, ttl: TTL }, MEBIBYTE, now);
    try {
      return numbers.map((number) => list.has(number));
    } finally {
      list.close();
    }
  };

  it('has a number until its day, or for the time that the list says', async () => {
    // Its folder is made with it.
    const file = join(folder, 'of', 'lists', 'own.db');
    opened(file, TTL, (store) => {
      store.add(12025550101, {}, NOW);
      store.add(12025550102, { until: NOW + 7 * DAY }, NOW);
      store.add(12025550103, { until: NOW + 1000 * DAY }, NOW);
    });
    const numbers = [12025550101, 12025550102, 12025550103, 12025550104];
    const at = (days: number): Promise<boolean[]> => listed(file, NOW + days * DAY, numbers);
    expect(await at(0)).toEqual([true, true, true, false]);
    expect(await at(7)).toEqual([true, false, true, false]);
    expect(await at(99)).toEqual([true, false, true, false]);
    expect(await at(100)).toEqual([false, false, true, false]);
    expect(await at(1000)).toEqual([false, false, false, false]);
    // A clock that was put right: what has ended is compiled in again.
    expect(await at(1)).toEqual([true, true, true, false]);
  });

  it('never shortens the time of a number by adding it again', () => {
    const file = fresh();
    const ends = fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(ends, { minLength: 1, maxLength: 6 }), (days) => {
        opened(file, TTL, (store) => {
          store.remove(1, NOW);
          let latest = 0;
          for (const day of days) {
            const endsAt = day === undefined ? NOW + TTL : NOW + day * DAY;
            const before = store.find(1, NOW) !== null;
            const done = store.add(1, day === undefined ? {} : { until: endsAt }, NOW);
            expect(done).toEqual({
              added: before ? 0 : 1,
              renewed: before && endsAt >= latest ? 1 : 0,
              kept: endsAt < latest ? 1 : 0,
            });
            latest = Math.max(latest, endsAt);
            expect(store.find(1, NOW)?.endsAt).toBe(latest);
          }
        });
      }),
      { numRuns: 12 },
    );
  });

  it('forgets what has ended with the next change, and is readable by its owner alone', () => {
    const file = fresh();
    opened(file, undefined, (store) => {
      store.add(5, { until: NOW + DAY, reason: 'Sue Grey asked' }, NOW);
      store.add(6, {}, NOW);
      expect(store.find(6, NOW + 1e6 * DAY)).toEqual({ added: NOW, endsAt: null, reason: null });
      expect(store.count(NOW)).toBe(2);
      store.remove(7, NOW + 2 * DAY);
      expect(store.find(5, NOW)).toBeNull();
      expect(store.count(NOW)).toBe(1);
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is compiled anew when another store takes its place', async () => {
    const file = fresh();
    const [first, second] = [12025550101, 12025550102];
    for (const number of [first, second]) {
      rmSync(file, { force: true });
      opened(file, TTL, (store) => store.add(number, {}, NOW));
      expect(await listed(file, NOW, [number])).toEqual([true]);
    }
    expect(await listed(file, NOW, [first])).toEqual([false]);
  });

  it('is compiled where a process was killed while it did so, whatever its clock showed', async () => {
    for (const hours of [-1, 1]) {
      const file = fresh();
      opened(file, TTL, (store) => store.add(12025550101, {}, NOW));
      writeFileSync(`${file}.numbers.lock`, '');
      const then = Date.now() / 1000 + hours * 3600;
      utimesSync(`${file}.numbers.lock`, then, then);
      expect(await listed(file, NOW, [12025550101])).toEqual([true]);
    }
  });

  it('keeps nothing in its file of a number that was removed', () => {
    const file = fresh();
    const reason = 'asked on the phone';
    opened(file, TTL, (store) => {
      store.add(12025550101, { reason }, NOW);
      store.remove(12025550101, NOW);
    });
    expect(readFileSync(file, 'latin1')).not.toContain(reason);
  });

  it('is no database of another program', () => {
    const file = fresh();
    writeFileSync(file, 'no database at all, but long enough to be looked at '.repeat(50));
    expect(() => new NumberStore(file, undefined, 'write')).toThrow(/is no store of numbers/);
  });
});

describe('cardline suppress', () => {
  const at = (name: string): string => join(folder, name);
  const center = at('center.yaml');
  const suppress = (...args: string[]) => runAt(['suppress', ...args, '-i', center]);

  beforeAll(() => {
    writeFileSync(
      center,
      `name: demo
baseUrl: http://127.0.0.1:1
card: { id: { type: Number, sync: true } }
suppress:
  - { name: national, file: national-2020-01-31.txt, format: ftc, maxAge: 31d, old: stop }
  - { name: own, store: own.db, ttl: 5y, country: US }
`,
    );
    writeFileSync(at('national-2020-01-31.txt'), '2025550101\n');
    writeFileSync(at('leads.csv'), 'Id,Phone\n1,2025550101\n2,2025550102\n3,2025550103\n');
    writeFileSync(
      at('leads.yaml'),
      `client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { id: Id }
  phones: [{ column: Phone, type: MOB, transform: [{ phone: { country: US } }] }]
`,
    );
  });

  it('adds a number, says why it is listed, and removes it', async () => {
    const added = await suppress('add', '(202) 555-0101', '--list', 'own', '--reason', 'asked');
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toMatch(
      /^The number is now on the list "own", until 20\d\d-\d\d-\d\d\.\n$/,
    );
    const why = await suppress('why', '+1 202 555 0101');
    expect(why.stdout).toMatch(
      /^The number is on 2 of 2 lists\.\n {2}national: in .*\n {2}own: since \S+, until \S+: asked\n$/,
    );
    expect((await suppress('remove', '2025550101', '--list', 'own')).stdout).toContain(
      'is no longer on the list "own"',
    );
    const { stdout } = await suppress('why', '2025550101', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ lists: 2, listed: [{ list: 'national' }] });
  });

  it('ends an entry with the day that is named', async () => {
    const until = ['--list', 'own', '--until', '2099-06-30'];
    expect((await suppress('add', '+12025550102', ...until)).stdout).toContain('until 2099-06-30');
    for (const [day, words] of [
      ['2099-02-30', '--until takes a day such as'],
      ['tomorrow', '--until takes a day such as'],
      ['2020-01-01', '--until is over already'],
    ] as const) {
      const { code, stderr } = await suppress(
        'add',
        '+12025550102',
        '--list',
        'own',
        '--until',
        day,
      );
      expect([code, stderr]).toEqual([64, expect.stringContaining(words)]);
    }
  });

  it('imports a file whole, and leaves its rows out from then on', async () => {
    writeFileSync(at('stop.csv'), 'Name,Phone\nSue,202-555-0103\nJoe,none\nSue,2025550102\n');
    const done = await suppress('import', at('stop.csv'), '--column', 'Phone', '--list', 'own');
    expect(done.stdout).toContain('1 number is new on the list "own"; 0 were on it');
    expect(done.stderr).toContain('1 line holds no phone number');
    writeFileSync(center, readFileSync(center, 'utf8').replace('old: stop', 'old: warn'));
    const { stdout, stderr } = await cardline(
      ['check', 'leads.csv', '-m', 'leads.yaml', '-i', 'center.yaml', '--out', 'out'],
      { cwd: folder },
    );
    expect(stderr).toContain('List "national"');
    expect(stdout).toContain('0 would be sent, 0 rejected, 3 skipped');
    expect(stdout).toContain('not to be called: "own" 2 rows, "national" 1 row.');
  });

  it('says how lists stand, and with 64 that one would stop a run', async () => {
    const good = await suppress('status');
    expect(good).toMatchObject({ code: 0 });
    expect(good.stdout).toMatch(/^national: 1 number, \d+ days old\nown: 2 numbers, store\n$/);
    writeFileSync(center, readFileSync(center, 'utf8').replace('own.db', 'lost.db'));
    const bad = await suppress('status', '--json');
    expect(bad.code).toBe(64);
    expect(JSON.parse(bad.stdout)).toMatchObject([
      { name: 'national', kind: 'file', numbers: 1, mistakes: [] },
      {
        name: 'own',
        kind: 'store',
        numbers: null,
        mistakes: [expect.stringContaining('no store')],
      },
    ]);
    expect(await suppress('build')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('own: 0 numbers, store, compiled now') as string,
    });
  });

  it('says what is wrong, and never which number', async () => {
    for (const [args, words] of [
      [['add', '5550101', '--list', 'own'], 'This is not a phone number. Write it as in US.'],
      [['add', '+12025550101', '--list', 'national'], 'Only a list with "store" can be changed'],
      [['add', '+12025550101', '--list', 'ovn'], 'Did you mean "own"?'],
      [['why', '1'], 'This is not a phone number'],
      [['import', at('leads.yaml'), '--list', 'own'], 'holds no phone number'],
    ] as const) {
      const { code, stderr } = await suppress(...args);
      expect([code, stderr]).toEqual([64, expect.stringContaining(words)]);
      expect(stderr).not.toMatch(/5550101/);
    }
  });
});
