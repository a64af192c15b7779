import {
  type Pickup,
  type Secrets,
  filledIn,
  type SftpAccess,
  type S3Access,
} from '../pickup/schema.js';
import { FolderPlace } from './folder.js';
import { type Place, type PlaceMemory, PlaceError, optionalPackage } from './place.js';
import { RemotePlace, type Moved, type RemoteFile, type RemoteStore } from './remote.js';
import { s3Address, type S3Address, sftpAddress, type SftpAddress } from './addresses.js';
import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import type SftpClient from 'ssh2-sftp-client';
import { CardlineError, codeOf } from '../../core/errors.js';
import type { OtherKind } from '../../files/regular-file.js';
import { connectError, connectSftp, hostName } from './sftp.js';
import type { S3mini } from 's3mini';
import { fetchWithin, HTTP_LIMITS } from '../bounded-fetch.js';

/** What places need beside their settings. */
interface PlaceParts {
  readonly memory: PlaceMemory;
  /** Folder on this machine for what is fetched. */
  readonly work: string;
  readonly env: Secrets;
}

/** The place of a pickup. @throws UsageError for an address that is none */
export function openPlace(pickup: Pickup, parts: PlaceParts): Place {
  const { from, name, after } = pickup;
  const shelves = { good: after.good, bad: after.bad };
  const common = { name, shelves, memory: parts.memory, work: parts.work };
  if (from.startsWith('sftp://')) {
    const address = sftpAddress(from);
    const store = new SftpStore(address, pickup.sftp ?? {}, parts.env);
    return new RemotePlace({ ...common, store, folder: address.folder });
  }
  if (from.startsWith('s3://')) {
    const address = s3Address(from);
    const store = new S3Store(address, pickup.s3 ?? {}, parts.env);
    return new RemotePlace({ ...common, store, folder: address.prefix });
  }
  return new FolderPlace({ from, name, shelves });
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
class SftpStore implements RemoteStore {
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

  list(folder: string): Promise<RemoteFile[] | null> {
    return this.#using(async (client) => {
      const found = await unless(GONE, client.list(folder));
      return (
        found
          ?.filter(({ type }) => type === '-')
          .map(({ name, size, modifyTime }) => described(name, size, modifyTime)) ?? null
      );
    });
  }

  others(folder: string): ReturnType<RemoteStore['others']> {
    return this.#using(async (client) => {
      const found = (await unless(GONE, client.list(folder))) ?? [];
      return found.flatMap(({ type, name }) =>
        type === '-' ? [] : [{ name, kind: KINDS[type] ?? 'device' }],
      );
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

/** An object is asked for by its name alone; all else that is asked for has a question, or no body. */
const limited = fetchWithin(({ search }, method) =>
  method === 'GET' && search === '' ? HTTP_LIMITS.s3Object : HTTP_LIMITS.s3,
);

/** Objects of a bucket. Folders are what their names have before a slash, and need not be made. */
class S3Store implements RemoteStore {
  readonly words: string;
  /** An object is moved by a copy: two may do it. */
  readonly movesAtOnce = false;
  #client: S3mini | undefined;

  constructor(
    private readonly address: S3Address,
    private readonly access: S3Access,
    private readonly env: Secrets,
  ) {
    this.words = `s3://${address.bucket}/${address.prefix}`;
  }

  list(folder: string): Promise<RemoteFile[] | null> {
    return this.#using(async (client) => {
      const prefix = folderKey(folder);
      const found = await client.listObjects('/', prefix, undefined, { delimiter: '/' });
      return (
        found
          ?.filter(({ Key }) => Key !== prefix && !Key.endsWith('/'))
          .map((object) => describedObject(object)) ?? null
      );
    });
  }

  /** Objects are all there is. */
  others(): Promise<[]> {
    return Promise.resolve([]);
  }

  look(path: string): Promise<RemoteFile | null> {
    return this.#using(async (client) => {
      const Key = keyOf(path);
      const ETag = await client.getEtag(Key);
      if (ETag === null) return null;
      return describedObject({
        Key,
        ETag,
        Size: await client.getContentLength(Key),
        LastModified: 0,
      });
    });
  }

  read(path: string, start: number): Promise<Readable> {
    return this.#using(async (client) => {
      const { body } = await client.getObjectRaw(keyOf(path), start === 0, start);
      return body === null ? Readable.from([]) : Readable.fromWeb(body);
    });
  }

  write(path: string, content: Buffer): Promise<void> {
    return this.#using(async (client) => {
      await client.putObject(keyOf(path), content);
    });
  }

  move(from: string, to: string): Promise<Moved> {
    return this.#using(async (client) => {
      try {
        await client.copyObject(keyOf(from), keyOf(to));
        await client.deleteObject(keyOf(from));
        return 'moved';
      } catch (error) {
        if (httpStatusOf(error) === 403) return 'forbidden';
        if (httpStatusOf(error) === 404) return 'gone';
        throw error;
      }
    });
  }

  remove(path: string): Promise<void> {
    return this.#using(async (client) => {
      await client.deleteObject(keyOf(path));
    });
  }

  makeFolder(): Promise<boolean> {
    return Promise.resolve(true);
  }

  mayWrite(folder: string): Promise<boolean> {
    return this.#using(async (client) => {
      const key = `${folderKey(folder)}.cardline-check-${randomUUID()}`;
      try {
        await client.putObject(key, '');
        return await client.deleteObject(key);
      } catch (error) {
        if (httpStatusOf(error) === 403) return false;
        throw error;
      }
    });
  }

  close(): Promise<void> {
    this.#client = undefined;
    return Promise.resolve();
  }

  async #using<T>(work: (client: S3mini) => Promise<T>): Promise<T> {
    try {
      this.#client ??= await this.#connect();
      return await work(this.#client);
    } catch (error) {
      if (error instanceof CardlineError) throw error;
      // The next attempt reads the keys anew: they may have been replaced.
      this.#client = undefined;
      throw new PlaceError(`${this.words}: ${reasonOf(error)}.`, { cause: error });
    }
  }

  async #connect(): Promise<S3mini> {
    const { S3mini: Client } = await optionalPackage('s3mini', '1', () => import('s3mini'));
    const { endpoint, region, keyId, secret } = this.access;
    const where = region ?? this.env['AWS_REGION'] ?? 'us-east-1';
    const service = endpoint ?? this.env['AWS_ENDPOINT_URL'] ?? `https://s3.${where}.amazonaws.com`;
    return new Client({
      endpoint: `${this.#filled(service).replace(/\/+$/, '')}/${this.address.bucket}`,
      region: where,
      accessKeyId: this.#filled(keyId ?? '${AWS_ACCESS_KEY_ID}'),
      secretAccessKey: this.#filled(secret ?? '${AWS_SECRET_ACCESS_KEY}'),
      requestAbortTimeout: HTTP_LIMITS.s3Object.ms,
      fetch: limited,
    });
  }

  #filled(text: string): string {
    const { text: value, mistakes } = filledIn(text, this.env);
    if (mistakes[0] !== undefined) throw new PlaceError(`${this.words}: ${mistakes[0]}`);
    return value;
  }
}

