import { createRequire } from 'node:module';
import type { Server } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3mini } from 's3mini';

/** The package has no types. */
interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  readonly httpServer: Server;
}
type S3Constructor = new (options: Record<string, unknown>) => S3rver;

/** The only key that the server knows. */
const KEY = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** An S3 server of the test's own, on the loopback address. */
export interface S3Server {
  readonly endpoint: string;
  /** The key that is let in, as variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes a bucket. */
  bucket(name: string): Promise<S3mini>;
  close(): Promise<void>;
}

export async function openS3Server(): Promise<S3Server> {
  const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as S3Constructor;
  const folder = await mkdtemp(join(tmpdir(), 'cardline-s3-'));
  const options = { port: 0, address: '127.0.0.1', silent: true, directory: folder };
  // It drops the slash at the end of a path before it checks the signature, which S3 does not.
  const server = new S3rver({ ...options, allowMismatchedSignatures: true });
  const { port } = await server.run();
  // It knows the slashes in the source of a copy as they are alone; S3 also knows them escaped.
  server.httpServer.prependListener('request', ({ headers }) => {
    const source = headers['x-amz-copy-source'];
    if (typeof source === 'string')
      headers['x-amz-copy-source'] = encodeURI(decodeURIComponent(source));
  });
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    env: { AWS_ACCESS_KEY_ID: KEY.accessKeyId, AWS_SECRET_ACCESS_KEY: KEY.secretAccessKey },
    bucket: async (name) => {
      const s3 = new S3mini({ ...KEY, endpoint: `${endpoint}/${name}`, region: 'us-east-1' });
      await s3.createBucket();
      return s3;
    },
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
