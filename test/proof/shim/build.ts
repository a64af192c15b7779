import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SOURCE = fileURLToPath(new URL('./disk-faults.c', import.meta.url));
const COMPILERS = ['cc', 'gcc', 'clang', 'c++', 'g++'];
const OPTIONS = ['-x', 'c', '-shared', '-fPIC', '-O1'];

/** The shim, ready to be put in front of the C library; or why there is none. */
export type Shim =
  { readonly library: string; remove(): void } | { readonly missing: string; remove(): void };

/** Compiles the shim into a temporary folder, with whatever compiler the machine has, and tries it. */
export async function buildShim(): Promise<Shim> {
  const none = (missing: string): Shim => ({ missing, remove: () => undefined });
  if (process.platform !== 'linux') return none('LD_PRELOAD is known on Linux only');
  const folder = mkdtempSync(join(tmpdir(), 'cardline-shim-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const library = join(folder, 'disk-faults.so');
  const counts = join(folder, 'counts.json');
  let reason = '';
  for (const compiler of COMPILERS) {
    try {
      await run(compiler, [...OPTIONS, '-o', library, SOURCE, '-ldl']);
      // A library that cannot be loaded is passed over: only what it leaves behind shows that it was there.
      await run(process.execPath, ['-e', ''], {
        env: { LD_PRELOAD: library, FAULT_COUNTS: counts },
      });
      if (existsSync(counts)) return { library, remove };
      reason = 'LD_PRELOAD has no effect';
    } catch (error) {
      reason ||= error instanceof Error ? error.message : String(error);
    }
  }
  remove();
  return none(`no compiler of this machine makes a library that can be preloaded: ${reason}`);
}
