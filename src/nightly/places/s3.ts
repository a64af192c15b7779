import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import type { S3mini } from 's3mini';
import { CardlineError, codeOf, UsageError } from '../../core/errors.js';
import { fetchWithin, HTTP_LIMITS } from '../bounded-fetch.js';
import type { S3Access, Secrets } from '../pickup/schema.js';
import { filledAt, optionalPackage, PlaceError } from './place.js';
import type { Moved, RemoteFile, RemoteListing, RemoteStore } from './remote.js';

/** A bucket, and what the names of the objects begin with that are looked at. */
interface S3Address {
  readonly bucket: string;
  /** Empty, or with a slash at its end. */
  readonly prefix: string;
}

/** Reads `s3://bucket/prefix`. @throws UsageError */
export function s3Address(text: string): S3Address {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9._-]*)(?:\/(.*))?$/.exec(text) ?? [];
  if (bucket === undefined)
    throw new UsageError('An address of S3 is written as s3://bucket/prefix.');
  const prefix = path.replace(/\/+$/, '');
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` };
}

/** An object is asked for by its name alone; all else that is asked for has a question, or no body. */
const limited = fetchWithin(({ search }, method) =>
  method === 'GET' && search === '' ? HTTP_LIMITS.s3Object : HTTP_LIMITS.s3,
);

/** Objects of a bucket. Folders are what their names have before a slash, and need not be made. */
export class S3Store implements RemoteStore {
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

  /** Objects are all there is. */
  list(folder: string): Promise<RemoteListing | null> {
    return this.#using(async (client) => {
      const prefix = folderKey(folder);
      const found = await client.listObjects('/', prefix, undefined, { delimiter: '/' });
      const objects = found?.filter(({ Key }) => Key !== prefix && !Key.endsWith('/'));
      if (!objects) return null;
      const files = objects.map(({ Key, Size, ETag, LastModified }) =>
        described(Key, Size, ETag, new Date(LastModified).getTime()),
      );
      return { files, others: [] };
    });
  }

  look(path: string): Promise<RemoteFile | null> {
    return this.#using(async (client) => {
      const key = keyOf(path);
      const etag = await client.getEtag(key);
      // Nobody asks when it was changed.
      return etag === null ? null : described(key, await client.getContentLength(key), etag, 0);
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
    const filled = (text: string): string => filledAt(this.words, text, this.env);
    return new Client({
      endpoint: `${filled(service).replace(/\/+$/, '')}/${this.address.bucket}`,
      region: where,
      accessKeyId: filled(keyId ?? '${AWS_ACCESS_KEY_ID}'),
      secretAccessKey: filled(secret ?? '${AWS_SECRET_ACCESS_KEY}'),
      requestAbortTimeout: HTTP_LIMITS.s3Object.ms,
      fetch: limited,
    });
  }
}

/** Keys have no slash in front. */
const keyOf = (path: string): string => path.replace(/^\/+/, '');

function folderKey(folder: string): string {
  const key = keyOf(folder).replace(/\/+$/, '');
  return key === '' || key === '.' ? '' : `${key}/`;
}

const described = (key: string, size: number, etag: string, changedAt: number): RemoteFile => ({
  ...{ name: posix.basename(key), size, changedAt },
  version: `${size}@${etag.replaceAll(/"|&quot;/g, '')}`,
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
