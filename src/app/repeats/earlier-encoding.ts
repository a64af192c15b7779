import { z } from 'zod';
import { InputError } from '../../core/errors.js';
import type { SourceOptions } from '../../core/table.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { OpenedInput } from '../../prepare/plan.js';

/** Encodings of files by their paths. Those of Unicode are left out: they are not guessed. */
export type Encodings = Readonly<Record<string, string>>;

const kept = z.object({ encodings: z.record(z.string(), z.string()) });

/** Runs that are looked at, the latest first. */
const MAX_RUNS = 200;

/**
 * The encodings that files were read in, to be kept with a run.
 * @param paths absolute ones, in the order of the inputs
 */
export function encodingsOf(paths: readonly string[], inputs: readonly OpenedInput[]): Encodings {
  const found = paths.map((path, at) => [path, inputs[at]?.info.encoding ?? ''] as const);
  return Object.fromEntries(found.filter(([, label]) => label !== '' && !/^utf-/.test(label)));
}

/**
 * Compares with the latest run that read the same path in an encoding that is none of Unicode's: one of two that differ
 * was wrong, and names or codes of then and now are not the same ones. Nothing is compared where the encoding is named.
 * @param warn called with the difference where the person decides; absent where nobody is asked
 * @throws InputError where it differs and nobody is asked
 */
export async function compareEncodings(
  ledger: Pick<Ledger, 'runs' | 'settingsOf'>,
  now: Encodings,
  { encoding = 'auto' }: SourceOptions,
  warn: ((message: string) => void) | undefined,
): Promise<void> {
  const left = new Map(Object.entries(now));
  if (encoding !== 'auto' || left.size === 0) return;
  for (const { run, inputs } of (await ledger.runs()).slice(0, MAX_RUNS)) {
    if (!inputs.some((path) => left.has(path))) continue;
    const earlier = kept.safeParse(await ledger.settingsOf(run)).data?.encodings ?? {};
    for (const [path, before] of Object.entries(earlier)) {
      const label = left.get(path);
      left.delete(path);
      if (label === undefined || label === before) continue;
      const message =
        `the text is ${label} now, and run ${run} read it as ${before}. Clients of that run may be wrong. ` +
        'Name the right one with --encoding, or "source: { encoding: … }" in the mapping.';
      if (!warn) throw new InputError('other_encoding', message, { file: path });
      warn(`${path}: ${message}`);
    }
    if (left.size === 0) return;
  }
}