/** Keys have no slash in front. */
const keyOf = (path: string): string => path.replace(/^\/+/, '');

function folderKey(folder: string): string {
  const key = keyOf(folder).replace(/\/+$/, '');
  return key === '' || key === '.' ? '' : `${key}/`;
}

interface Listed {
  readonly Key: string;
  readonly Size: number | string;
  /** 0 where nobody asks. */
  readonly LastModified: Date | string | number;
  readonly ETag: string;
}

const describedObject = ({ Key, Size, LastModified, ETag }: Listed): RemoteFile => ({
  name: posix.basename(Key),
  size: Number(Size),
  changedAt: new Date(LastModified).getTime(),
  version: `${Size}@${ETag.replaceAll(/"|&quot;/g, '')}`,
});

const httpStatusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'status' in error && typeof error.status === 'number'
    ? error.status
    : undefined;

const NO_NETWORK = 'it does not answer. Check s3: { endpoint } and the network';

/** The words of the service may repeat keys, and are not shown. */
function reasonOf(error: unknown): string {
  const status = httpStatusOf(error);
  if (status === undefined) return `${NO_NETWORK}${codeOf(error) && ` (${codeOf(error)})`}`;
  if (status === 403 || status === 401)
    return `it refuses the access key (${status}). Check s3: { keyId, secret, region } and the rights of the key`;
  if (status === 404) return 'there is no such bucket. Check the address';
  return `it answers with ${status}`;
}
