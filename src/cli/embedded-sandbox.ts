import { join, parse } from 'node:path';
import { fileOfLedger } from '../app/run/ledger-path.js';
import type { Installation } from '../installation/installation.js';

/** File of the sandbox that belongs to a ledger: `cardline.db` -> `cardline.sandbox.db`. */
export function sandboxDatabase(ledger: string): string {
  const { dir, name } = parse(fileOfLedger(ledger));
  return join(dir, `${name}.sandbox.db`);
}

/** Runs the embedded sandbox for as long as `use` takes, at an address of its own choice. */
export async function withSandbox<T>(
  installation: Installation,
  database: string,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const { startSandbox } = await import('../sandbox/sandbox.js');
  const sandbox = await startSandbox({ installation, port: 0, database });
  try {
    return await use(sandbox.url);
  } finally {
    await sandbox.close();
  }
}
