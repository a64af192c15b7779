import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { join, posix } from 'node:path';
import type { Readable } from 'node:stream';
import type SftpClient from 'ssh2-sftp-client';
import { CardlineError, codeOf, UsageError } from '../../core/errors.js';
import { type OtherKind, readSmallFileSync } from '../../files/regular-file.js';
import type { Secrets, SftpAccess } from '../pickup/schema.js';
import { filledAt, optionalPackage, patternOf, PlaceError } from './place.js';
import type { Moved, RemoteFile, RemoteListing, RemoteStore } from './remote.js';

/** Where a server is, and the folder on it. */
interface SftpAddress {
  readonly user: string;
  readonly host: string;
  readonly port: number;
  readonly folder: string;
}

/** Reads `sftp://user@host:port/folder`; `/~/in` is a folder in the home of the user. @throws UsageError */
export function sftpAddress(text: string): SftpAddress {
  const url = URL.parse(text);
  if (!url || url.hostname === '' || url.username === '')
    throw new UsageError('An address of SFTP is written as sftp://user@host:22/folder.');
  if (url.password !== '')
    throw new UsageError(
      'The address of the SFTP server holds a password, which logs would show. Give it with sftp: { password: "${NAME}" }.',
    );
  const path = decodeURIComponent(url.pathname).replace(/\/+$/, '');
  return {
    user: decodeURIComponent(url.username),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 22),
    folder: path.startsWith('/~/') ? path.slice(3) : path === '' ? '/' : path,
  };
}

/** How a server answers (draft-ietf-secsh-filexfer-02, 7), and how the package does where it asks itself. */
const GONE: ReadonlySet<unknown> = new Set([2, 'ENOENT', 'ERR_NOT_EXIST']);
const FORBIDDEN: ReadonlySet<unknown> = new Set([3, 8, 'EACCES', 'EPERM', 'ERR_BAD_AUTH']);
/** It says no more than that it did not succeed. */
const FAILURE: ReadonlySet<unknown> = new Set([4]);

const statusOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** The first letter of a line as `ls -l` has it. */
const KINDS: Readonly<Record<string, OtherKind>> = {
  ...{ d: 'folder', l: 'symbolic link', p: 'named pipe', s: 'socket' },
};

/** Files on an SFTP server. The connection is made when it is needed, and anew when it was lost. */
export class SftpStore implements RemoteStore {
  readonly words: string;
  readonly movesAtOnce = true;
  #client: SftpClient | undefined;

  constructor(
    private readonly address: SftpAddress,
    private readonly access: SftpAccess,
    private readonly env: Secrets,
  ) {
    const { user, host, port, folder } = address;
    this.words = `sftp://${user}@${hostName(host, port)}${posix.join('/', folder)}`;
  }

  list(folder: string): Promise<RemoteListing | null> {
    return this.#using(async (client) => {
      const found = await unless(GONE, client.list(folder));
      if (!found) return null;
      const [files, others] = [true, false].map((isFile) =>
        found.filter(({ type }) => (type === '-') === isFile),
      );
      return {
        files: (files ?? []).map((one) => described(one.name, one.size, one.modifyTime)),
        others: (others ?? []).map(({ type, name }) => ({ name, kind: KINDS[type] ?? 'device' })),
      };
    });
  }

  look(path: string): Promise<RemoteFile | null> {
    return this.#using(async (client) => {
      const found = await unless(GONE, client.stat(path));
      if (!found?.isFile) return null;
      return described(posix.basename(path), found.size, found.modifyTime);
    });
  }

  read(path: string, start: number): Promise<Readable> {
    return this.#using((client) => Promise.resolve(client.createReadStream(path, { start })));
  }

  write(path: string, content: Buffer): Promise<void> {
    return this.#using(async (client) => {
      await client.put(content, path);
    });
  }

  move(from: string, to: string): Promise<Moved> {
    return this.#using(async (client) => {
      try {
        await client.rename(from, to);
        return 'moved';
      } catch (error) {
        const status = statusOf(error);
        if (GONE.has(status)) return 'gone';
        if (FORBIDDEN.has(status)) return 'forbidden';
        if (!FAILURE.has(status)) throw error;
        if ((await client.exists(from)) === false) return 'gone';
        return (await client.exists(to)) === false ? 'forbidden' : 'taken';
      }
    });
  }

  remove(path: string): Promise<void> {
    return this.#using(async (client) => {
      await unless(GONE, client.delete(path));
    });
  }

  makeFolder(path: string): Promise<boolean> {
    return this.#using(async (client) => {
      if ((await client.exists(path)) === 'd') return true;
      const made = await unless(new Set([...FORBIDDEN, ...FAILURE]), client.mkdir(path, true));
      return made !== undefined || (await client.exists(path)) === 'd';
    });
  }

  mayWrite(folder: string): Promise<boolean> {
    return this.#using(async (client) => {
      const path = posix.join(folder, `.cardline-check-${randomUUID()}`);
      const made = await unless(new Set([...FORBIDDEN, ...FAILURE]), client.mkdir(path));
      if (made === undefined) return false;
      await client.rmdir(path);
      return true;
    });
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  async #using<T>(work: (client: SftpClient) => Promise<T>): Promise<T> {
    try {
      this.#client ??= await connectSftp(this.address, this.access, this.env);
      return await work(this.#client);
    } catch (error) {
      if (error instanceof CardlineError) throw error;
      if (FORBIDDEN.has(statusOf(error)))
        throw new PlaceError(`${this.words}: it may not be read. Check the rights of the user.`);
      await this.close();
      throw connectError(this.words, error);
    }
  }
}

