import { join } from 'node:path';
import { readSmallFileSync } from './regular-file.js';

/** Environment that `${NAME}` is looked up in. */
export type Environment = Readonly<Record<string, string | undefined>>;

interface Substituted {
  readonly text: string;
  /** As they stand in the text, without `${}`: `TOKEN`, `file:/run/secrets/token`, `credential:token`. */
  readonly missing: readonly string[];
}

const PLACEHOLDER = /\$\{((?:file|credential):[^}]+|[A-Za-z_]\w*)\}/g;
/** Secrets are short. */
const MAX_BYTES = 64 * 1024;

/**
 * Replaces `${NAME}` from the environment, `${file:/run/secrets/token}` by what the file holds, and `${credential:token}`
 * by what systemd has put into its folder for credentials. Files are read anew each time, without the line end behind.
 */
export function substitute(text: string, env: Environment): Substituted {
  const missing: string[] = [];
  const replaced = text.replace(PLACEHOLDER, (whole, name: string) => {
    const value = valueOf(name, env);
    if (value === '') missing.push(name);
    return value === '' ? whole : value;
  });
  return { text: replaced, missing };
}

/** Whether the text has a placeholder that may stand for something else by now. */
export const canChange = (text: string): boolean => /\$\{(?:file|credential):/.test(text);

/** What is missing, by its kind, and how it is set; `undefined` where nothing is. Holds no secret. */
export function missingText(missing: readonly string[]): string | undefined {
  if (missing.length === 0) return undefined;
  const ofKind = (wanted: string): string =>
    missing
      .map(split)
      .flatMap(([kind, name]) => (kind === wanted ? [name] : []))
      .join(', ');
  const [files, credentials] = [ofKind('file'), ofKind('credential')];
  if (files !== '')
    return `needs the file ${files}, which is not there, is empty or may not be read.`;
  if (credentials !== '')
    return `needs the credential ${credentials} of systemd (LoadCredential), which is not passed.`;
  return `needs ${missing.join(', ')} from the environment, which is not set. Set it, or leave this out.`;
}

function valueOf(name: string, env: Environment): string {
  const [kind, rest] = split(name);
  if (kind === '') return env[name] ?? '';
  if (kind === 'file') return contentOf(rest);
  const folder = env['CREDENTIALS_DIRECTORY'];
  // The name of a credential leads to no other folder.
  return folder === undefined || rest.includes('/') ? '' : contentOf(join(folder, rest));
}

function contentOf(path: string): string {
  try {
    return readSmallFileSync(path, MAX_BYTES)
      .toString('utf8')
      .replace(/\r?\n$/, '');
  } catch {
    // Whoever asks says that the secret is not to be had, by its name.
    return '';
  }
}

/** The kind of a placeholder is what stands before its colon; a variable has none. */
function split(name: string): [kind: string, rest: string] {
  const colon = name.indexOf(':');
  return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
}

/** What stands in the placeholders of a text, each once. */
export const placeholdersIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name)),
];
