import { readdir, readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { openSource, spoolStandardInput } from '../../src/source/source.js';
import { rowsOf, testFolder } from './files.js';

const folder = testFolder();

it('becomes a file that its owner alone can read, and that can be read twice', async () => {
  const file = await spoolStandardInput(Readable.from(['a,b\n1', ',2\n']), folder.path());
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).toBe('a,b\n1,2\n');
  const source = await openSource(file);
  expect(await rowsOf(source)).toEqual(await rowsOf(source));
});

it('leaves nothing behind when it fails', async () => {
  const before = await readdir(folder.path());
  const broken = Readable.from(
    (function* () {
      yield 'a,b\n';
      throw new Error('the sender went away');
    })(),
  );
  await expect(spoolStandardInput(broken, folder.path())).rejects.toThrow('went away');
  expect(await readdir(folder.path())).toEqual(before);
});