/** The version is all that a server says of a file: its size, and its time in seconds. */
const described = (name: string, size: number, changedAt: number): RemoteFile => ({
  ...{ name, size, changedAt },
  version: `${size}@${changedAt}`,
});

async function unless<T>(statuses: ReadonlySet<unknown>, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (statuses.has(statusOf(error))) return undefined;
    throw error;
  }
}

const CONNECT_MS = 20_000;
const KEEPALIVE_MS = 15_000;

/** Connects, to a host whose key is known only. @throws PlaceError, UsageError */
async function connectSftp(
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
  const name = hostName(host, port);
  const where = `sftp://${name}`;
  const file = ownPath(access.knownHosts ?? '~/.ssh/known_hosts', env);
  const known = contentOf(file) ?? '';
  let refused: { readonly verdict: HostKeyVerdict; readonly key: Buffer } | undefined;
  // It is asked for a key of one of the types that are known of it.
  const types = [
    ...new Set(linesOf(known, name).flatMap(({ type, isRevoked }) => (isRevoked ? [] : [type]))),
  ].flatMap(algorithmsOf);
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
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
] as const;

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
const OWN_KEYS = ['~/.ssh/id_ed25519', '~/.ssh/id_ecdsa', '~/.ssh/id_rsa'];

/** What to log in with: a key, a password, the agent. @throws PlaceError */
function credentials(access: SftpAccess, env: Secrets, where: string) {
  const filled = (text: string): string => filledAt(where, text, env);
  const agent = env['SSH_AUTH_SOCK'];
  const key = keyOf(access, env, where);
  return {
    ...(access.password === undefined ? {} : { password: filled(access.password) }),
    ...(access.passphrase === undefined ? {} : { passphrase: filled(access.passphrase) }),
    ...(key === undefined ? {} : { privateKey: key }),
    ...(agent === undefined || agent === '' || access.key !== undefined ? {} : { agent }),
  };
}

/** The key that is named; else, without a password, the first of the usual ones of the user. */
function keyOf({ key, password }: SftpAccess, env: Secrets, where: string): string | undefined {
  if (key === undefined)
    return password === undefined
      ? OWN_KEYS.map((name) => contentOf(ownPath(name, env))).find((text) => text !== undefined)
      : undefined;
  const path = ownPath(key, env);
  const text = contentOf(path);
  if (text !== undefined) return text;
  throw new PlaceError(`${where}: the key ${path} cannot be read. Check the name and its rights.`);
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

/** Answers the first hidden question with the password. What else may be asked for, such as a code, is not known here. */
function answerPrompts(client: SftpClient, password: string): void {
  let isAnswered = false;
  /** `echo`: what is typed is to be seen. */
  const answerTo = ({ echo }: { readonly echo?: boolean }): string => {
    if (echo === true || isAnswered) return '';
    isAnswered = true;
    return password;
  };
  type Prompts = readonly Parameters<typeof answerTo>[0][];
  type Asked = [string, string, string, Prompts, finish: (all: string[]) => void];
  client.on('keyboard-interactive', (...[, , , prompts, finish]: Asked) =>
    finish(prompts.map(answerTo)),
  );
}

/** A line of a file of known hosts, as OpenSSH writes it (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT). */
interface KnownHost {
  readonly isRevoked: boolean;
  readonly hosts: string;
  readonly type: string;
  readonly key: Buffer;
}

type HostKeyVerdict = 'known' | 'unknown' | 'changed' | 'revoked';

const hostName = (host: string, port: number): string => (port === 22 ? host : `[${host}]:${port}`);

/** Compares the key that a host shows with those that are known of it. */
export function verdictOnKey(text: string, host: string, key: Buffer): HostKeyVerdict {
  const lines = linesOf(text, host);
  const same = lines.filter((line) => line.key.equals(key));
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
  return { hosts, type, key: Buffer.from(key, 'base64'), isRevoked: marker === '@revoked' };
}

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

const fits = (pattern: string, host: string): boolean => patternOf(pattern).test(host);
