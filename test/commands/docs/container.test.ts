import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../kit/cardline.js';

/** No container engine runs here: what the file has to hold is read off it. */
const instructions = readFileSync(join(root, 'Dockerfile'), 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [name = '', ...rest] = line.trim().split(/\s+/);
    return { name, text: rest.join(' ') };
  });
const last = instructions.findLastIndex(({ name }) => name === 'FROM');
const image = instructions.slice(last);
const KNOWN =
  /^(FROM|WORKDIR|RUN|COPY|ENV|USER|VOLUME|EXPOSE|STOPSIGNAL|ENTRYPOINT|CMD|ARG|LABEL)$/;

it('the container file has two stages, and an image without what builds it', () => {
  expect(instructions.filter(({ name }) => !KNOWN.test(name))).toEqual([]);
  const stages = instructions.filter(({ name }) => name === 'FROM');
  expect(stages.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^node:\d+-slim AS build$/),
    expect.stringMatching(/^node:\d+-slim$/),
  ]);
  const copied = image.filter(({ name }) => name === 'COPY');
  expect(copied.every(({ text }) => text.startsWith('--from=build /build/'))).toBe(true);
  const built = instructions.slice(0, last).filter(({ name }) => name === 'RUN');
  expect(built.at(-1)?.text).toContain('npm ci --omit=dev');
});

it('it runs as a user without rights, from files that are not written to', () => {
  const user = image.findIndex(({ name }) => name === 'USER');
  expect(image[user]?.text).toBe('node');
  expect(image.slice(user).some(({ name }) => name === 'RUN' || name === 'COPY')).toBe(false);
  expect(image.find(({ name }) => name === 'ENTRYPOINT')?.text).toBe(
    '["node", "/opt/cardline/dist/command/main.js"]',
  );
  const { engines, files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    engines: { node: string };
    files: string[];
  };
  const version = Number(/node:(\d+)/.exec(image[0]?.text ?? '')?.[1]);
  expect(version).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)?.[0]));
  // The image has what the package has, but for what a program is type-checked with.
  const folders = files.filter((name) => /^[a-z/]+$/.test(name) && name !== 'dist/types');
  for (const folder of folders)
    expect(image.map(({ text }) => text)).toContain(
      `--from=build /build/${folder} /opt/cardline/${folder}`,
    );
});

it('it keeps the rules of a linter: nothing left of apt, exec form, nothing fetched unseen', () => {
  for (const { text } of instructions.filter(({ name }) => name === 'RUN')) {
    expect(text).not.toMatch(/\bsudo\b|\bcurl\b|\bwget\b|\bcd \/|apt-get (?:dist-)?upgrade/);
    if (!text.includes('apt-get install')) continue;
    expect(text).toMatch(/^apt-get update && apt-get install -y --no-install-recommends /);
    expect(text).toMatch(/&& rm -rf \/var\/lib\/apt\/lists\/\*$/);
  }
  // A shell in between would keep signals from the process.
  for (const { name, text } of instructions)
    if (name === 'ENTRYPOINT' || name === 'CMD')
      expect(JSON.parse(text)).toEqual(expect.any(Array));
  for (const { text } of instructions.filter(({ name }) => name === 'WORKDIR'))
    expect(text).toMatch(/^\//);
  for (const once of ['ENTRYPOINT', 'CMD', 'USER'])
    expect(image.filter(({ name }) => name === once)).toHaveLength(1);
  expect(instructions.some(({ text }) => /token|password|secret/i.test(text))).toBe(false);
});

it('what is copied into the image is there once it is built', () => {
  const copied = image
    .filter(({ name }) => name === 'COPY')
    .flatMap(({ text }) => text.split(' ').slice(1, -1))
    .map((path) => path.replace('/build/', ''));
  expect(copied.length).toBeGreaterThan(5);
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('nothing secret or built comes into the image', () => {
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n');
  expect(ignored).toEqual(
    expect.arrayContaining(['.git', 'node_modules', 'dist', '*.env', '*.db']),
  );
});
