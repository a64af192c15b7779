import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import type SftpClient from 'ssh2-sftp-client';
import { CardlineError } from '../../../core/errors.js';
import type { OtherKind } from '../../../files/regular-file.js';
import type { SftpAccess } from '../../pickup/access.js';
import type { Secrets } from '../../pickup/secrets.js';
import { PlaceError } from '../place.js';
import type { Moved, RemoteFile, RemoteStore } from '../remote/store.js';
import type { SftpAddress } from './address.js';
import { connectError, connectSftp } from './connect.js';
import { hostName } from './known-hosts.js';

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
