/**
 * Measures the page in a browser: `node test/bench/figures/page.mjs [part …]`, after `npm run build`. Parts:
 * - `size`: what the page weighs, packed;
 * - `upload`: 1 GB of CSV (`--megabytes N`): memory of server and tab, and time to the first rows.
 * - `check`: the same file, of which one row in 400 has a bad phone: time to the first 10,000 rows, and the longest pause
 *   while 10,000 problems are paged (`--rounds N`);
 * - `live`: an import of 200,000 rows with the page open and with it closed, in turns (`--rounds N`).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { fileOf } from '../files.mjs';
import { MAIN, median } from '../measure.mjs';

const root = join(import.meta.dirname, '../../..');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** How often memory is looked at, in milliseconds. */
const LOOK_MS = 50;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    megabytes: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
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
  const file = await listOf(megabytes);
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

const listOf = (megabytes) =>
  fileOf(`bad-phones-${megabytes}.csv`, (path) => writeList(path, megabytes * 1e6));

/** Runs in the page: notes the first moment at which so many rows have been checked, and pauses of its thread. */
const WATCH_CHECK = `
  const FIRST = 10_000;
  const checked = () => [...document.querySelectorAll('dl.counts dd')].map((cell) => Number(cell.textContent.replace(/\\D/g, '')));
  new MutationObserver(() => {
    if (globalThis.seen === undefined && Math.max(0, ...checked()) >= FIRST && document.querySelector('table.checked tbody td'))
      requestAnimationFrame(() => (globalThis.seen ??= performance.now()));
  }).observe(document, { childList: true, subtree: true, characterData: true });
  globalThis.pauses = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.pauses.push(duration);
  }).observe({ type: 'longtask' });
`;

/** A check of a list that the page was started with: to its first rows, and from page to page of its problems. */
async function check() {
  const list = await listOf(Number(values.megabytes));
  const seconds = [];
  const clicks = [];
  const pauses = [];
  for (let round = 0; round < Number(values.rounds); round++)
    await withPage([list, '--sandbox'], async ({ page }) => {
      await page.addInitScript({ content: WATCH_CHECK });
      await page.waitForURL(/\/lists\/\w+\/file/);
      await page.locator('tbody td').first().waitFor();
      await page.reload();
      await goOn(page);
      await page.getByRole('table', { name: 'Columns' }).waitFor();
      const began = await page.evaluate('performance.now()');
      await goOn(page);
      await page.waitForFunction('globalThis.seen !== undefined', undefined, { timeout: 120_000 });
      seconds.push(((await page.evaluate('globalThis.seen')) - began) / 1000);
      // All of them are there, and the check has ended, before they are paged.
      await page.locator('.checking progress').waitFor({ state: 'detached', timeout: 600_000 });
      await page.evaluate('globalThis.pauses.length = 0');
      for (let click = 0; click < PAGES; click++) clicks.push(await nextPage(page));
      pauses.push(...(await page.evaluate('globalThis.pauses')));
    });
  return [
    {
      figure: 'to the first 10,000 rows, median',
      value: rounded(median(seconds)),
      unit: 's',
      wanted: 1,
    },
    {
      figure: 'to the first 10,000 rows, longest',
      value: rounded(Math.max(...seconds)),
      unit: 's',
    },
    { figure: 'a page of problems, median', value: rounded(median(clicks)), unit: 'ms' },
    { figure: 'a page of problems, longest', value: rounded(Math.max(...clicks)), unit: 'ms' },
    {
      figure: 'longest pause of the tab',
      value: rounded(Math.max(0, ...pauses)),
      unit: 'ms',
      wanted: 100,
    },
    {
      figure: 'pauses above 100 ms',
      value: pauses.filter((pause) => pause > 100).length,
      unit: '',
      wanted: 0,
    },
  ];
}

/** Pages of 50 rows: through 10,000 problems. */
const PAGES = 199;

