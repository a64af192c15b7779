import { mkdir, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatWithOptions } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as library from '../../../src/index.js';
import { root } from '../../kit/cardline.js';
import { pageExamples, withoutTypes } from '../../library/type-errors.js';
import { type Sandbox, startSandbox } from '../../kit/sandbox.js';
import { testFolder } from '../../kit/folder.js';

/** The first of the sample's rows, and one of them again; some have line breaks in their cells. */
const [LINES, ROWS] = [331, 304];

/** A program of somebody else's, with cardline among its packages. */
const folder = testFolder();
const home = process.cwd();
let sandbox: Sandbox;

beforeAll(async () => {
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules/cardline'));
  const installation = await readFile(join(root, 'mappings/installation.yaml'), 'utf8');
  await writeFile(join(folder, 'sandbox.yaml'), installation);
  sandbox = await startSandbox(join(folder, 'sandbox.yaml'), join(folder, 'center.db'));
  await writeFile(
    join(folder, 'installation.yaml'),
    installation.replace(/^baseUrl: .*$/m, `baseUrl: ${sandbox.url}`),
  );
  await writeFile(join(folder, 'leads.yaml'), await readFile(join(root, 'mappings/leads.yaml')));
  const sample = (await readFile(join(root, 'samples/leads.csv'), 'utf8')).split('\n');
  const list = [...sample.slice(0, LINES), sample[1], ''];
  await writeFile(join(folder, 'leads.csv'), list.join('\n'));
  await writeFile(join(folder, 'test-leads.csv'), `${sample.slice(0, 30).join('\n')}\n`);
  await mkdir(join(folder, 'built'));
  // Their types are checked with those of the package (test/library).
  for (const [at, code] of pageExamples().entries())
    await writeFile(join(folder, `built/${at}.mjs`), withoutTypes(code));
  process.chdir(folder);
});

/** What an example prints. They run within this process, which loads the library once for all. */
async function printedBy(example: number): Promise<string> {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  try {
    await import(pathToFileURL(join(folder, `built/${example}.mjs`)).href);
    return log.mock.calls.map((of) => `${formatWithOptions({}, ...of)}\n`).join('');
  } finally {
    log.mockRestore();
  }
}

afterAll(async () => {
  process.chdir(home);
  await sandbox.close();
});

it('lists every function', async () => {
  const page = await readFile(join(root, 'docs/library.md'), 'utf8');
  const table = page.slice(page.indexOf('## All functions'));
  const functions = Object.entries(library).filter(
    ([name, value]) => typeof value === 'function' && /^[a-z]/.test(name),
  );
  expect(functions.length).toBeGreaterThan(15);
  for (const [name] of functions) expect(table).toContain(`\`${name}\``);
});

it('imports a file and reads the outcome', async () => {
  const stdout = await printedBy(0);
  expect(stdout).toMatch(new RegExp(`^2 ${ROWS} \\{`));
  expect(stdout).toMatch(/enqueued: \d+/);
  // Rejected rows, each with its number and its first problem.
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^\d+ \S+/);
}, 60_000);

it('lists the rows of a spreadsheet that lack a cell', async () => {
  const stdout = await printedBy(1);
  expect(stdout).toMatch(/^(Row \d+ has no phone\.\n)+$/);
});

it('compares the file with the contact center, and reports on it', async () => {
  const stdout = await printedBy(2);
  const [counts = '', file, trend = '', ...more] = stdout.trimEnd().split('\n');
  expect(counts).toMatch(/^293 1$/);
  expect(file).toBe(join(await realpath(folder), 'compared.xlsx'));
  expect((await stat(file ?? '')).size).toBeGreaterThan(10_000);
  expect(trend).toMatch(/^leads\.csv 0\.0\d+$/);
  // There was one import only.
  expect(more).toEqual([]);
}, 60_000);

it('tests an import and its undoing in a sandbox', async () => {
  const stdout = await printedBy(3);
  expect(stdout).toBe('undo finished\n');
}, 60_000);

it('calls single operations', async () => {
  const stdout = await printedBy(4);
  expect(stdout).toBe('No clients with identifiers: [offerId=7, offerDomain=shop.example.com]\n');
});

it('watches a check and an import', async () => {
  const stdout = await printedBy(5);
  expect(stdout).toMatch(new RegExp(`^${ROWS} null [1-9]\\d*$`, 'm'));
  // A group: its column, code and rows, how many values it has, and the first of its rows.
  expect(stdout).toMatch(/^\S.* [a-z_]+ \d+ \d+ \d+$/m);
  // The first example has done the same: nothing is sent, and the result is that run's.
  expect(stdout).toMatch(new RegExp(`^finished ${ROWS} 0 0$`, 'm'));
  expect(stdout).toMatch(/enqueued: [1-9]/);
}, 60_000);
