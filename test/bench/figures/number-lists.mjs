/**
 * Measures lists of numbers that must not be called: `node test/bench/figures/number-lists.mjs [numbers] [us|world]`, after
 * `npm run build`. Default: 250,000,000 numbers of the United States. It needs 4 GB of disk in the folder for temporary
 * files. `us`: ten digits a line; `world`: E.164 of eleven to fifteen digits at random.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNumbers } from '../../../dist/lists/lists.js';
import { numberReader } from '../../../dist/mapping/transforms/phone/phone.js';

const count = Number(process.argv[2] ?? 250_000_000);
const kind = process.argv[3] ?? 'us';
const LOOK_UPS = 2_000_000;
const FILTER_BYTES = 16 * 1024 ** 2;

/** A number from 0 to 1, the same in every run. */
function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return (word ^ (word >>> 14)) >>> 0;
  };
  return () => (next() * 2 ** 21 + (next() >>> 11)) / 2 ** 53;
}

const KINDS = {
  us: (draw) => 12_000_000_000 + Math.floor(draw() * 8_000_000_000),
  world: (draw) => {
    const digits = 11 + Math.floor(draw() * 5);
    return Math.floor((1 + draw() * 9) * 10 ** (digits - 1));
  },
};
const numberOf = KINDS[kind];

if (process.argv[4] === 'generate') generate(process.argv[5]);
else await measure();

/** In a process of its own: its memory does not count. */
function generate(file) {
  const draw = random(1);
  const descriptor = openSync(file, 'w');
  let lines = [];
  for (let at = 0; at < count; at++) {
    const number = numberOf(draw);
    lines.push(kind === 'us' ? number - 10_000_000_000 : `+${number}`);
    if (lines.length < 100_000 && at < count - 1) continue;
    writeSync(descriptor, `${lines.join('\n')}\n`);
    lines = [];
  }
  closeSync(descriptor);
}

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'cardline-figures-'));
  try {
    const file = join(folder, 'list.txt');
    spawnSync(process.execPath, [import.meta.filename, String(count), kind, 'generate', file], {
      stdio: 'inherit',
    });
    const source = {
      file,
      settings: kind,
      areas: kind === 'us',
      reader: numberReader(kind === 'us' ? 'US' : undefined),
    };
    const before = memory();
    const started = performance.now();
    const list = await openNumbers(source, FILTER_BYTES, 0);
    const seconds = (performance.now() - started) / 1000;
    const built = memory();
    list.close();
    const opening = performance.now();
    const again = await openNumbers(source, FILTER_BYTES, 0);
    const figures = {
      numbers: again.head.numbers,
      'source MB': mega(statSync(file).size),
      'compiled MB': mega(statSync(list.path).size),
      'compiled in s': seconds.toFixed(1),
      'numbers a second': Math.round(count / seconds),
      'process before, MB': mega(before.now),
      'peak of the process, MB': mega(built.peak),
      'opened in ms': (performance.now() - opening).toFixed(0),
      'not listed, ns a look-up': lookUps(again, random(2)),
      'listed, ns a look-up': lookUps(again, random(1)),
    };
    again.close();
    console.table(figures);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Random numbers: those of the list's own seed are on it. */
function lookUps(list, draw) {
  const numbers = Float64Array.from({ length: Math.min(LOOK_UPS, count) }, () => numberOf(draw));
  const started = performance.now();
  const before = process.cpuUsage();
  let found = 0;
  for (const number of numbers) if (list.has(number)) found++;
  const each = ((performance.now() - started) * 1e6) / numbers.length;
  const { user, system } = process.cpuUsage(before);
  const busy = ((user + system) * 1e3) / numbers.length;
  const share = ((100 * found) / numbers.length).toFixed(1);
  return `${each.toFixed(0)}, of the processor ${busy.toFixed(0)} (${share} % found)`;
}

function memory() {
  const status = readFileSync('/proc/self/status', 'utf8');
  const of = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024;
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

function mega(bytes) {
  return Math.round(bytes / 1e6);
}
