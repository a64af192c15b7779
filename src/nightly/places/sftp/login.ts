import { homedir } from 'node:os';
import { join } from 'node:path';
import type SftpClient from 'ssh2-sftp-client';
import { readSmallFileSync } from '../../../files/regular-file.js';
import type { SftpAccess } from '../../pickup/access.js';
import { filledIn, type Secrets } from '../../pickup/secrets.js';
import { PlaceError } from '../place.js';

const MAX_KEY_BYTES = 64 * 1024;
const OWN_KEYS = ['id_ed25519', 'id_ecdsa', 'id_rsa'];

/** What to log in with: a key, a password, the agent. @throws PlaceError */
export function credentials(access: SftpAccess, env: Secrets, where: string) {
  const filled = (text: string): string => {
    const { text: value, mistakes } = filledIn(text, env);
    if (mistakes[0] !== undefined) throw new PlaceError(`${where}: ${mistakes[0]}`);
    return value;
  };
  const agent = env['SSH_AUTH_SOCK'];
  const key = keyOf(access, env, where);
  return {
    ...(access.password === undefined ? {} : { password: filled(access.password) }),
    ...(access.passphrase === undefined ? {} : { passphrase: filled(access.passphrase) }),
    ...(key === undefined ? {} : { privateKey: key }),
    ...(agent === undefined || agent === '' || access.key !== undefined ? {} : { agent }),
  };
}

/** The key that is named; else, without a password, the usual ones of the user. */
function keyOf(access: SftpAccess, env: Secrets, where: string): Buffer | undefined {
  if (access.key !== undefined) {
    const path = ownPath(access.key, env);
    const key = contentOf(path);
    if (key === undefined)
      throw new PlaceError(
        `${where}: the key ${path} cannot be read. Check the name and its rights.`,
      );
    return Buffer.from(key);
  }
  if (access.password !== undefined) return undefined;
  for (const name of OWN_KEYS) {
    const key = contentOf(ownPath(`~/.ssh/${name}`, env));
    if (key !== undefined) return Buffer.from(key);
  }
  return undefined;
}

/** A path that may begin in the home of the user. */
export const ownPath = (path: string, env: Secrets): string =>
  path.startsWith('~/') ? join(env['HOME'] ?? homedir(), path.slice(2)) : path;

/** What a file holds that is read as a whole; `undefined` where it cannot be. */
export function contentOf(path: string): string | undefined {
  try {
    return readSmallFileSync(path, MAX_KEY_BYTES * 16).toString('utf8');
  } catch {
    // Whoever asks says which file is missing.
    return undefined;
  }
}

/** A question of a server. */
interface Prompt {
  /** Whether what is typed is to be seen. */
  readonly echo?: boolean;
}

/** Answers the first hidden question with the password. What else may be asked for, such as a code, is not known here. */
export function answerPrompts(client: SftpClient, password: string): void {
  let isAnswered = false;
  const answerTo = ({ echo }: Prompt): string => {
    if (echo === true || isAnswered) return '';
    isAnswered = true;
    return password;
  };
  client.on(
    'keyboard-interactive',
    (
      _name: string,
      _instructions: string,
      _language: string,
      prompts: readonly Prompt[],
      finish: (answers: readonly string[]) => void,
    ) => {
      finish(prompts.map(answerTo));
    },
  );
}
