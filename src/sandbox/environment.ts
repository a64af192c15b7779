import type { Installation } from '../installation/installation.js';

/**
 * The environment for talking to a sandbox: it asks for no credentials, so a variable that the installation's headers
 * name and that nobody set must not keep a newcomer from trying.
 */
export function sandboxEnvironment(
  { headers }: Pick<Installation, 'headers'>,
  env: Readonly<Record<string, string | undefined>> = {},
): Record<string, string | undefined> {
  const named = Object.values(headers).flatMap((value) => [...value.matchAll(/\$\{(\w+)\}/g)]);
  const unset = named.flatMap(([, name]) => (name !== undefined && !env[name] ? [name] : []));
  return { ...env, ...Object.fromEntries(unset.map((name) => [name, 'sandbox'])) };
}
