import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Runs a Node script to its end. Resolves with wall seconds, peak memory, processor seconds and its output. */
export async function runNode(args, { cwd, expect = [0] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'cardline-bench-'));
  const usage = join(folder, 'usage.json');
  const [began, beganAt] = [performance.now(), Date.now()];
  // Certificates that the machine's owner adds are read by every process at its start, whatever it does.
  const env = { ...process.env, BENCH_USAGE: usage };
  delete env.NODE_EXTRA_CA_CERTS;
  const child = spawn(process.execPath, ['--require', here('./usage.cjs'), ...args], {
    cwd: cwd ?? folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (errors += text));
  const [code] = await once(child, 'close');
  const seconds = (performance.now() - began) / 1000;
  if (!expect.includes(code)) throw new Error(`${args.join(' ')} ended with ${code}\n${errors}`);
  const figures = JSON.parse(readFileSync(usage, 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  return { code, seconds, beganAt, ...figures, output };
}

/** Wall seconds of a Python script; `null` where Python, or a module that it needs, is not installed. */
export async function secondsOfPython(args) {
  const began = performance.now();
  const child = spawn('python3', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  const code = await Promise.race([
    once(child, 'close').then(([ended]) => ended),
    once(child, 'error').then(([error]) => error.code),
  ]);
  if (code === 0) return (performance.now() - began) / 1000;
  if (code === 'ENOENT' || errors.includes('ModuleNotFoundError')) return null;
  throw new Error(`${args.join(' ')} ended with ${code}\n${errors}`);
}

/** Starts a server script; resolves with its port, a way to ask what it counted, and one to end it. */
export async function startServer(script, ...args) {
  const stdio = ['ignore', 'pipe', 'inherit'];
  const child = spawn(process.execPath, [script, ...args], { stdio });
  const said = async () => String((await once(child.stdout, 'data'))[0]);
  const port = Number(await said());
  const counts = async () => {
    const line = said();
    child.kill('SIGUSR2');
    return JSON.parse(await line);
  };
  return { port, counts, stop: () => child.kill('SIGTERM') };
}

/** Starts the sandbox in a process of its own, with its data in memory. */
export async function startSandbox() {
  const args = ['sandbox', '-i', here('./installation.yaml'), '--port', '0', '--db', ':memory:'];
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [text] = await once(child.stdout, 'data');
  return { port: Number(/:(\d+)\s*$/.exec(String(text))[1]), stop: () => child.kill('SIGTERM') };
}

export const here = (name) => fileURLToPath(new URL(name, import.meta.url));
export const MAIN = here('../../dist/command/main.js');

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Runs two measurements in alternation and gives the median of the ratios pair by pair, with the spread. */
export async function alternate(rounds, ours, reference) {
  const pairs = [];
  for (let round = 0; round < rounds; round++) {
    const b = await reference();
    const a = await ours();
    pairs.push({ a, b });
  }
  return pairs;
}
