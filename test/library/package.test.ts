import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../kit/cardline.js';
import { testFolder } from '../kit/folder.js';
import { pageExamples, typeErrors } from './type-errors.js';
import { tablesIn } from '../kit/tables.js';

const { program: PROGRAM, run: RUN } = tablesIn(import.meta.dirname, 'package.yaml') as {
  readonly program: string;
  readonly run: string;
};

/**
 * The package as somebody else gets it: packed, in a program of its own, type-checked and run. It is unpacked beside the
 * packages that it names, as this machine has them, and in depth installed from the registry. With `PROOF=full`
 * better-sqlite3 is built by that installation, as it is for everybody else; else our own build is taken, since that takes
 * a minute.
 */
const isFull = process.env['PROOF'] === 'full';
const UNREACHABLE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|E5\d\d)\b/;
const OFFLINE = 'The package registry cannot be reached, so nothing can be installed from it.';

const PRINTED = [
  'rows: 1240',
  'row 2 of 17 columns',
  'create finished 1240 0',
  'refused as ours: true',
  'by name: true',
  '',
].join('\n');

/** What it may weigh when it is installed, in bytes, without the packages that it needs. */
const BYTES = 6_500_000;

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** Where it is packed, with a folder for each way to install it. */
const home = testFolder();
let pack: Packed;
let archive: string;

beforeAll(async () => {
  await execute('node', ['docs/man-page.mjs'], root);
  const packed = await execute('npm', ['pack', '--ignore-scripts', '--json'], root, home);
  [pack] = JSON.parse(packed.stdout) as [Packed];
  archive = join(home, pack.filename);
}, 300_000);

it('holds what is needed, and that once', () => {
  expect(pack.unpackedSize).toBeLessThanOrEqual(BYTES);
  const paths = pack.files.map(({ path }) => path);
  // The library for programs is made of the files of the command.
  const code = paths.filter((path) => /\.[cm]?js$/.test(path));
  const folders = new Set(code.map((path) => dirname(path)));
  // A report as a page carries a script, which is data to the command.
  expect([...folders].sort()).toEqual(['dist/command', 'dist/command/data', 'dist/web/page']);
  expect(paths.filter((path) => /\.(map|ts)$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
});

it('has a man page with the help of every command', async () => {
  const { man } = await manifest();
  expect(pack.files.map(({ path }) => `./${path}`)).toContain(man);
  const page = await readFile(join(root, man), 'utf8');
  expect(page).toMatch(/^\.SH NAME\ncardline \\- /m);
  for (const name of ['IMPORT', 'CLIENTS ADD', 'OPENAPI'])
    expect(page).toContain(`.SH "CARDLINE ${name}"`);
  expect(page).toContain('Stop when more rows than this fail');
});

it('has nothing that runs where it is installed', async () => {
  const { scripts } = await manifest();
  const names = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'];
  expect(names.filter((name) => name in scripts)).toEqual([]);
});

describe('the packed package beside the packages that it names', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await programIn('unpacked');
    await unpack(folder);
  });

  it('runs with its sandbox, as a library and as a command', () => expectToRun(folder));

  it(
    'has types that are right for a program with nothing but the language',
    { tags: 'depth' },
    () => {
      expect(typeErrors([programWith(folder, { lib: ['ES2022'], types: [] })])).toEqual(['']);
    },
  );

  it('has types by which the examples of the page are right', async () => {
    const examples = pageExamples().map((code, at) => ({ code, file: join(folder, `${at}.mts`) }));
    for (const { code, file } of examples) await writeFile(file, code);
    expect(examples).toHaveLength(6);
    const files = examples.map(({ file }) => file);
    const settings = { lib: ['ES2023'], types: ['node'], checksPackages: false };
    expect(typeErrors([{ files, ...settings }])).toEqual(['']);
  });
});

