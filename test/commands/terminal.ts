import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../../src/cli/run.js';
import type { Ended } from '../kit/cardline.js';

export interface Person {
  /** Lines that a person types at a terminal; absent: nobody is there. */
  readonly types?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Told of what is printed beside the result, while the input stays open. */
  readonly onTold?: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** Runs the command line as a function, with a person at its terminal or without. `runs`: the built one. */
export async function runAt(
  argv: readonly string[],
  { types, env = {}, onTold, signal = new AbortController().signal }: Person = {},
  runs = run,
): Promise<Ended> {
  const isThere = types !== undefined;
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  if (onTold) stderr.on('data', (chunk: Buffer) => onTold(String(chunk)));
  const printed = Promise.all([text(stdout), text(stderr)]);
  const stdin = Object.assign(new PassThrough(), { isTTY: isThere });
  stdin.write((types ?? []).map((line) => `${line}\n`).join(''));
  if (!onTold) stdin.end();
  const columns = isThere ? 80 : undefined;
  const code = await runs(argv, {
    ...{ stdin, stdout, stderr, env, interactive: isThere, columns, signal },
  });
  stdout.end();
  stderr.end();
  const [out, told] = await printed;
  return { code, stdout: out, stderr: told };
}
