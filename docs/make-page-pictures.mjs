/**
 * npm run build && node docs/make-page-pictures.mjs
 * Draws docs/pictures/*.png, which the documentation shows: steps of the page with a sample in the sandbox, and what it says
 * when something is wrong.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { withPalette } from './palette-png.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const pictures = join(root, 'docs/pictures');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const SIZE = { width: 1200, height: 760 };
const SAMPLE = 'leads.csv';
const CLEAN = [
  'Offer ID,Site,Full name,Mobile,Segment',
  ...['Anna Pine', 'Boris Elm', 'Vera Oak'].map(
    (name, at) => `${at + 1},auto.example.org,${name},+7999123450${at},warm`,
  ),
];
const DOWN = `name: our center
baseUrl: http://127.0.0.1:9
card:
  offerId: { type: Number, sync: true }
  site: { type: TextField, sync: true }
  fullName: { type: TextField }
  segment: { type: ComboBox, values: [cold, warm] }
`;
/** What a picture may weigh, in bytes: whoever clones the repository takes all of them. */
const MAX_BYTES = 80_000;

mkdirSync(pictures, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'cardline-pictures-'));
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
try {
  await onPage(['--sandbox'], async (page, server) => {
    await drawRefused(page);
    await drawSteps(page);
    server.kill('SIGKILL');
    await page.getByText(/cardline does not answer/).waitFor();
    await draw(page, 'server-gone');
  });
  await drawDown();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

/** `cardline ui` in a folder of its own, and a tab that shows it. */
async function onPage(args, use) {
  const cwd = mkdtempSync(join(folder, 'ui-'));
  const command = [join(root, 'dist/command/main.js'), 'ui', ...args, '--no-open'];
  const server = spawn(process.execPath, command, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  const page = await browser.newPage({ viewport: SIZE, locale: 'en-US' });
  try {
    const [line] = await once(server.stdout, 'data');
    await page.goto(/http\S+/.exec(String(line))[0]);
    await use(page, server);
  } finally {
    await page.close();
    server.kill('SIGINT');
    await ended;
  }
}

/** A file that is no spreadsheet. */
async function drawRefused(page) {
  const file = join(folder, 'price list.pdf');
  writeFileSync(file, '%PDF-1.7\n%âãÏÓ\n');
  await page.getByLabel('Spreadsheet').setInputFiles(file);
  await page.getByRole('alert').filter({ hasText: 'PDF' }).waitFor();
  await draw(page, 'file-refused');
  await page.getByRole('link', { name: 'cardline' }).click();
}

/** A contact center that does not answer. */
async function drawDown() {
  const installation = join(folder, 'installation.yaml');
  writeFileSync(installation, DOWN);
  writeFileSync(join(folder, 'leads.csv'), CLEAN.map((line) => `${line}\n`).join(''));
  await onPage(['-i', installation, join(folder, 'leads.csv')], async (page) => {
    for (const step of ['columns', 'check', 'import']) {
      await goOn(page);
      await page.waitForURL(`**/${step}*`);
    }
    await page.getByRole('alert').filter({ hasText: /\w/ }).first().waitFor({ timeout: 60_000 });
    await draw(page, 'center-down');
  });
}

function goOn(page) {
  return page.locator('footer.bar button.primary[aria-disabled=false]').click();
}

async function drawSteps(page) {
  const ready = () => page.locator('footer.bar button.primary[aria-disabled=false]').waitFor();
  await page.getByRole('button', { name: new RegExp(`^${SAMPLE}`) }).waitFor();
  await page.getByRole('button', { name: new RegExp(`^${SAMPLE}`) }).click();
  await page.locator('tbody td').first().waitFor();
  await draw(page, 'file');
  await goOn(page);
  await page.getByRole('table', { name: 'Columns' }).waitFor();
  await draw(page, 'columns');
  await goOn(page);
  await page.getByRole('table', { name: /^Rows/ }).waitFor();
  await ready();
  await draw(page, 'check', ['light', 'dark']);
  await goOn(page);
  await page.getByRole('combobox', { name: 'Campaign' }).waitFor();
  await ready();
  // Slowly, so that it can be seen under way.
  await page.getByText('Pace and other settings').click();
  await page.getByLabel('Clients a second, at most').fill('200');
  await page.getByLabel('Clients a second, at most').press('Tab');
  await page.waitForTimeout(500);
  await goOn(page);
  await page.getByRole('row', { name: /^enqueued [1-9]/ }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Continue' }).waitFor();
  await draw(page, 'import-live');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'See the result' }).click({ timeout: 60_000 });
  await page.getByRole('rowheader', { name: 'All rows' }).waitFor();
  await draw(page, 'result');
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('table', { name: /^Runs/ }).waitFor();
  await draw(page, 'history');
}

/** One picture in each scheme. Few colours keep it small. */
async function draw(page, name, schemes = ['light']) {
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.mouse.move(0, 0);
    // Paths as they are from the folder.
    await page.evaluate(`(() => {
      const command = document.querySelector('footer.bar code')?.lastChild;
      if (command) command.textContent = command.textContent.replaceAll(${JSON.stringify(root)}, '');
    })()`);
    await page.waitForTimeout(200);
    const file = join(pictures, `${name}-${scheme}.png`);
    const picture = withPalette(await page.screenshot());
    writeFileSync(file, picture);
    if (picture.length > MAX_BYTES) throw new Error(`${file} weighs ${picture.length} bytes.`);
    console.log(`${name}-${scheme}.png ${Math.round(picture.length / 1000)} KB`);
  }
}
