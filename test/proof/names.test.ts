/**
 * A ledger that is mounted elsewhere for one command alone: the same file by another name, which no look at the path shows.
 * While a process works on it, a command by that name is refused in words that say why. After that process was killed, the
 * command continues its run or is refused. Nobody is sent twice. Other names of a file: `test/ledger/files`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { until, useBench } from '../kit/bench.js';
import {
  NAIVE,
  STEADY,
  creationsOf,
  eachOnce,
  nobodyTwice,
  startIn,
  stoppedAt,
} from './harness.js';

const ROWS = 600;
/** Creations that have arrived when the first process is held up: two, and as many as it may have under way. */
const HELD = 4;
const LEDGER = 'state/cardline.db';

/** What is mounted on what, and how a command may end that is refused. */
const MOUNTS = [
  { what: 'its folder', from: 'state', to: 'mount', codes: [3] },
  { what: 'the file', from: LEDGER, to: 'mount/cardline.db', codes: [3, 64] },
] as const;

let file: string;
const bench = useBench({
  ...NAIVE,
  prepare: async () => {
    file = await bench.list(ROWS);
    for (const folder of ['state', 'mount']) mkdirSync(bench.at(folder));
  },
});

const importTo = (path: string, mount?: readonly string[]) =>
  startIn(bench, bench.args('run', [file], ['--ledger', path, ...STEADY]), mount);
const other = (): string => bench.at('mount/cardline.db');

/** Starts a command by the other name, which it alone and what it starts know. */
function importMounted({ from, to }: (typeof MOUNTS)[number]) {
  if (to !== 'mount') writeFileSync(other(), '');
  return importTo(other(), [
    ...['unshare', '-m', 'sh', '-c'],
    ...['mount --bind "$1" "$2" && shift 2 && exec "$@"', 'sh', bench.at(from), bench.at(to)],
  ]);
}
const canMount =
  spawnSync('unshare', ['-m', 'sh', '-c', 'd=$(mktemp -d) && mount --bind "$d" "$d"']).status === 0;
const REASON = canMount ? '' : ' (skipped: "unshare -m" with "mount --bind" is refused here)';

describe.skipIf(!canMount)(`a ledger that is mounted elsewhere${REASON}`, () => {
  it.each(MOUNTS)('$what, while a process works on it', { timeout: 120_000 }, async (mount) => {
    let release = (): void => undefined;
    const hold = new Promise<void>((resolve) => (release = resolve));
    bench.center.behave = ({ operation, number }) =>
      operation === '4.1' && number > 2 ? { hold } : undefined;
    const first = importTo(bench.at(LEDGER));
    await until(() => creationsOf(bench.center) === HELD, 'two requests are held up');
    const second = importMounted(mount);
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
    expect(mount.codes, refused.stderr).toContain(refused.code);
    // Who works on it, or by which other name it is known.
    const words = new RegExp(`\\b${first.child.pid}\\b|another name|link|mount`, 'i');
    expect(refused.stderr).toMatch(words);
  });

  it.each(MOUNTS)(
    '$what, after the first process was killed',
    { timeout: 120_000 },
    async (mount) => {
      await stoppedAt(bench, () => importTo(bench.at(LEDGER)), 4);
      const { code, stderr } = await importMounted(mount).ended;
      await nobodyTwice(bench.center);
      expect([0, ...mount.codes], stderr).toContain(code);
      // A person who is told of the other name takes it away.
      if (code !== 0) rmSync(other(), { force: true });
      const last = await importTo(bench.at(LEDGER)).ended;
      expect(last.code, last.stderr).toBe(0);
      await eachOnce(bench.center, ROWS);
    },
  );
});
