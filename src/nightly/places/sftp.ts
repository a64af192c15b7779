import { connect } from 'node:net';
import type SftpClient from 'ssh2-sftp-client';
import { codeOf, CardlineError } from '../../core/errors.js';
import { type SftpAccess, type Secrets, filledIn } from '../pickup/schema.js';
import { optionalPackage, PlaceError } from './place.js';
import type { SftpAddress } from './addresses.js';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readSmallFileSync } from '../../files/regular-file.js';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const CONNECT_MS = 20_000;
const KEEPALIVE_MS = 15_000;

/** Connects, to a host whose key is known only. @throws PlaceError, UsageError */
export async function connectSftp(
  address: SftpAddress,
  access: SftpAccess,
  env: Secrets,
): Promise<SftpClient> {
  const { default: Client } = await optionalPackage(
    'ssh2-sftp-client',
    '12',
    () => import('ssh2-sftp-client'),
  );
  const { user, host, port } = address;
  const where = `sftp://${hostName(host, port)}`;
  const file = ownPath(access.knownHosts ?? '~/.ssh/known_hosts', env);
  const known = contentOf(file) ?? '';
  const name = hostName(host, port);
  let refused: { readonly verdict: HostKeyVerdict; readonly key: Buffer } | undefined;
  const types = knownTypes(known, name).flatMap(algorithmsOf);
  const client = new Client('cardline', {});
  try {
    const login = credentials(access, env, where);
    if (login.password !== undefined) answerPrompts(client, login.password);
    await client.connect({
      // Small requests that wait for answers: a delay for each of them would be most of the time.
      sock: connect({ host, port, noDelay: true }),
      ...{ host, port, username: user, readyTimeout: CONNECT_MS },
      ...{ keepaliveInterval: KEEPALIVE_MS, keepaliveCountMax: 3 },
      ...login,
      // Many servers ask for a password so, by PAM.
      tryKeyboard: login.password !== undefined,
      ...(types.length === 0 ? {} : { algorithms: { serverHostKey: types } }),
      hostVerifier: (key: Buffer) => {
        const verdict = verdictOnKey(known, name, key);
        if (verdict !== 'known') refused = { verdict, key };
        return verdict === 'known';
      },
    });
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    if (error instanceof CardlineError) throw error;
    throw refused ? hostError(where, file, refused) : connectError(where, error);
  }
}

/** What the server may sign with, by the type of its key. */
const algorithmsOf = (type: string) =>
  type === 'ssh-rsa'
    ? (['rsa-sha2-512', 'rsa-sha2-256'] as const)
    : HOST_KEYS.filter((known) => known === type);

const HOST_KEYS = [
  ...([
    'ssh-ed25519',
    'ecdsa-sha2-nistp256',
    'ecdsa-sha2-nistp384',
    'ecdsa-sha2-nistp521',
  ] as const),
];

function hostError(
  where: string,
  file: string,
  { verdict, key }: { readonly verdict: HostKeyVerdict; readonly key: Buffer },
): PlaceError {
  const shown = fingerprintOf(key);
  const words =
    verdict === 'unknown'
      ? `its host key ${shown} is not in ${file}. Ask its operator whether this is the key, and add the line of "ssh-keyscan" to that file`
      : `its host key ${shown} is ${verdict === 'revoked' ? 'revoked' : 'another one'} in ${file}. Somebody may pretend to be this server: ask its operator before you change the file`;
  return new PlaceError(`${where}: ${words}.`);
}

const CAUSES: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/ENOTFOUND|EAI_AGAIN|lookup failed/i, 'there is no host of this name. Check the address'],
  [/ECONNREFUSED|refused connection/i, 'no server answers there. Check host and port'],
  [
    /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|Timed out/i,
    'it does not answer in time. Check host, port and firewall',
  ],
  [
    /authentication methods failed/i,
    'it refuses the user, the key or the password. Check sftp: { key, passphrase, password } and the agent',
  ],
  [
    /passphrase|decrypt|bad decrypt|Cannot parse privateKey/i,
    'the key cannot be read. Check the file and its passphrase',
  ],
  [
    /ECONNRESET|EPIPE|ERR_NOT_CONNECTED|ended|closed|(?:end|close) event|No response|No SFTP/i,
    'the connection was lost',
  ],
];

