/**
 * One ledger by two names: while the first process works on it, a second one is given the same file by another name. It
 * is refused (code 3; 64 where SQLite's log could not be shared, as with a hard link or a file mounted elsewhere) in
 * words that say why, and nobody is sent twice. The first process is held up until the second one has ended or has sent
 * something, so that nothing depends on how fast the machine is. Afterwards the first one is killed, and the command by
 * the other name continues its run or is refused.
 *
 * Short: about 10 s; full: the second part with all names, about 25 s. Mounts need `unshare -m`; where it is not permitted, these cases are skipped.
 */
import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { until, useBench } from '../kit/bench.js';
import {
  NAIVE,
  STEADY,
  creationsOf,
  eachOnce,
  isFull,
  nobodyTwice,
  startIn,
  stoppedAt,
} from './harness.js';

const ROWS = 600;
/** Creations that have arrived when the first process is held up: two, and as many as it may have under way. */
const HELD = 4;

let file: string;
const bench = useBench({
  ...NAIVE,
  prepare: async () => {
    file = await bench.list(ROWS);
    mkdirSync(bench.at('state'));
  },
});

const LEDGER = 'state/cardline.db';
const importTo = (path: string, mount?: readonly string[]) =>
  startIn(bench, bench.args('run', [file], ['--ledger', path, ...STEADY]), mount);

/** Mounts `from` on `to` for one command and what it starts, in a namespace of its own. */
const mounted = (from: string, to: string): readonly string[] => [
  ...['unshare', '-m', 'sh', '-c'],
  ...['mount --bind "$1" "$2" && shift 2 && exec "$@"', 'sh', bench.at(from), bench.at(to)],
];
const canMount =
  spawnSync('unshare', ['-m', 'sh', '-c', 'd=$(mktemp -d) && mount --bind "$d" "$d"']).status === 0;
if (!canMount)
  console.log('Mounts are left out: "unshare -m" with "mount --bind" is refused here.');

/** Another name for the ledger. */
interface Alias {
  readonly name: string;
  readonly path: string;
  readonly make?: (path: string) => void;
  /** What is mounted on what for a command, for which alone the name holds. */
  readonly mount?: readonly [from: string, to: string];
  /** How a command may end that is refused. @default [3] */
  readonly codes?: readonly number[];
}

const ALL: readonly Alias[] = [
  {
    name: 'a symbolic link to the file',
    path: 'link.db',
    make: (path) => symlinkSync(bench.at(LEDGER), path),
  },
  {
    name: 'a symbolic link to its folder',
    path: 'elsewhere/cardline.db',
    make: () => symlinkSync(bench.at('state'), bench.at('elsewhere')),
  },
  {
    name: 'a relative path through another folder',
    path: 'state/../state/./cardline.db',
  },
  {
    name: 'a hard link',
    path: 'hard.db',
    make: (path) => linkSync(bench.at(LEDGER), path),
    codes: [3, 64],
  },
  {
    name: 'its folder mounted elsewhere',
    path: 'mount/cardline.db',
    make: () => mkdirSync(bench.at('mount')),
    mount: ['state', 'mount'],
  },
  {
    name: 'the file mounted elsewhere',
    path: 'mount/cardline.db',
    make: (path) => {
      mkdirSync(bench.at('mount'));
      writeFileSync(path, '');
    },
    mount: [LEDGER, 'mount/cardline.db'],
    codes: [3, 64],
  },
];
const ALIASES = ALL.filter(({ mount }) => canMount || mount === undefined);

/** Starts a command by the other name. */
function importBy({ path, make, mount }: Alias) {
  // The path as it is, also where it goes back and forth.
  const other = `${bench.at('.')}/${path}`;
  make?.(other);
  return { other, second: importTo(other, mount && mounted(...mount)) };
}

describe('a ledger by two names while a process works on it', () => {
  it.each(ALIASES)('$name', { timeout: 120_000 }, async (alias) => {
    let release = (): void => undefined;
    const hold = new Promise<void>((resolve) => (release = resolve));
    bench.center.behave = ({ operation, number }) =>
      operation === '4.1' && number > 2 ? { hold } : undefined;
    const first = importTo(bench.at(LEDGER));
    await until(() => creationsOf(bench.center) === HELD, 'two requests are held up');
    const { second } = importBy(alias);
    // Whoever sends while the first process is held up is another one.
    const sends = () => creationsOf(bench.center) > HELD;
    await Promise.race([second.ended, until(sends, 'the second command ends')]);
    const sent = sends();
    release();
    const refused = await second.ended;
    const { code, stderr } = await first.ended;
    expect(sent, 'the second command sent clients').toBe(false);
    await eachOnce(bench.center, ROWS);
    expect(code, stderr).toBe(0);
    expect(alias.codes ?? [3], refused.stderr).toContain(refused.code);
    // Who works on it, or by which other name it is known.
    const words = new RegExp(`\\b${first.child.pid}\\b|another name|link|mount`, 'i');
    expect(refused.stderr).toMatch(words);
  });
});

describe('a ledger by another name after the first process was killed', () => {
  const SHORT = ['a hard link', 'the file mounted elsewhere'];
  it.each(ALIASES.filter(({ name }) => isFull || SHORT.includes(name)))(
    '$name',
    { timeout: 120_000 },
    async (alias) => {
      await stoppedAt(bench, () => importTo(bench.at(LEDGER)), 4);
      const { other, second } = importBy(alias);
      const { code, stderr } = await second.ended;
      await nobodyTwice(bench.center);
      expect([0, ...(alias.codes ?? [3])], stderr).toContain(code);
      // A person who is told of the other name takes it away.
      if (code !== 0) rmSync(other, { force: true });
      const last = await importTo(bench.at(LEDGER)).ended;
      expect(last.code, last.stderr).toBe(0);
      await eachOnce(bench.center, ROWS);
    },
  );
});
