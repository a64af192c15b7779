import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { executable } from '../../kit/cardline.js';

/** Loaded into the command: leaves behind what it used. */
const USAGE = new URL('./usage.mjs', import.meta.url).href;
/** Seconds after which a command is taken to hang; nothing here works for so long. */
const HANGS = 300;
/** Characters of output that are kept. */
const KEPT = 2 ** 20;

/** How a command ended, and what it took. */
export interface Measured {
  /** `null`: it was killed, since it hung. */
  readonly code: number | null;
  /** Its beginning. */
  readonly stdout: string;
  /** Line ends of all of it. */
  readonly lines: number;
  readonly stderr: string;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Most memory at a time. */
  readonly megabytes: number;
}

/** Runs the built command line to its end. `usage`: a file that can be made. */
export async function measured(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  usage: string,
): Promise<Measured> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', USAGE, executable, ...args], {
    env: { ...process.env, ...env, HOSTILE_USAGE: usage },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: HANGS * 1000,
    killSignal: 'SIGKILL',
  });
  let [stdout, stderr, lines] = ['', '', 0];
  child.stdout.on('data', (bytes: Buffer) => {
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
    if (stdout.length < KEPT) stdout += bytes.toString();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  const wallSeconds = (performance.now() - began) / 1000;
  return { code, stdout, lines, stderr, wallSeconds, ...(await usedBy(usage)) };
}

async function usedBy(file: string): Promise<{ cpuSeconds: number; megabytes: number }> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as { cpuSeconds: number; megabytes: number };
  } catch {
    // It was killed; its code says so.
    return { cpuSeconds: NaN, megabytes: NaN };
  } finally {
    await rm(file, { force: true });
  }
}