/** Turns a page. @returns milliseconds until its rows are seen */
const nextPage = (page) =>
  page.evaluate(`(async () => {
    const first = () => document.querySelector('table.checked tbody th')?.textContent;
    const before = first();
    const began = performance.now();
    [...document.querySelectorAll('main button')].find((button) => button.textContent.trim() === 'Next').click();
    while (first() === before) await new Promise(requestAnimationFrame);
    return performance.now() - began;
  })()`);

const goOn = (page) => page.locator('footer.bar button.primary[aria-disabled=false]').click();

/** An import of the page with a tab that follows it, and with none: rows a second of both. */
async function live() {
  const file = await fileOf('live.csv', (path) => writeList(path, 17e6, 0));
  const rates = { open: [], closed: [] };
  for (let round = 0; round < Number(values.rounds); round++)
    for (const kind of round % 2 ? ['open', 'closed'] : ['closed', 'open'])
      rates[kind].push(await rateOf(file, kind === 'open'));
  const ratio = median(rates.open) / median(rates.closed);
  return [
    { figure: 'tab closed, median', value: Math.round(median(rates.closed)), unit: 'rows/s' },
    { figure: 'tab open, median', value: Math.round(median(rates.open)), unit: 'rows/s' },
    { figure: 'open to closed', value: Math.round(ratio * 1000) / 1000, unit: '', wanted: 0.95 },
  ];
}

const rateOf = (file, isOpen) =>
  withPage([file, '--sandbox'], async ({ page, folder }) => {
    await page.waitForURL(/\/lists\/\w+\/file/);
    for (const step of ['columns', 'check', 'import']) {
      await goOn(page);
      await page.waitForURL(`**/${step}*`);
    }
    await page
      .locator('footer.bar button.primary')
      .filter({ hasText: / at / })
      .waitFor({ timeout: 60_000 });
    await goOn(page);
    await page.waitForURL('**/runs/**').catch(() => undefined);
    if (!isOpen) await page.close();
    return rateWhenEnded(folder);
  });

/** Waits for the end of the only run, and takes its own figure from its summary. */
async function rateWhenEnded(folder) {
  for (;;) {
    const [run] = existsSync(join(folder, 'runs')) ? readdirSync(join(folder, 'runs')) : [];
    const summary = run && join(folder, 'runs', run, 'summary.json');
    if (summary && existsSync(summary)) {
      const { state, rowsPerSecond } = JSON.parse(readFileSync(summary, 'utf8'));
      if (state === 'finished') return rowsPerSecond;
    }
    await sleep(100);
  }
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
  const child = spawn(process.execPath, [MAIN, 'ui', ...args, '--no-open'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const looks = [];
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    // What measures is evaluated in the page.
    const page = await browser.newPage({ bypassCSP: true });
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

/** A list of so many bytes, of rows that the sandbox's card takes; one row in so many has no phone (0: none). */
async function writeList(path, bytes, badEvery = 400) {
  const stream = createWriteStream(path);
  stream.write('Offer ID,Site,Full name,Mobile,Segment,City\n');
  for (let written = 0, row = 0; written < bytes;) {
    const lines = Array.from({ length: 10_000 }, () => lineOf(row++, badEvery)).join('');
    written += lines.length;
    if (!stream.write(lines)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}

function lineOf(row, badEvery) {
  const phone =
    badEvery && row % badEvery === 0
      ? 'unknown'
      : `+7999${String(row % 10_000_000).padStart(7, '0')}`;
  return `${row + 1},auto.example.org,Anna Pine ${row},${phone},${row % 2 ? 'warm' : 'cold'},Kazan\n`;
}

const PARTS = { size, upload, check, live };
const wanted = positionals.length > 0 ? positionals : Object.keys(PARTS);
for (const part of wanted) {
  if (!(part in PARTS)) {
    console.error(`There is no part ${part}. Parts: ${Object.keys(PARTS).join(', ')}.`);
    process.exit(64);
  }
  console.log(`${part}:`);
  console.table(await PARTS[part]());
}
