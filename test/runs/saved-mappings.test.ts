import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readText } from '../../src/config/document.js';
import {
  mappingFile,
  mappingsFolder,
  savedMappings,
  saveMapping,
} from '../../src/setup/columns.js';
import { folderOfTest } from '../kit/folder.js';
import { tablesIn } from '../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'saved-mappings.yaml') as string[];

const savedMapping = async (folder: string, name: string): Promise<string> =>
  readText(mappingFile(folder, name));

let home: string;
let folder: string;

beforeEach(() => {
  home = folderOfTest();
  folder = mappingsFolder(join(home, 'installation.yaml'));
});

describe('saved mappings', () => {
  it('are listed, read and replaced by their names', async () => {
    expect(await savedMappings(folder)).toEqual([]);
    await saveMapping(folder, 'Осень 2026 (web)', 'a: 1\n');
    const file = await saveMapping(folder, 'autumn.v2', '# comment\r\nb: 2\r\n');
    await saveMapping(folder, 'Осень 2026 (web)', 'a: 3\n');
    expect(await savedMappings(folder)).toEqual(['autumn.v2', 'Осень 2026 (web)']);
    expect(await savedMapping(folder, 'Осень 2026 (web)')).toBe('a: 3\n');
    expect(await savedMapping(folder, 'autumn.v2')).toBe('# comment\r\nb: 2\r\n');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await saveMapping(folder, 'broken', 'a: [');
    expect(await savedMapping(folder, 'broken')).toBe('a: [');
    expect(await readdir(folder)).toHaveLength(3);
  });

  it('never leave their folder', async () => {
    await writeFile(join(home, 'secret.yaml'), 'a: 1\n');
    const names = CASES;
    for (const name of [...names, 'CON', 'nul.x', 'a ', 'a.', 'x'.repeat(101)]) {
      await expect(savedMapping(folder, name)).rejects.toThrow('A mapping is named with');
      await expect(saveMapping(folder, name, 'a: 1\n')).rejects.toThrow('A mapping is named with');
    }
    expect(await readdir(home)).toEqual(['secret.yaml']);
  });

  it('are missing with a message that says what to do', async () => {
    await expect(savedMapping(folder, 'nobody')).rejects.toThrow('there is no such file');
  });
});
