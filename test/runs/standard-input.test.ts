import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { folderOfTest } from '../kit/folder.js';

const inputs = fileURLToPath(new URL('../../dist/prepare/inputs/seen.js', import.meta.url));
const TAKE = `
  const before = process.listenerCount('exit');
  const { takeInputs } = await import(process.argv[1]);
  const { files, release } = await takeInputs(['-']);
  process.stdout.write((await import('node:fs')).readFileSync(files[0].path, 'utf8'));
`;

it.each([
  [
    'is released',
    'await release(); process.stdout.write(` ${process.listenerCount("exit") - before}`);',
  ],
  ['exits at once', 'process.stdout.write(" 0"); process.exit();'],
])('the copy of standard input is gone when the process %s', (_how, end) => {
  const folder = folderOfTest();
  const code = ['--input-type=module', '-e', TAKE + end, inputs];
  const env = { ...process.env, TMPDIR: folder };
  const output = execFileSync(process.execPath, code, { env, input: 'a,b', encoding: 'utf8' });
  expect(output).toBe('a,b 0');
  expect(readdirSync(folder)).toEqual([]);
});
