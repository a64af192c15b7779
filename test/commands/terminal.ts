import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../../src/cli/run.js';
import type { Ended } from '../kit/cardline.js';

export interface Person {
  /** Lines that a person types at a terminal; absent: nobody is there. */
  readonly types?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the command line as a function, with a person at its terminal or without. */
export async function runAt(
  argv: readonly string[],
  { types, env = {} }: Person = {},
): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const stdin = Object.assign(new PassThrough(), { isTTY: types !== undefined });
  stdin.end((types ?? []).map((line) => `${line}\n`).join(''));
  const code = await run(argv, {
    ...{ stdin, stdout, stderr, env, interactive: false, signal: new AbortController().signal },
    columns: types === undefined ? undefined : 80,
  });
  stdout.end();
  stderr.end();
  const [out, told] = await printed;
  return { code, stdout: out, stderr: told };
}
