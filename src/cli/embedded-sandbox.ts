import { join, parse } from 'node:path';
import { fileOfLedger } from '../options/places.js';
import { type Installation, syncFields } from '../installation/installation.js';

/** Characters of identifiers' names that a file's name takes up at most. */
const NAMES = 60;

/**
 * File of the sandbox that belongs to a ledger: `cardline.db` -> `cardline.sandbox.db`. Where that has clients who are
 * identified otherwise than those of the installation, one of its own: `cardline.sandbox-offerId.db`.
 */
export async function sandboxDatabase(
  ledger: string,
  { card }: Pick<Installation, 'card'>,
): Promise<string> {
  const { dir, name } = parse(fileOfLedger(ledger));
  const file = join(dir, `${name}.sandbox.db`);
  const names = syncFields(card);
  const { isOfOthers } = await import('../sandbox/store.js');
  if (!isOfOthers(file, names.join(', '))) return file;
  const own = names
    .join('-')
    .replaceAll(/[^\p{L}\p{N}_-]/gu, '_')
    .slice(0, NAMES);
  return join(dir, `${name}.sandbox-${own}.db`);
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
