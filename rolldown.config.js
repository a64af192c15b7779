import { chmodSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { defineConfig } from 'rolldown';
import { oneLanguage } from './rolldown.one-language.js';

/**
 * Bundles the command line: finding and reading the hundreds of files that a command is made of takes longer than
 * running it. `tsc` makes the library beside it, file by file.
 */
const FOLDER = 'dist/command';
const root = import.meta.dirname;

/** A fifth less to install and to keep; names stay, for whoever reads where an error came from. */
const MINIFY = { mangle: false, compress: false, codegen: { removeWhitespace: true } };

/**
 * The HTTP server of the sandbox, which command and library share. It is no dependency: a package that it needs no longer
 * runs on Node 20, and what `overrides` says of that package holds here only, not where cardline is installed.
 */
const SERVER = 'dist/server/fastify.cjs';

/**
 * Native, made of files that are found by their paths, loaded seldom, or installed by those who need them: they stay
 * where they are installed.
 */
const LEFT_OUT =
  /^(@e965\/xlsx$|(better-sqlite3|hyparquet|hyparquet-writer|nodemailer|pg|pg-boss|prom-client|s3mini|ssh2-sftp-client|undici)($|\/))/;

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
    // Beside the file that starts them, as their sources are.
    worker: 'src/prepare/worker.ts',
    'source-worker': 'src/prepare/inputs/source-worker.ts',
    'recorder-worker': 'src/ledger/recorder/recorder-worker.ts',
  },
  platform: 'node',
  external: LEFT_OUT,
  resolve: { alias: { 'string-width': STRING_WIDTH, exceljs: EXCELJS } },
  // yargs asks for it where a configuration file extends another: there is none.
  transform: { define: { 'import.meta.resolve': 'undefined' } },
  preserveEntrySignatures: false,
  output: {
    dir: FOLDER,
    // Loaded in one go. ES modules go through the event loop several times: 6 to 13 % more processor time of a command.
    format: 'cjs',
    minify: MINIFY,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  },
  plugins: [
    sharedServer(FOLDER),
    {
      name: 'without CSV',
      load: (id) => (EXCELJS_CSV.test(id) ? 'module.exports = class {};' : undefined),
    },
    { name: 'licences', generateBundle: emitLicences },
    {
      name: 'command',
      renderStart: () => {
        rmSync(join(root, FOLDER), { recursive: true, force: true });
      },
      generateBundle(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk') file.code = inLatin1(withPlainExports(file.code));
        const emit = (fileName, source) => this.emitFile({ type: 'asset', fileName, source });
        emit('package.json', `${JSON.stringify({ type: 'commonjs' })}\n`);
      },
      writeBundle: () => {
        chmodSync(join(root, FOLDER, 'main.js'), 0o755);
      },
    },
  ],
});

const server = defineConfig({
  input: { fastify: 'fastify' },
  platform: 'node',
  output: {
    dir: dirname(SERVER),
    format: 'cjs',
    minify: MINIFY,
    entryFileNames: '[name].cjs',
    codeSplitting: false,
  },
  plugins: [{ name: 'licences', generateBundle: emitLicences }],
});

/**
 * The sandbox of the library, in place of what `tsc` made of it, which would ask for an installed HTTP server. Whatever
 * else it needs are the library's own files, so that there is one class of each error.
 */
const SANDBOX = join(root, 'src/sandbox');
const sandbox = defineConfig({
  input: { sandbox: join(SANDBOX, 'sandbox.ts') },
  platform: 'node',
  output: {
    dir: 'dist/sandbox',
    format: 'es',
    minify: MINIFY,
    entryFileNames: '[name].js',
    codeSplitting: false,
  },
  plugins: [sharedServer('dist/sandbox'), { name: 'sandbox', resolveId: besideSandbox }],
});

/** What the sandbox imports from other rooms and packages stays an import. */
function besideSandbox(source, importer) {
  if (importer === undefined) return null;
  if (!source.startsWith('.')) return { id: source, external: true };
  const path = join(dirname(importer), source);
  if (path.startsWith(SANDBOX + sep)) return null;
  return { id: posix.normalize(relative(SANDBOX, path)), external: 'relative' };
}

/** Lets a bundle in this folder load the server from its own file. */
function sharedServer(folder) {
  const id = relative(folder, SERVER);
  return {
    name: 'shared server',
    resolveId: (source) => (source === 'fastify' ? { id, external: 'relative' } : null),
  };
}

/**
 * What runs in the browser: a script for each language, what chooses between them, style sheet and document, and those of
 * charts. Nothing is loaded from anywhere else.
 */
const PAGE = 'dist/web/page';
const STYLES = 'src/web/page/style';
const CHARTS = 'node_modules/uplot/dist/uPlot.min.css';
const LANGUAGES = ['en', 'ru'];
const browser = {
  platform: 'browser',
  tsconfig: 'src/web/page/tsconfig.json',
  output: { dir: PAGE, format: 'es', minify: true, entryFileNames: '[name].js' },
};
const page = defineConfig({
  ...browser,
  input: { start: 'src/web/page/start.ts' },
  plugins: [
    { name: 'licences', generateBundle: emitLicences },
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

const pages = LANGUAGES.map((language) =>
  defineConfig({
    ...browser,
    input: { [`page.${language}`]: 'src/web/page/main.tsx' },
    // What draws charts is a file of its own, which is loaded when there is something to draw.
    output: { ...browser.output, chunkFileNames: `[name].${language}.js` },
    plugins: [oneLanguage(language, LANGUAGES), { name: 'licences', generateBundle: emitLicences }],
  }),
);

export default [command, server, sandbox, page, ...pages];

/**
 * A value in place of a getter for each name that another file uses, where it never changes: a getter is called at every
 * use, for each row and cell. 5 % of the processor time of the thread that reads and maps.
 */
function withPlainExports(code) {
  const getter =
    /Object\.defineProperty\(exports,"(\w+)",\{enumerable:true,get:function\(\)\{return ([\w$]+)\}\}\);/g;
  return code.replace(getter, (all, name, local) =>
    isReassigned(code, local) ? all : `exports.${name}=${local};`,
  );
}

/** Whether a name of a file gets another value after its declaration. */
function isReassigned(code, name) {
  const escaped = name.replaceAll('$', '\\$');
  const assigned = new RegExp(
    `(?<![\\w$.])${escaped}(?:[-+*/%&|^?<>]*=(?![=>])|\\+\\+|--)|(?:\\+\\+|--)${escaped}(?![\\w$])`,
    'g',
  );
  const declared = new RegExp(`(?:const|let|var) ${escaped}=`, 'g');
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

/** Puts the licences of the packages that a bundle holds beside it. */
function emitLicences(_options, bundle) {
  this.emitFile({
    type: 'asset',
    fileName: 'THIRD-PARTY-LICENSES.txt',
    source: licencesOf(bundle),
  });
}

function licencesOf(bundle) {
  const folders = new Set();
  for (const { moduleIds = [] } of Object.values(bundle))
    for (const id of moduleIds) {
      const found = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id);
      if (found) folders.add(found[0]);
    }
  return [...folders]
    .sort()
    .map(licenceOf)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceOf(folder) {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : namedLicence(about);
  return `${about.name} ${about.version} (${about.license})\n\n${text}\n`;
}

/** A few packages hold no text of their licence and only say which it is: their author and place are told instead. */
function namedLicence({ name, license, author, homepage }) {
  if (!license || !author) throw new Error(`${name} says nothing of its licence.`);
  return `${license}, by ${author.name ?? author}, ${homepage}`;
}
