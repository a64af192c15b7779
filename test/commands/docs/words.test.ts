import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../kit/cardline.js';

it('src uses the words of the glossary, or says why it does not', () => {
  const listed = execFileSync(process.execPath, [join(root, 'test/commands/docs/left-words.mjs')], {
    encoding: 'utf8',
  });
  expect(listed.split('\n').filter((line) => line.endsWith('no reason'))).toEqual([]);
});
