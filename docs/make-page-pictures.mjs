/**
 * npm run build && node docs/make-page-pictures.mjs
 * Draws docs/pictures/*.png: each step of the page, light and dark, with a sample in the sandbox.
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
/** What a picture may weigh, in bytes: whoever clones the repository takes all of them. */
const MAX_BYTES = 80_000;

mkdirSync(pictures, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'cardline-pictures-'));
const child = spawn(
  process.execPath,
  [join(root, 'dist/command/main.js'), 'ui', '--sandbox', '--no-open'],
  { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
);
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
try {
  const [line] = await once(child.stdout, 'data');
  const page = await browser.newPage({ viewport: SIZE, locale: 'en-US' });
  await page.goto(/http\S+/.exec(String(line))[0]);
  await drawSteps(page);
} finally {
  await browser.close();
  child.kill('SIGINT');
  await once(child, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

async function drawSteps(page) {
  const goOn = () => page.locator('footer.bar button.primary[aria-disabled=false]').click();
  const ready = () => page.locator('footer.bar button.primary[aria-disabled=false]').waitFor();
  await page.getByRole('button', { name: new RegExp(`^${SAMPLE}`) }).waitFor();
  await draw(page, 'start');
  await page.getByRole('button', { name: new RegExp(`^${SAMPLE}`) }).click();
  await page.locator('tbody td').first().waitFor();
  await draw(page, 'file');
  await goOn();
  await page.getByRole('table', { name: 'Columns' }).waitFor();
  await draw(page, 'columns');
  await goOn();
  await page.getByRole('table', { name: /^Rows/ }).waitFor();
  await ready();
  await draw(page, 'check');
  await goOn();
  await page.getByRole('combobox', { name: 'Campaign' }).waitFor();
  await ready();
  await draw(page, 'import');
  // Slowly, so that it can be seen under way.
  await page.getByLabel('Clients a second, at most').fill('200');
  await page.getByLabel('Clients a second, at most').press('Tab');
  await page.waitForTimeout(500);
  await goOn();
  await page.getByRole('row', { name: /^enqueued [1-9]/ }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Continue' }).waitFor();
  await draw(page, 'import-live');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Next: result' }).click({ timeout: 60_000 });
  await page.getByRole('rowheader', { name: 'All rows' }).waitFor();
  await draw(page, 'result');
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('table', { name: /^Runs/ }).waitFor();
  await draw(page, 'history');
}

/** One picture in each scheme. Few colours keep it small. */
async function draw(page, name) {
  for (const scheme of ['light', 'dark']) {
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
