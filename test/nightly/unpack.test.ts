import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Gpg, openGpg, WITHOUT_GPG } from '../kit/gpg.js';
import { zip, type ZipPart } from '../kit/zip.js';
import { openRig, type Rig } from './rig.js';

const NEVER = new AbortController().signal;

let rig: Rig;
afterEach(async () => {
  // Whatever happened, nothing that was unpacked is left.
  expect(
    existsSync(join(rig.folder, 'work')) ? await readdir(join(rig.folder, 'work')) : [],
  ).toEqual([]);
  await rig.remove();
});

const watch = async (): Promise<number> => (await rig.watcher()).once(NEVER);
const texts = (): string[] => [...rig.imported.values()].map(({ text }) => text);
const shown = async (below: string): Promise<string[]> =>
  (await rig.names(below)).filter((name) => !name.startsWith('.'));

describe('an archive', () => {
  const arrive = (parts: readonly ZipPart[]): Promise<void> =>
    writeFile(join(rig.in, 'leads-1.zip'), zip(parts));

  it('gives each of its lists, in the order of their names, a run of its own', async () => {
    rig = await openRig();
    await arrive([
      { name: 'b/two.csv', data: 'two' },
      { name: 'a.csv', data: 'one' },
      { name: 'b/', data: '' },
      { name: '__MACOSX/a.csv', data: 'of a Mac' },
      { name: '.hidden', data: 'hidden' },
    ]);
    expect(await watch()).toBe(0);
    expect(texts()).toEqual(['one', 'two']);
    expect((await rig.notices()).map(({ file, kind }) => [file, kind])).toEqual([
      ['leads-1.zip/a.csv', 'finished'],
      ['leads-1.zip/b/two.csv', 'finished'],
    ]);
    expect(await shown('done')).toEqual([
      'leads-1.zip',
      'leads-1.zip.a.csv.summary.json',
      'leads-1.zip.b_two.csv.summary.json',
    ]);
  });

  it('leads to no place outside of its folder', async () => {
    rig = await openRig();
    const names = ['../../../out.csv', '/etc/out.csv', '..\\out.csv', 'C:\\out.csv', 'a/..'];
    await arrive(names.map((name) => ({ name, data: name })));
    expect(await watch()).toBe(0);
    expect(texts().sort()).toEqual([...names].sort());
    expect(
      readdirSync(rig.folder)
        .sort()
        .filter((name) => !name.startsWith('state')),
    ).toEqual([...['in', 'work']]);
  });

  it.each([
    ['holds nothing', []],
    ['is a bomb', [{ name: 'a.csv', data: Buffer.alloc(80 * 2 ** 20) }]],
    ['says the wrong length', [{ name: 'a.csv', data: 'abc', length: 9 }]],
    ['has a list that was changed', [{ name: 'a.csv', data: 'abc', crc: 1 }]],
    ['is encrypted', [{ name: 'a.csv', data: 'abc', flags: 0x801 }]],
  ] as const)('that %s is put into failed, and the next file goes on', async (_, parts) => {
    rig = await openRig();
    await arrive(parts);
    await writeFile(join(rig.in, 'leads-2.csv'), 'next');
    expect(await watch()).toBe(2);
    expect(texts()).toEqual(['next']);
    expect(await shown('failed')).toEqual(['leads-1.zip', 'leads-1.zip.error.txt']);
    const words = await readFile(join(rig.in, 'failed/leads-1.zip.error.txt'), 'utf8');
    expect(words).toMatch(/^leads-1\.zip (?:cannot be unpacked|holds no list)/);
    expect(words).not.toMatch(/workbook|\.xlsx/);
  });

  it('that was cut off by a kill is unpacked anew, and what was left is deleted', async () => {
    rig = await openRig();
    await mkdir(join(rig.folder, 'work/0123.lists'), { recursive: true });
    await writeFile(join(rig.folder, 'work/0123.lists/0001-a.csv'), 'of a dead watcher');
    await arrive([{ name: 'a.csv', data: 'one' }]);
    expect(await watch()).toBe(0);
  });
});

describe.skipIf(WITHOUT_GPG !== '')(`an encrypted file${WITHOUT_GPG}`, () => {
  let gpg: Gpg;
  beforeAll(() => {
    gpg = openGpg();
  }, 60_000);
  afterAll(() => gpg.close());
  const arrive = (name: string, content: string | Buffer): string => {
    const to = join(rig.in, name);
    gpg.encrypt(content, to);
    return to;
  };

  it('is decrypted, also with an archive in it, and no clear text is left', async () => {
    rig = await openRig({}, gpg.env);
    arrive('leads-1.csv.gpg', 'one');
    arrive('leads-2.zip.pgp', zip([{ name: 'a.csv', data: 'two' }]));
    expect(await watch()).toBe(0);
    expect(texts()).toEqual(['one', 'two']);
    expect(await shown('done')).toContain('leads-1.csv.gpg');
  });

  it('that is damaged, or is none, is put into failed with the reason', async () => {
    rig = await openRig({}, gpg.env);
    const path = arrive('leads-1.csv.gpg', 'one '.repeat(1000));
    const whole = await readFile(path);
    await writeFile(path, whole.subarray(0, -9));
    await writeFile(join(rig.in, 'leads-2.csv.gpg'), 'no message');
    expect(await watch()).toBe(2);
    expect(texts()).toEqual([]);
    const words = await readFile(join(rig.in, 'failed/leads-1.csv.gpg.error.txt'), 'utf8');
    expect(words).toMatch(/cannot be decrypted \(gpg ended with 2\)/);
    expect(await readFile(join(rig.in, 'failed/leads-2.csv.gpg.error.txt'), 'utf8')).toContain(
      'not encrypted with OpenPGP',
    );
  });

  it('waits for its key, and for gpg', async () => {
    const none = join(gpg.home, 'none');
    await mkdir(none, { mode: 0o700 });
    rig = await openRig({}, { ...gpg.env, GNUPGHOME: none });
    arrive('leads-1.csv.gpg', 'one');
    expect(await watch()).toBe(3);
    expect(rig.notes.at(-1)).toContain('gpg --import');
    expect(await shown('.')).toEqual([]);
    const other = await openRig({}, { PATH: none });
    await writeFile(join(other.in, 'leads-1.csv.gpg'), 'x');
    await (await other.watcher()).once(NEVER);
    expect(other.notes.at(-1)).toContain('apt-get install gpg');
    await other.remove();
  });
});
