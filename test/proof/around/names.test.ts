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
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, until } from '../../runs/harness.js';
import { isFull } from '../harness.js';
import {
  STEADY,
  command,
  creationsOf,
  eachOnce,
  nobodyTwice,
  openNaiveBench,
  startCommand,
  stoppedAt,
  writeLeads,
} from './harness.js';

const ROWS = 600;
/** Requests that the first process may have under way. */
const CONCURRENCY = 2;

let bench: Bench;
let file: string;
beforeEach(async () => {
  bench = await openNaiveBench();
  file = await writeLeads(bench, ROWS);
  mkdirSync(bench.at('state'));
});
afterEach(() => bench.close());

/** Another name for `state/cardline.db`, and how a command is started for which it holds. */
interface Alias {
  readonly path: string;
  /** How a command may end that is refused. */
  readonly codes: readonly number[];
  readonly prefix?: readonly string[];
}

const ledger = (): string => bench.at('state/cardline.db');
const importTo = (path: string): string[] =>
  bench.args('run', [file], ['--ledger', path, ...STEADY]);

const NAMES: readonly (readonly [name: string, alias: () => Alias])[] = [
  [
    'a symbolic link to the file',
    () => {
      symlinkSync(ledger(), bench.at('link.db'));
      return { path: bench.at('link.db'), codes: [3] };
    },
  ],
  [
    'a symbolic link to its folder',
    () => {
      symlinkSync(bench.at('state'), bench.at('elsewhere'));
      return { path: bench.at('elsewhere/cardline.db'), codes: [3] };
    },
  ],
  [
    'a relative path through another folder',
    () => ({ path: `${bench.at('state')}/../state/./cardline.db`, codes: [3] }),
  ],
  [
    'a hard link',
    () => {
      linkSync(ledger(), bench.at('hard.db'));
      return { path: bench.at('hard.db'), codes: [3, 64] };
    },
  ],
];

/** Mounts `from` on `to` for one command and what it starts, in a namespace of its own. */
const mounted = (from: string, to: string): readonly string[] => [
  ...['unshare', '-m', 'sh', '-c'],
  ...['mount --bind "$1" "$2" && shift 2 && exec "$@"', 'sh', from, to],
];

const MOUNTS: readonly (readonly [name: string, alias: () => Alias])[] = [
  [
    'its folder mounted elsewhere',
    () => {
      mkdirSync(bench.at('mount'));
      const prefix = mounted(bench.at('state'), bench.at('mount'));
      return { path: bench.at('mount/cardline.db'), codes: [3], prefix };
    },
  ],
  [
    'the file mounted elsewhere',
    () => {
      mkdirSync(bench.at('mount'));
      writeFileSync(bench.at('mount/cardline.db'), '');
      const prefix = mounted(ledger(), bench.at('mount/cardline.db'));
      return { path: bench.at('mount/cardline.db'), codes: [3, 64], prefix };
    },
  ],
];

const cannotMount =
  spawnSync('unshare', [
    '-m',
    'sh',
    '-c',
    'd=$(mktemp -d) && mount --bind "$d" "$d"; e=$?; exit $e',
  ]).status !== 0;
if (cannotMount)
  console.log('Mounts are left out: "unshare -m" with "mount --bind" is refused here.');

/** Starts the first process, and holds its requests up, from the third creation on, until `release` is called. */
async function startHeld(): Promise<{
  readonly first: ReturnType<Bench['start']>;
  readonly release: () => void;
}> {
  let release = (): void => undefined;
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  bench.center.behave = ({ operation, number }) =>
    operation === '4.1' && number > 2 ? { hold } : undefined;
  const first = startCommand(bench, importTo(ledger()));
  await until(() => creationsOf(bench.center) === 2 + CONCURRENCY, 'two requests are held up');
  return { first, release };
}

/** Whoever sends while the first process is held up is another one. */
const somebodyElseSends = (): boolean => creationsOf(bench.center) > 2 + CONCURRENCY;

async function whileTheFirstWorks(alias: () => Alias): Promise<void> {
  const { first, release } = await startHeld();
  const { path, codes, prefix } = alias();
  const second = startCommand(bench, importTo(path), prefix);
  let over = false;
  void second.ended.then(() => (over = true));
  await until(() => over || somebodyElseSends(), 'the second command ends');
  const sent = somebodyElseSends();
  release();
  const ended = await second.ended;
  const { code, stderr } = await first.ended;
  expect(sent, 'the second command sent clients').toBe(false);
  await eachOnce(bench.center, ROWS);
  expect(code, stderr).toBe(0);
  expect(codes, ended.stderr).toContain(ended.code);
  // Who works on it, or by which other name it is known.
  const { pid } = first.child;
  expect(ended.stderr).toMatch(new RegExp(`\\b${pid}\\b|another name|link|mount`, 'i'));
}

/** Neither may anything be lost or sent twice when the second name comes after the first. */
async function afterTheFirst(alias: () => Alias): Promise<void> {
  await stoppedAt(bench, () => startCommand(bench, importTo(ledger())), 4);
  const { path, codes, prefix } = alias();
  const other = await command(bench, importTo(path), prefix);
  await nobodyTwice(bench.center);
  expect([0, ...codes], other.stderr).toContain(other.code);
  // A person who is told of the other name takes it away.
  if (other.code !== 0) rmSync(path, { force: true });
  const { code, stderr } = await command(bench, importTo(ledger()));
  expect(code, stderr).toBe(0);
  await eachOnce(bench.center, ROWS);
}

describe('a ledger by two names while a process works on it', () => {
  it.each(NAMES)('%s', { timeout: 120_000 }, (_name, alias) => whileTheFirstWorks(alias));
  it.skipIf(cannotMount).each(MOUNTS)('%s', { timeout: 120_000 }, (_name, alias) =>
    whileTheFirstWorks(alias),
  );
});

describe('a ledger by another name after the first process was killed', () => {
  it.each(isFull ? NAMES : NAMES.slice(-1))('%s', { timeout: 120_000 }, (_name, alias) =>
    afterTheFirst(alias),
  );
  it.skipIf(cannotMount).each(isFull ? MOUNTS : MOUNTS.slice(-1))(
    '%s',
    { timeout: 120_000 },
    (_name, alias) => afterTheFirst(alias),
  );
});
