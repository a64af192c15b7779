import { chmod, link, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { contentOf } from '../../src/run/content.js';
import { SeenInputs } from '../../src/prepare/inputs/seen.js';

/** Above what is digested at once. */
const LARGE = Buffer.alloc(9 * 1024 * 1024, 'a');

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-content-'));
  path = join(folder, 'leads.csv');
  await writeFile(path, LARGE);
});
afterEach(() => rm(folder, { recursive: true }));

const seen = (): Promise<SeenInputs> => SeenInputs.lookAt([{ path, name: 'leads.csv' }]);

it('is the same where the digest was given up and only permissions and links have changed', async () => {
  const content = await contentOf([path], await seen());
  expect(await content.digest(AbortSignal.abort())).toBeNull();
  await chmod(path, 0o600);
  await link(path, join(folder, 'second.csv'));
  expect(await content.changed()).toEqual([]);
});

it('is another one where the file was written, whether or not the digest was given up', async () => {
  for (const signal of [AbortSignal.abort(), undefined]) {
    const content = await contentOf([path], await seen());
    await content.digest(signal);
    const file = await open(path, 'r+');
    await file.write('b', 0);
    await file.close();
    expect(await content.changed()).toEqual([{ name: 'leads.csv', wasRead: false }]);
  }
});
