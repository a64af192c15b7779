import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { run as runCommand } from '../../src/cli/run.js';
import type { Ended } from './cardline.js';

// The built command, since its reading threads have no other.
export const BUILT = new URL('../../dist/command/cli.js', import.meta.url).href;

/** Runs the command line in this process, on a terminal of so many columns. */
export async function onTerminal(
  argv: readonly string[],
  columns = 80,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { run } = (await import(BUILT)) as { run: typeof runCommand };
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const { signal } = new AbortController();
  const streams = { stdin, stdout, stderr };
  const code = await run(argv, { ...streams, env, interactive: false, columns, signal });
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, stdout: out, stderr: err };
}
