/**
 * Measures the page in a browser: `node test/figures/page.mjs [part …]`, after `npm run build`. Parts:
 * - `size`: what the page weighs, packed;
 * - `upload`: 1 GB of CSV (`--megabytes N`): memory of server and tab, and time to the first rows.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { clearInterval, setInterval } from 'node:timers';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const root = join(import.meta.dirname, '../..');
const command = join(root, 'dist/command/main.js');
const FILES = join(tmpdir(), 'cardline-figures');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** How often memory is looked at, in milliseconds. */
const LOOK_MS = 50;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    megabytes: { type: 'string', default: '1000' },
  },
});

function size() {
  const folder = join(root, 'dist/web/page');
  const names = readdirSync(folder).filter((name) => /\.(js|css|html|svg)$/.test(name));
  const sizes = names.map((file) => {
    const content = readFileSync(join(folder, file));
    return { file, bytes: content.length, packed: gzipSync(content).length };
  });
  const sum = (key) => sizes.reduce((total, one) => total + one[key], 0);
  return [...sizes, { file: 'all', bytes: sum('bytes'), packed: sum('packed') }];
}

/** Runs in the page: notes when the last byte has been sent, and when a first row can be seen. */
const WATCH = `
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (body) {
    this.upload.addEventListener('load', () => (globalThis.sent = performance.now()));
    send.call(this, body);
  };
  new MutationObserver(() => {
    if (globalThis.seen === undefined && document.querySelector('tbody td'))
      requestAnimationFrame(() => (globalThis.seen ??= performance.now()));
  }).observe(document, { childList: true, subtree: true });
`;

async function upload() {
  const megabytes = Number(values.megabytes);
  const file = await fileOf(`list-${megabytes}.csv`, (path) => writeList(path, megabytes * 1e6));
  return withPage(['--sandbox'], async ({ page, server, tab }) => {
    await page.addInitScript({ content: WATCH });
    await page.reload();
    await page.getByLabel('Spreadsheet').waitFor();
    const before = { server: server.memory(), tab: tab.memory() };
    const began = performance.now();
    await page.getByLabel('Spreadsheet').setInputFiles(file);
    await page.locator('tbody td').first().waitFor({ timeout: 600_000 });
    await page.waitForFunction('globalThis.seen !== undefined');
    const seconds = (performance.now() - began) / 1000;
    const shown = await page.evaluate('globalThis.seen - globalThis.sent');
    return [
      { figure: 'file', value: megabytes, unit: 'MB' },
      { figure: 'from choosing it to the first rows', value: rounded(seconds), unit: 's' },
      {
        figure: 'from the last byte to the first rows',
        value: rounded(shown),
        unit: 'ms',
        wanted: 2000,
      },
      ...memoryFigures('server', before.server, server, 250),
      ...memoryFigures('tab', before.tab, tab, 150),
    ];
  });
}

/** The footprint is what the process alone has: the program itself, which all tabs share, is left out of it. */
const memoryFigures = (who, before, process, wanted) => [
  { figure: `${who}, footprint before`, value: before.footprint, unit: 'MB' },
  { figure: `${who}, largest footprint`, value: process.largest().footprint, unit: 'MB', wanted },
  { figure: `${who}, largest resident`, value: process.largest().resident, unit: 'MB' },
];

const rounded = (value) => Math.round(value * 10) / 10;

/** `cardline ui` and a tab that shows it, for as long as `use` takes. */
async function withPage(args, use) {
  const folder = mkdtempSync(join(tmpdir(), 'cardline-figures-'));
  const child = spawn(process.execPath, [command, 'ui', ...args, '--no-open'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const looks = [];
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const page = await browser.newPage();
    await page.goto(/http\S+/.exec(line)[0]);
    await page.locator('main').waitFor();
    const server = watched(child.pid);
    const tab = watched(await rendererOf(browser));
    looks.push(setInterval(() => [server, tab].forEach((one) => one.look()), LOOK_MS));
    return await use({ page, server, tab, folder });
  } finally {
    looks.forEach(clearInterval);
    await browser.close();
    child.kill('SIGINT');
    await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The process of the tab: the renderer that has used most processor time. */
async function rendererOf(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  const [{ id }] = renderers.sort((a, b) => b.cpuTime - a.cpuTime);
  return id;
}

/** Memory of a process, in MB. */
function watched(pid) {
  const memory = () => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const of = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1]) / 1000;
    return { footprint: Math.round(of('RssAnon')), resident: Math.round(of('VmRSS')) };
  };
  const largest = memory();
  const look = () => {
    const now = memory();
    for (const name of Object.keys(largest)) largest[name] = Math.max(largest[name], now[name]);
    return largest;
  };
  return { memory, look, largest: look };
}

async function fileOf(name, write) {
  mkdirSync(FILES, { recursive: true });
  const file = join(FILES, name);
  if (!existsSync(file) || statSync(file).size === 0) await write(file);
  return file;
}

/** A list of so many bytes, of rows that the sandbox's card takes. */
async function writeList(path, bytes) {
  const stream = createWriteStream(path);
  stream.write('Offer ID,Site,Full name,Mobile,Segment,City\n');
  for (let written = 0, row = 0; written < bytes;) {
    const lines = Array.from({ length: 10_000 }, () => lineOf(row++)).join('');
    written += lines.length;
    if (!stream.write(lines)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}

const lineOf = (row) =>
  `${row + 1},auto.example.org,Anna Pine ${row},+7999${String(row % 10_000_000).padStart(7, '0')},${row % 2 ? 'warm' : 'cold'},Kazan\n`;

const PARTS = { size, upload };
const wanted = positionals.length > 0 ? positionals : Object.keys(PARTS);
for (const part of wanted) {
  if (!(part in PARTS)) {
    console.error(`There is no part ${part}. Parts: ${Object.keys(PARTS).join(', ')}.`);
    process.exit(64);
  }
  console.log(`${part}:`);
  console.table(await PARTS[part]());
}
