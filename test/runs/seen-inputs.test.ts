import { chmod, link, open, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { contentOf } from '../../src/run/content.js';
import { SeenInputs, timesNow } from '../../src/prepare/inputs/seen.js';
import type { PreparedChunk } from '../../src/core/prepared.js';
import { folderOfTest } from '../kit/folder.js';

const AT = new Date('2026-11-20T10:00:00Z');

let folder: string;
let path: string;
let second: string;
beforeEach(async () => {
  folder = folderOfTest();
  path = join(folder, 'leads.csv');
  second = join(folder, 'second.csv');
  await write('Id\n1\n');
  await writeFile(second, 'Id\n2\n');
});

async function write(text: string, at = AT): Promise<void> {
  await writeFile(path, text);
  await utimes(path, at, at);
}

/** A chunk of the file as a thread gives it that has read it just now. */
const chunk = (input = 0): PreparedChunk =>
  ({ input, inputTimes: timesNow(input === 0 ? path : second) }) as PreparedChunk;

/** `isSame`: what a comparison of the contents says at the end. */
async function guarded(chunks: AsyncIterable<PreparedChunk>, isSame = false) {
  const seen = await SeenInputs.lookAt([
    { path, name: 'leads.csv' },
    { path: second, name: 'second.csv' },
  ]);
  let given = 0;
  for await (const _ of seen.guarded(chunks)) given++;
  return { given, changed: await seen.lookAgain(() => Promise.resolve(isSame)) };
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

it('says that a file was read where it was written to or removed behind its end', async () => {
  for (const change of [() => write('Id\n3\n4\n'), () => rm(path)]) {
    const chunks = async function* () {
      yield chunk();
      yield chunk(1);
      await change();
    };
    const changed = [{ name: 'leads.csv', wasRead: true }];
    expect(await guarded(chunks())).toEqual({ given: 2, changed });
    await write('Id\n1\n');
  }
});

it('tells a file that had been read from one that was being read', async () => {
  const chunks = async function* () {
    yield chunk();
    yield chunk(1);
    await write('Id\n3\n4\n');
    await writeFile(second, 'Id\n5\n6\n');
    yield chunk(1);
  };
  const changed = [
    { name: 'leads.csv', wasRead: true },
    { name: 'second.csv', wasRead: false },
  ];
  expect(await guarded(chunks())).toEqual({ given: 2, changed });
});

describe('a list that takes the place of another one with its size and time', () => {
  const replace = async (): Promise<void> => {
    await rename(path, join(folder, 'old.csv'));
    await write('Id\n9\n');
  };

  it('may have been sent in part where it came while the first one was read', async () => {
    for (const change of [replace, () => write('Id\n9\n')]) {
      const chunks = async function* () {
        yield chunk();
        await change();
        yield chunk();
      };
      const changed = [{ name: 'leads.csv', wasRead: false, isMixed: true }];
      expect(await guarded(chunks())).toEqual({ given: 2, changed });
    }
  });

  it('was not read where it came behind the end of the first one', async () => {
    const chunks = async function* () {
      yield chunk();
      await replace();
    };
    const changed = [{ name: 'leads.csv', wasRead: true }];
    expect(await guarded(chunks())).toEqual({ given: 1, changed });
  });

  it('is nothing to speak of where it holds the same', async () => {
    const chunks = async function* () {
      yield chunk();
      await replace();
      yield chunk();
    };
    expect(await guarded(chunks(), true)).toEqual({ given: 2, changed: [] });
  });

  it('may have been sent in part where the first one was put back', async () => {
    const chunks = async function* () {
      yield chunk();
      await replace();
      yield chunk();
      await rename(join(folder, 'old.csv'), path);
    };
    const changed = [{ name: 'leads.csv', wasRead: false, isMixed: true }];
    expect(await guarded(chunks(), true)).toEqual({ given: 2, changed });
  });
});

describe('the content of a file above what is digested at once', () => {
  beforeEach(() => writeFile(path, Buffer.alloc(9 * 1024 * 1024, 'a')));
  const lookedAt = async () =>
    contentOf([path], await SeenInputs.lookAt([{ path, name: 'leads.csv' }]));

  it('is the same where the digest was given up and only permissions and links have changed', async () => {
    const content = await lookedAt();
    expect(await content.digest(AbortSignal.abort())).toBeNull();
    await chmod(path, 0o600);
    await link(path, join(folder, 'third.csv'));
    expect(await content.changed()).toEqual([]);
  });

  it('is another one where the file was written, whether or not the digest was given up', async () => {
    for (const signal of [AbortSignal.abort(), undefined]) {
      const content = await lookedAt();
      await content.digest(signal);
      const file = await open(path, 'r+');
      await file.write('b', 0);
      await file.close();
      expect(await content.changed()).toEqual([{ name: 'leads.csv', wasRead: false }]);
    }
  });
});
