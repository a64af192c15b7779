import { join, parse } from 'node:path';
import type { Installation } from '../installation/installation.js';

/** File of the sandbox that belongs to a ledger: `cardline.db` -> `cardline.sandbox.db`. */
export function sandboxDatabase(ledger: string): string {
  const { dir, name } = parse(ledger);
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

/**
 * The environment for talking to the embedded sandbox: it asks for no credentials, so a variable that the
 * installation's headers name and that nobody set must not keep a newcomer from trying.
 */
export function sandboxEnvironment(
  { headers }: Installation,
  env: Readonly<Record<string, string | undefined>> = {},
): Record<string, string | undefined> {
  const named = Object.values(headers).flatMap((value) => [...value.matchAll(/\$\{(\w+)\}/g)]);
  const unset = named.flatMap(([, name]) => (name !== undefined && !env[name] ? [name] : []));
  return { ...env, ...Object.fromEntries(unset.map((name) => [name, 'sandbox'])) };
}
