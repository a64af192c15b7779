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

/** How much is run before it is compiled for speed; only the V8 of Node 20 has the flag, and later ones warn of it. */
const INTERRUPT_BUDGET = process.versions.v8.startsWith('11.')
  ? { patient: '--interrupt-budget=540672', usual: '--interrupt-budget=135168' }
  : null;
/** A small file is over by then, before compiling for speed pays. In milliseconds. */
const PATIENT_MS = 1000;

export function setEngineFlags(): void {
  for (const flag of Object.keys(FLAGS)) setFlagsFromString(flag);
  if (INTERRUPT_BUDGET === null) return;
  const { patient, usual } = INTERRUPT_BUDGET;
  setFlagsFromString(patient);
  setTimeout(() => {
    setFlagsFromString(usual);
  }, PATIENT_MS).unref();
}

/**
 * Keeps the young generation of the heap from growing. V8 doubles it when as much has outlived its collections as it
 * holds, which happens in every long run. Then it is emptied half as often, and holds twice the buffers of what was
 * sent long ago. The reader threads reach their size within the first few thousand rows.
 */
export function keepYoungGeneration(keep: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${keep ? 1 : 2}`);
}
