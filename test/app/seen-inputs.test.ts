import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SeenInputs } from '../../src/app/inputs/seen-inputs.js';
import type { PreparedChunk } from '../../src/core/prepared.js';
import { timesNow } from '../../src/files/file-times.js';

const AT = new Date('2026-11-20T10:00:00Z');

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-seen-'));
  path = join(folder, 'leads.csv');
  await write('Id\n1\n');
});
afterEach(() => rm(folder, { recursive: true }));

async function write(text: string, at = AT): Promise<void> {
  await writeFile(path, text);
  await utimes(path, at, at);
}

/** A chunk of the file as a thread gives it that has read it just now. */
const chunk = (): PreparedChunk => ({ input: 0, inputTimes: timesNow(path) }) as PreparedChunk;

async function guarded(chunks: AsyncIterable<PreparedChunk>) {
  const seen = await SeenInputs.lookAt([{ path, name: 'leads.csv' }]);
  let given = 0;
  for await (const _ of seen.guarded(chunks)) given++;
  return { given, changed: seen.changed };
}

it('gives the chunks of a file that stays as it was', async () => {
  const chunks = async function* () {
    yield chunk();
    yield await Promise.resolve(chunk());
  };
  expect(await guarded(chunks())).toEqual({ given: 2, changed: [] });
});

it('gives no chunk that was read of another file, even if the file is as before by then', async () => {
  const chunks = async function* () {
    yield chunk();
    await write('Id\n2\n', new Date(AT.getTime() + 1000));
    const other = chunk();
    await write('Id\n1\n');
    yield other;
    yield chunk();
  };
  const changed = [{ name: 'leads.csv', wasRead: false }];
  expect(await guarded(chunks())).toEqual({ given: 1, changed });
});

it('gives no chunk of a file that is gone', async () => {
  const chunks = async function* () {
    await rm(path);
    yield chunk();
  };
  const changed = [{ name: 'leads.csv', wasRead: false }];
  expect(await guarded(chunks())).toEqual({ given: 0, changed });
});
