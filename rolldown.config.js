import { chmodSync, cpSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';
import { declarations } from './rolldown.declarations.js';
import { licences } from './rolldown.licences.js';

/**
 * Bundles the command line: finding and reading the hundreds of files that a command is made of takes longer than
 * running it. The library for programs is made of the same files, so that a package has everything once; what `tsc`
 * makes beside it, file by file, is for tests.
 */
const FOLDER = 'dist/command';
const root = import.meta.dirname;

/** Folders whose `data` is read where it is asked for. */
const DATA = [
  'calling/zones',
  'cli',
  'cli/operations',
  'installation',
  'ledger',
  'mapping',
  'mapping/transforms/phone',
  'nightly',
  'nightly/notices',
  'nightly/pickup',
  'report',
  'nightly/state',
  'sandbox',
  'source/csv/encoding',
  'suggest',
  'web/server',
];

/**
 * Short names for what is local: less to unpack and to parse. Functions and classes keep theirs, for whoever reads where
 * an error came from.
 */
const MINIFY = { mangle: { keepNames: true }, compress: true, codegen: { removeWhitespace: true } };

/**
 * Native, made of files that are found by their paths, loaded seldom, or installed by those who need them: they stay
 * where they are installed.
 */
const LEFT_OUT =
  /^(@e965\/xlsx$|(better-sqlite3|hyparquet|hyparquet-writer|iconv-lite|nodemailer|pg|pg-boss|prom-client|s3mini|ssh2-sftp-client|undici)($|\/))/;

/**
 * Widths of texts, which yargs asks of in its help: with the version that the progress bar has. Later ones name all
 * emoji in a regular expression, which takes 38 % of the processor time of a help, and 12 % of `rows` of a small file.
 */
const STRING_WIDTH = createRequire(join(root, 'node_modules/cli-progress/package.json')).resolve(
  'string-width',
);

/**
 * Workbooks for filling in, without what reads and writes them as streams: that needs packages with known weaknesses,
 * which `overrides` replaces here only. Whoever installs cardline gets neither.
 */
const EXCELJS = join(root, 'node_modules/exceljs/lib/exceljs.bare.js');
const EXCELJS_CSV = /[\\/]exceljs[\\/]lib[\\/]csv[\\/]csv\.js$/;

const command = defineConfig({
  input: {
    main: 'src/main.ts',
    library: 'src/index.ts',
    // Beside the file that starts them, as their sources are.
    worker: 'src/prepare/worker.ts',
    'source-worker': 'src/prepare/inputs/source-worker.ts',
    'recorder-worker': 'src/ledger/recorder-worker.ts',
    // Functions, for tests that run many commands in one process.
    cli: 'src/cli/run.ts',
    server: 'src/web/server/start.ts',
    threads: 'src/prepare/threads.ts',
  },
  platform: 'node',
  external: LEFT_OUT,
  resolve: { alias: { 'string-width': STRING_WIDTH, exceljs: EXCELJS } },
  // yargs asks for it where a configuration file extends another: there is none.
  transform: { define: { 'import.meta.resolve': 'undefined' } },
  preserveEntrySignatures: 'exports-only',
  output: {
    dir: FOLDER,
    // Loaded in one go. ES modules go through the event loop several times: 6 to 13 % more processor time of a command.
    format: 'cjs',
    minify: MINIFY,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  },
  plugins: [
    {
      name: 'without CSV',
      load: (id) => (EXCELJS_CSV.test(id) ? 'module.exports = class {};' : undefined),
    },
    licences(),
    {
      name: 'command',
      renderStart: () => {
        rmSync(join(root, FOLDER), { recursive: true, force: true });
      },
      // Before names are made short: a short one is used for many things.
      renderChunk: (code) => withPlainExports(code),
      generateBundle(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk') file.code = inLatin1(file.code);
        const emit = (fileName, source) => this.emitFile({ type: 'asset', fileName, source });
        emit('package.json', `${JSON.stringify({ type: 'commonjs' })}\n`);
        emit('index.mjs', exportsOf(bundle['library.js']));
      },
      writeBundle: () => {
        chmodSync(join(root, FOLDER, 'main.js'), 0o755);
        // Read where they are asked for: beside the bundle, and beside the single files for tests.
        for (const room of DATA)
          for (const folder of [FOLDER, `dist/${room}`])
            cpSync(join(root, 'src', room, 'data'), join(root, folder, 'data'), {
              recursive: true,
            });
      },
    },
    declarations({ from: join(root, 'dist'), to: join(root, 'dist/types') }),
  ],
});

/**
 * What runs in the browser: a script, style sheet and document, and those of charts, which are loaded when there is something
 * to draw. Nothing is loaded from anywhere else.
 */
const PAGE = 'dist/web/page';
const STYLES = 'src/web/page/style';
const CHARTS = 'node_modules/uplot/dist/uPlot.min.css';
const page = defineConfig({
  platform: 'browser',
  tsconfig: 'src/web/page/tsconfig.json',
  input: { page: 'src/web/page/main.tsx' },
  output: {
    dir: PAGE,
    format: 'es',
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  },
  plugins: [
    licences(),
    {
      name: 'page',
      renderStart: () => {
        rmSync(join(root, PAGE), { recursive: true, force: true });
      },
      generateBundle() {
        const styles = readdirSync(join(root, STYLES)).sort();
        const css = styles.map((name) => readFileSync(join(root, STYLES, name), 'utf8')).join('\n');
        const packed = css
          .replaceAll(/\/\*[^]*?\*\/|(?<=[{};,]|\*\/)\s+|(?<=\w:) /g, '')
          .replaceAll(';}', '}')
          .replaceAll(' {', '{');
        const emit = (fileName, source) => this.emitFile({ type: 'asset', fileName, source });
        emit('page.css', packed);
        emit('charts.css', readFileSync(join(root, CHARTS), 'utf8'));
        for (const name of ['index.html', 'icon.svg'])
          emit(name, readFileSync(join(root, 'src/web/page', name), 'utf8'));
      },
    },
  ],
});

export default [command, page];

/** The library for programs: they import names, which a CommonJS file has beside a default. */
function exportsOf({ exports, fileName }) {
  return `import library from './${fileName}';\nexport const { ${exports.join(', ')} } = library;\n`;
}

/**
 * A value in place of a getter for each name that another file uses, where it never changes: a getter is called at every
 * use, for each row and cell. 5 % of the processor time of the thread that reads and maps.
 */
function withPlainExports(code) {
  const getter =
    /Object\.defineProperty\(exports, ['"](\w+)['"], \{\s*enumerable: true,\s*get: function \(\) \{\s*return ([\w$]+);\s*\}\s*\}\);/g;
  return code.replace(getter, (all, name, local) =>
    isReassigned(code, local) ? all : `exports.${name} = ${local};`,
  );
}

/** Whether a name of a file gets another value after its declaration. */
function isReassigned(code, name) {
  const escaped = name.replaceAll('$', '\\$');
  const assigned = new RegExp(
    `(?<![\\w$.])${escaped} ?(?:[-+*/%&|^?<>]*=(?![=>])|\\+\\+|--)|(?:\\+\\+|--)${escaped}(?![\\w$])`,
    'g',
  );
  const declared = new RegExp(`(?:const|let|var) ${escaped} =`, 'g');
  return (code.match(assigned) ?? []).length > (code.match(declared) ?? []).length;
}

/**
 * A single other character would have the engine keep two bytes for each of the file: 3 to 5 % of a small `rows` or
 * `check`. Where one stands in a raw text, in which an escape is no escape, or behind a backslash, the file is left as it
 * is.
 */
function inLatin1(code) {
  if (/String\.raw`[^`]*[^`\0-\xff]|\\[^\0-\xff]/.test(code)) return code;
  return code.replaceAll(
    /[^\0-\xff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
