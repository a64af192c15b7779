import { setFlagsFromString } from 'node:v8';

/** Flags of V8 for the whole process, each with its reason. To be set before anything else is done. */
const FLAGS = {
  '--heap-growing-percent=50':
    'little is held for long: a heap is swept before it has grown by half, and memory is flat over millions of rows',
  '--no-parallel-scavenge':
    'so little of the young generation is alive that the threads which help to empty it cost more time than they save',
  '--no-wasm-tier-up':
    'answers have few headers: compiling a faster parser for them takes 0.1 s, more than it ever saves',
  '--no-wasm-dynamic-tiering': 'the same',
  '--expose-gc': 'threads that read for a long time sweep their heaps themselves',
} as const satisfies Record<`--${string}`, string>;

/** Only the V8 of Node 20 has this flag, and later ones warn of it: how much is run before it is compiled for speed. */
const BUDGET = process.versions.v8.startsWith('11.') ? '--interrupt-budget=' : null;

export function setEngineFlags(): void {
  for (const flag of Object.keys(FLAGS)) setFlagsFromString(flag);
  if (BUDGET === null) return;
  // Four times the default for a second: a small file is over by then, before compiling for speed pays.
  setFlagsFromString(`${BUDGET}540672`);
  setTimeout(setFlagsFromString, 1000, `${BUDGET}135168`).unref();
}

/**
 * Keeps the young generation of the heap from growing. V8 doubles it when as much has outlived its collections as it
 * holds, which happens in every long run. Then it is emptied half as often, and holds twice the buffers of what was
 * sent long ago. The reader threads reach their size within the first few thousand rows.
 */
export function keepYoungGeneration(keep: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${keep ? 1 : 2}`);
}
