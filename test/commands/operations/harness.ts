import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';
import { run } from '../../../src/cli/run.js';
import { cardline, type Ended, type Invocation } from '../../kit/cardline.js';
import { startSandbox, type Sandbox } from '../../kit/sandbox.js';
import { startRecorder, type Recorder } from './recorder.js';

/** A credential that must be seen nowhere but in a header. */
export const TOKEN = 'tok-81c5-very-secret';

/** Two identifiers of different types, a list, a number, a mandatory field. */
export const installation = (baseUrl: string, more = ''): string => `name: test
baseUrl: ${baseUrl}
headers: { Authorization: "Bearer \${CARDLINE_TEST_TOKEN}" }
card:
  offerId: { type: Number, sync: true }
  offerDomain: { type: TextField, sync: true }
  fullName: { type: TextField, required: true }
  segment: { type: ComboBox, values: [cold, warm] }
  budget: { type: Number }
sandbox: { blacklist: ['79990000666'] }
${more}`;

/** A folder, a contact center, and commands that talk to it. */
export interface Bench<C> {
  readonly center: C;
  at(name: string): string;
  write(name: string, content: string): Promise<string>;
  /** Arguments with the installation among them. */
  args(args: readonly string[]): string[];
  run(args: readonly string[], invocation?: Invocation): Promise<Ended>;
}

function useBench<C extends { readonly url: string; close(): Promise<void> }>(
  start: (folder: string, file: string) => Promise<C>,
): Bench<C> {
  let folder: string;
  let center: C;
  const at = (name: string): string => join(folder, name);
  const write = async (name: string, content: string): Promise<string> => {
    await writeFile(at(name), content);
    return at(name);
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardline-operations-'));
    center = await start(folder, await write('sandbox.yaml', installation('http://127.0.0.1:9')));
    await write('center.yaml', installation(center.url));
  });
  afterAll(async () => {
    await center.close();
    await rm(folder, { recursive: true });
  });
  const args = ([group = '', action = '', ...rest]: readonly string[]): string[] => [
    group,
    action,
    ...(rest.includes('-i') ? [] : ['-i', at('center.yaml')]),
    ...rest,
  ];
  return {
    get center() {
      return center;
    },
    at,
    write,
    args,
    run: (given, invocation) =>
      cardline(args(given), { cwd: folder, env: { CARDLINE_TEST_TOKEN: TOKEN }, ...invocation }),
  };
}

/** With a sandbox, in which there is a campaign "Autumn leads" with the id 1. */
export const useSandbox = (): Bench<Sandbox> =>
  useBench((folder, file) => startSandbox(file, join(folder, 'center.db')));

/** With a contact center that takes everything and keeps what it was asked. */
export const useRecorder = (): Bench<Recorder> => useBench(() => startRecorder());

/** What was printed, as JSON. */
export const printedJson = ({ stdout }: Ended): unknown => JSON.parse(stdout);

/** Runs the command line as a function, of which nothing but its streams is seen: for the many ways to misuse it. */
export async function inProcess(argv: readonly string[]): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const env = { CARDLINE_TEST_TOKEN: TOKEN };
  const { signal } = new AbortController();
  const stdin = new PassThrough().end();
  const code = await run(argv, { stdin, stdout, stderr, env, interactive: false, signal });
  stdout.end();
  stderr.end();
  const [out, told] = await printed;
  return { code, stdout: out, stderr: told };
}
