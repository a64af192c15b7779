import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Flags of V8 for the whole process, each with its reason. To be set before anything else is done. */
const FLAGS = {
  '--heap-growing-percent=50':
    'little is held for long: a heap is swept before it has grown by half, and memory is flat over millions of rows',
  '--no-parallel-scavenge':
    'so little of the young generation is alive that the threads which help to empty it cost more time than they save',
  '--no-allocation-site-pretenuring':
    'the first rows are kept until the header is found; taking the next ones for lasting, too, would put them where they pile up, and cost a fifth of the time of reading',
  '--no-wasm-tier-up':
    'answers have few headers: compiling a faster parser for them takes 0.1 s, more than it ever saves',
  '--no-wasm-dynamic-tiering': 'the same',
  '--expose-gc': 'threads that read for a long time sweep their heaps themselves',
} as const satisfies Record<`--${string}`, string>;

/** Only the V8 of Node 20 has this flag, and later ones warn of it: how much is run before it is compiled for speed. */
const BUDGET = process.versions.v8.startsWith('11.') ? '--interrupt-budget=' : null;

/**
 * Half of the young generation, in bytes, from which on it grows no more: V8 would double it once more in every long run.
 * Then it would be emptied half as often, and hold twice the buffers of what was sent long ago.
 */
const YOUNG_BYTES = 8 * 1024 * 1024;

const youngBytes = (): number =>
  (getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0) / 2;

export function setEngineFlags(): void {
  for (const flag of Object.keys(FLAGS)) setFlagsFromString(flag);
  let isFull = false;
  // A second later, when threads that read have grown as well; then again and again, as each that starts sets it back.
  setInterval(() => {
    if (isFull) setFlagsFromString('--semi-space-growth-factor=1');
    else isFull = youngBytes() >= YOUNG_BYTES;
  }, 1000).unref();
  if (BUDGET === null) return;
  // Four times the default for a second: a small file is over by then, before compiling for speed pays.
  setFlagsFromString(`${BUDGET}540672`);
  setTimeout(setFlagsFromString, 1000, `${BUDGET}135168`).unref();
}
