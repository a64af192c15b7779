import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INSTALLATION, MAPPING } from './files.mjs';
import { MAIN, runNode } from './measure.mjs';

/** Checks a file. */
export const check = (file) => runNode([MAIN, 'check', file, '-m', MAPPING, '-i', INSTALLATION]);

/** Imports a file into the server at a port; `auto`: nothing is said. */
export const importOnce = (file, port, concurrency, batchSize, extra = [], mapping = MAPPING) =>
  runOnce('import', file, port, concurrency, batchSize, extra, mapping);

/** Runs a command that reads a spreadsheet against the server at a port. */
export async function runOnce(command, file, port, concurrency, batchSize, extra, mapping) {
  const folder = mkdtempSync(join(tmpdir(), 'cardline-bench-import-'));
  try {
    const installation = join(folder, 'installation.yaml');
    writeFileSync(
      installation,
      readFileSync(INSTALLATION, 'utf8').replace('127.0.0.1:1', `127.0.0.1:${port}`),
    );
    const run = await runNode(
      [
        MAIN,
        command,
        file,
        '-m',
        mapping,
        '-i',
        installation,
        '--out',
        join(folder, 'out'),
        ...(concurrency === 'auto' ? [] : ['--concurrency', String(concurrency)]),
        ...(batchSize === 'auto' ? [] : ['--batch-size', String(batchSize)]),
        ...extra,
      ],
      { cwd: folder },
    );
    return {
      ...run,
      summary: JSON.parse(readFileSync(join(folder, 'out', 'summary.json'), 'utf8')),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
