import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { S3mini } from 's3mini';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openS3Server, type S3Server } from '../../kit/s3-server.js';
import { openRig, type Rig } from '../rig.js';

const NEVER = new AbortController().signal;
let server: S3Server;
let rig: Rig;
let buckets = 0;
let s3: S3mini;
let bucket: string;

beforeAll(async () => {
  server = await openS3Server();
}, 30_000);
afterAll(() => server.close());
beforeEach(async () => {
  bucket = `leads-${++buckets}`;
  s3 = await server.bucket(bucket);
});
afterEach(() => rig.remove());

const open = async (
  more: Record<string, unknown> = {},
  env: Readonly<Record<string, string>> = server.env,
): Promise<Rig> =>
  (rig = await openRig(
    { from: `s3://${bucket}/vendor/in`, s3: { endpoint: server.endpoint }, ...more },
    env,
  ));
const arrive = (name: string, text: string): Promise<unknown> =>
  s3.putObject(`vendor/in/${name}`, text);
const keys = async (): Promise<string[]> =>
  ((await s3.listObjects()) ?? [])
    .map(({ Key }) => Key.replace('vendor/in/', ''))
    .filter((key) => !key.includes('/.'))
    .sort();
const watch = async (): Promise<number> => (await rig.watcher()).once(NEVER);
const texts = (): string[] => [...rig.imported.values()].map(({ text }) => text);

it('a bucket is watched as a folder is, and nothing is left here', async () => {
  await open({ after: { keep: '1h' } });
  await arrive('leads-2.csv', 'two');
  await arrive('leads-лиды 1+.csv', 'one');
  await arrive('leads-sub/leads-3.csv', 'not of this folder');
  await arrive('done/leads-2.csv', 'a person put it here');
  expect(await watch()).toBe(0);
  expect(texts()).toEqual(['two', 'one']);
  expect(await keys()).toEqual([
    ...['done/leads-2-2.csv', 'done/leads-2-2.csv.summary.json', 'done/leads-2.csv'],
    ...['done/leads-лиды 1+.csv', 'done/leads-лиды 1+.csv.summary.json', 'leads-sub/leads-3.csv'],
  ]);
  expect(await readdir(join(rig.folder, 'work'))).toEqual([]);
  rig.time.now = Date.now() + 2 * 3_600_000;
  await watch();
  expect(await keys()).toEqual(['done/leads-2.csv', 'leads-sub/leads-3.csv']);
});

it('a watcher that was killed behind the copy leaves no second one', async () => {
  await open();
  await arrive('leads-1.csv', 'one');
  const killed = await rig.watcher({
    claimMs: 0,
    place: (place) =>
      new Proxy(place, {
        get: (target, name) => {
          if (name !== 'putAway') {
            const value: unknown = Reflect.get(target, name);
            return typeof value === 'function' ? (value.bind(target) as unknown) : value;
          }
          return async (...args: Parameters<typeof place.putAway>) => {
            await target.putAway(...args);
            await arrive('leads-1.csv', 'one');
            throw new Error('killed');
          };
        },
      }),
  });
  await expect(killed.once(NEVER)).rejects.toThrow('killed');
  expect(await watch()).toBe(0);
  expect(await keys()).toEqual(['done/leads-1.csv', 'done/leads-1.csv.summary.json']);
  expect((await rig.notices()).map(({ kind }) => kind)).toEqual(['finished']);
});

it('holds objects against their manifests, and is looked at without taking any', async () => {
  await open({ ready: { manifest: '{name}.sha256' } });
  await arrive('leads-1.csv', 'cut');
  await arrive('leads-1.csv.sha256', 'a'.repeat(64));
  expect(await rig.check()).toBeNull();
  expect(await keys()).toEqual(['leads-1.csv', 'leads-1.csv.sha256']);
  expect(await watch()).toBe(2);
  expect(await keys()).toEqual(['failed/leads-1.csv', 'failed/leads-1.csv.error.txt']);
});

it('says what is wrong with the key, the bucket and the network, without the key', async () => {
  await open({}, { ...server.env, AWS_ACCESS_KEY_ID: 'not-a-secret' });
  await expect(watch()).rejects.toThrow(/refuses the access key \(403\)/);
  await rig.remove();
  await open({}, {});
  await expect(watch()).rejects.toThrow(/AWS_ACCESS_KEY_ID/);
  await rig.remove();
  await open({ from: 's3://nothing-here/in' });
  await expect(watch()).rejects.toThrow(/no such (?:bucket|folder)/);
  await rig.remove();
  await open({ s3: { endpoint: 'http://127.0.0.1:9' } });
  await expect(watch()).rejects.toThrow(/does not answer/);
  expect(rig.notes.join()).not.toContain('secret');
});
