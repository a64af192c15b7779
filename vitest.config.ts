import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/kit/setup/longest-first.js';
import { useTemporaryFolder } from './test/kit/setup/temporary-folder.js';

useTemporaryFolder();

/** Folders whose tests stay within their process, but for those that import what leaves it. */
const UNIT_FOLDERS = [
  ...['conformance', 'delivery', 'library', 'mapping', 'nightly', 'reading', 'suggest'],
  ...['kit/setup', 'runs/fleet', 'runs/reconcile'],
];

/** Within their process as well, but too long for what is run after every change. */
const LONG: readonly string[] = [
  'test/mapping/edit/properties.test.ts',
  'test/mapping/properties.test.ts',
  'test/delivery/lists/numbers.test.ts',
  'test/delivery/calling/zones/zones.test.ts',
  'test/reading/csv/conformance.test.ts',
  'test/reading/csv/differential.test.ts',
  'test/reading/parquet-groups.test.ts',
  'test/reading/sheetjs.test.ts',
  'test/reading/xlsx/errors.test.ts',
  'test/reading/xlsx/golden.test.ts',
  'test/reading/xlsx/properties.test.ts',
  'test/suggest/exports.test.ts',
];

/** Proofs that repeat with many kills, pauses and losses what others show with few, beside those in `test/proof`. */
const PROOFS: readonly string[] = ['test/runs/modes/undo.test.ts'];

/** What a test imports, or one of its helpers does, and where that has it run. The first that fits counts. */
const PLACES = [
  ['postgres', /\/kit\/(postgres|with-postgres|pgbouncer)\.js'/],
  ['browser', /\/kit\/browser\.js'/],
  ['process', /'node:(child_process|worker_threads|cluster)'|[/'`]dist\//],
] as const;

/** The project of each test file. One that nothing is known of starts from nothing, in `process`. */
const files = testFiles().map((file) => ({ file, project: projectOf(file) }));
const filesOf = (name: string): string[] =>
  files.flatMap(({ file, project }) => (project === name ? [file] : []));

function projectOf(file: string): 'unit' | 'proof' | (typeof PLACES)[number][0] {
  if (file.startsWith('test/proof/') || PROOFS.includes(file)) return 'proof';
  const texts = withHelpers(join(import.meta.dirname, file));
  const place = PLACES.find(([, pattern]) => texts.some((text) => pattern.test(text)));
  if (place) return place[0];
  const isUnit = UNIT_FOLDERS.some((folder) => file.startsWith(`test/${folder}/`));
  return isUnit && !LONG.includes(file) ? 'unit' : 'process';
}

function testFiles(): string[] {
  const all = readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' });
  return all.filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`);
}

/** The text of a test, and those of all that it imports from `test/`. */
function withHelpers(path: string, seen = new Set<string>()): string[] {
  const isOfTests = relative(import.meta.dirname, path).startsWith('test');
  // What only looks like an import may stand in a text.
  if (seen.has(path) || !isOfTests || !existsSync(path)) return [];
  seen.add(path);
  const text = readFileSync(path, 'utf8');
  const imported = text.matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g);
  return [
    text,
    ...[...imported].flatMap(([, name = '']) =>
      withHelpers(join(dirname(path), `${name}.ts`), seen),
    ),
  ];
}

const SEEDS = 'test/kit/setup/seeds.ts';
const TIMES = { testTimeout: 60_000, hookTimeout: 60_000 };
const processors = availableParallelism();
/** Tests of processes wait for them more than they compute. What is built is loaded as it is, and once for all files. */
const WAITING = {
  ...TIMES,
  // Beside others, an import of a large file may take a minute.
  testTimeout: 120_000,
  isolate: false,
  setupFiles: SEEDS,
  server: { deps: { external: [/\/dist\//] } },
  maxWorkers: Math.min(3 * processors, 16),
  sequence: { groupOrder: 1 },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    tags: [
      {
        name: 'depth',
        description:
          'Shows in depth, or on a further way, what other tests show. `npm test` leaves it out.',
      },
    ],
    projects: [
      {
        test: {
          ...TIMES,
          name: 'unit',
          include: filesOf('unit'),
          // A file leaves nothing behind, so that modules are loaded once.
          isolate: false,
          setupFiles: [SEEDS, 'test/kit/setup/stay-within.ts'],
          maxWorkers: processors,
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...WAITING, name: 'process', include: filesOf('process') } },
      {
        test: {
          ...WAITING,
          name: 'postgres',
          include: filesOf('postgres'),
          globalSetup: 'test/kit/setup/one-server.ts',
        },
      },
      {
        test: {
          ...WAITING,
          name: 'proof',
          include: filesOf('proof'),
          globalSetup: 'test/kit/setup/one-server.ts',
        },
      },
      {
        test: {
          ...WAITING,
          name: 'browser',
          include: filesOf('browser'),
          globalSetup: 'test/kit/setup/one-browser.ts',
        },
      },
    ],
  },
});