/** What a connection failed with, in words. */
export function connectError(where: string, error: unknown): PlaceError {
  const text = `${codeOf(error)} ${error instanceof Error ? error.message : ''}`;
  const [, words] = CAUSES.find(([pattern]) => pattern.test(text)) ?? [
    undefined,
    `it cannot be used (${codeOf(error) || 'unknown'})`,
  ];
  return new PlaceError(`${where}: ${words}.`, { cause: error });
}

const MAX_KEY_BYTES = 64 * 1024;
const OWN_KEYS = ['id_ed25519', 'id_ecdsa', 'id_rsa'];

/** What to log in with: a key, a password, the agent. @throws PlaceError */
function credentials(access: SftpAccess, env: Secrets, where: string) {
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
const ownPath = (path: string, env: Secrets): string =>
  path.startsWith('~/') ? join(env['HOME'] ?? homedir(), path.slice(2)) : path;

/** What a file holds that is read as a whole; `undefined` where it cannot be. */
function contentOf(path: string): string | undefined {
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
function answerPrompts(client: SftpClient, password: string): void {
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

/** A line of a file of known hosts, as OpenSSH writes it (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT). */
interface KnownHost {
  readonly isRevoked: boolean;
  readonly hosts: string;
  readonly type: string;
  /** The key in base64. */
  readonly key: string;
}

/** What is known of the key that a host shows. */
type HostKeyVerdict = 'known' | 'unknown' | 'changed' | 'revoked';

/** How a host is called in such a file. */
export const hostName = (host: string, port: number): string =>
  port === 22 ? host : `[${host}]:${port}`;

/** The types of the keys that are known of a host, so that it is asked for one of them. */
function knownTypes(text: string, host: string): string[] {
  const types = linesOf(text, host).flatMap(({ type, isRevoked }) => (isRevoked ? [] : [type]));
  return [...new Set(types)];
}

/** Compares the key that a host shows with those that are known of it. */
export function verdictOnKey(text: string, host: string, key: Buffer): HostKeyVerdict {
  const lines = linesOf(text, host);
  const shown = key.toString('base64');
  const same = lines.filter((line) => line.key === shown);
  if (same.some(({ isRevoked }) => isRevoked)) return 'revoked';
  if (same.length > 0) return 'known';
  return lines.some(({ isRevoked }) => !isRevoked) ? 'changed' : 'unknown';
}

/** As ssh-keygen -l shows it. */
const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

const linesOf = (text: string, host: string): KnownHost[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const known = parsed(line);
    return known !== null && isFor(known.hosts, host.toLowerCase()) ? [known] : [];
  });

function parsed(line: string): KnownHost | null {
  const words = line.trim().split(/\s+/);
  if (line.trim() === '' || line.trim().startsWith('#')) return null;
  const marker = words[0]?.startsWith('@') === true ? words.shift() : undefined;
  // What an authority has signed is not checked here.
  if (marker !== undefined && marker !== '@revoked') return null;
  const [hosts, type, key] = words;
  if (hosts === undefined || type === undefined || key === undefined) return null;
  return { hosts, type, key: key.replace(/=*$/, padding), isRevoked: marker === '@revoked' };
}

const padding = (_: string, at: number): string => '='.repeat((4 - (at % 4)) % 4);

function isFor(hosts: string, host: string): boolean {
  if (hosts.startsWith('|1|')) return isHashOf(hosts, host);
  const patterns = hosts.toLowerCase().split(',');
  if (patterns.some((one) => one.startsWith('!') && fits(one.slice(1), host))) return false;
  return patterns.some((one) => fits(one, host));
}

function isHashOf(hashed: string, host: string): boolean {
  const [, , salt = '', hash = ''] = hashed.split('|');
  const own = createHmac('sha1', Buffer.from(salt, 'base64')).update(host).digest();
  const wanted = Buffer.from(hash, 'base64');
  return own.length === wanted.length && timingSafeEqual(own, wanted);
}

function fits(pattern: string, host: string): boolean {
  const expression = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`).test(host);
}