describe('the packed package, installed from the registry', { tags: 'depth' }, () => {
  let folder: string;
  let installed: Awaited<ReturnType<typeof execute>>;
  beforeAll(async () => {
    folder = await programIn('installed');
    const scripts = isFull ? [] : ['--ignore-scripts'];
    const args = ['install', '--engine-strict=true', ...scripts, archive];
    installed = await execute('npm', args, folder);
    if (installed.code === 0 && !isFull) await takeOurBuild(folder);
  }, 300_000);
  beforeEach(({ skip }) =>
    skip(installed.code !== 0 && UNREACHABLE.test(installed.stderr), OFFLINE),
  );

  it('installs where the engines of all packages are heeded, and runs nothing of its own', () => {
    expect(installed.stderr).not.toContain('EBADENGINE');
    // npm names every package that has a script to run.
    expect(installed.stderr).not.toContain('cardline@');
    expect(installed.code).toBe(0);
  });

  it('runs with its sandbox, as a library and as a command', () => expectToRun(folder));

  it.for([
    ['nothing but the language', { lib: ['ES2022'], types: [] }],
    ['the DOM', { lib: ['ES2022', 'DOM'], types: [] }],
    ['types of Node of its own', { lib: ['ES2023'], types: ['node'] }],
  ] as const)('has types that are right for a program with %s', ([, settings]) => {
    expect(typeErrors([programWith(folder, settings)])).toEqual(['']);
  });
});

/** A folder of somebody else's, with a program in it. */
async function programIn(name: string): Promise<string> {
  const folder = join(home, name);
  await mkdir(folder);
  const about = { name: 'program', version: '1.0.0', private: true, type: 'module' };
  await writeFile(join(folder, 'package.json'), JSON.stringify(about));
  await writeFile(join(folder, 'program.ts'), PROGRAM);
  await writeFile(join(folder, 'run.js'), RUN);
  return folder;
}

const programWith = (
  folder: string,
  settings: { readonly lib: readonly string[]; readonly types: readonly string[] },
) => ({ files: [join(folder, 'program.ts')], checksPackages: true, ...settings });

const manifest = async () =>
  JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<
    'scripts' | 'dependencies' | 'bin',
    Record<string, string>
  > & { readonly man: string };

/** What an installation makes, with no package but those that ours names. */
async function unpack(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, 'cardline'), { recursive: true });
  const into = ['-C', join(modules, 'cardline'), '--strip-components=1'];
  expect(await execute('tar', ['-xzf', archive, ...into], folder)).toMatchObject({ code: 0 });
  const { dependencies, bin } = await manifest();
  for (const name of Object.keys(dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  await mkdir(join(modules, '.bin'));
  for (const [name, file] of Object.entries(bin)) {
    const program = join(modules, 'cardline', file);
    await chmod(program, 0o755);
    await symlink(program, join(modules, '.bin', name));
  }
}

async function expectToRun(folder: string): Promise<void> {
  const home = join(folder, 'node_modules/cardline');
  const run = await execute(process.execPath, ['run.js', home], folder);
  expect(run).toEqual({ code: 0, stdout: PRINTED, stderr: '' });
  const command = join(folder, 'node_modules/.bin/cardline');
  const demo = await execute(command, ['demo'], folder);
  expect(demo).toMatchObject({ code: 0 });
  expect(demo.stdout).toContain('finished');
  // What writes it is no dependency of the package.
  const files = ['leads', 'installation'].map((name) => join(home, `mappings/${name}.yaml`));
  const [mapping = '', installation = ''] = files;
  const template = await execute(command, ['template', '-m', mapping, '-i', installation], folder);
  expect(template).toMatchObject({ code: 0, stderr: '' });
}

async function takeOurBuild(folder: string): Promise<void> {
  const ours = createRequire(join(root, 'package.json')).resolve('better-sqlite3/package.json');
  const theirs = join(folder, 'node_modules/better-sqlite3/build');
  await mkdir(theirs);
  await cp(join(dirname(ours), 'build/Release'), join(theirs, 'Release'), { recursive: true });
}

function execute(
  program: string,
  args: readonly string[],
  cwd: string,
  destination?: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const all = destination === undefined ? args : [...args, '--pack-destination', destination];
  return new Promise((resolve) => {
    execFile(program, all, { cwd, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    );
  });
}
