/**
 * node docs/make-rooms.mjs
 * Writes the list of rooms in docs/architecture.md anew from .dependency-cruiser.cjs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';

const page = fileURLToPath(new URL('architecture.md', import.meta.url));
const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');

const lines = forbidden
  .filter(({ name }) => name.endsWith('-layer'))
  .map(({ name, comment }) => `- \`${name.replace(/-layer$/, '')}\`: ${comment}.`);

const text = readFileSync(page, 'utf8');
const written = text.replace(/(<!-- rooms -->\n\n)(?:- .*\n)+/, `$1${lines.join('\n')}\n`);
writeFileSync(page, await format(written, { parser: 'markdown', printWidth: 100 }));
