import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { wordsOf } from '../../../src/web/server/language.js';
import { OTHERS } from '../../../src/web/shared/in-browser.js';
import { browserPath, startBrowser } from '../../kit/browser.js';
import { root } from '../../kit/cardline.js';
import type { PageBench } from '../harness.js';
import { expectAccessible, LOOKS, openBuiltPage, openTab } from './harness.js';

const CSV = 'Name;City\nAnn;Ufa\nBob;Tver\n';
const csv = (content: string, name = 'leads.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(content),
});

const packed = (content: string | Buffer): number => gzipSync(content, { level: 9 }).length;

it('weighs at most 62 KB, packed, without its charts', () => {
  const folder = join(root, 'dist/web/page');
  const names = readdirSync(folder).filter((name) =>
    /^(?!.*chart).*\.(js|css|html|svg)$/.test(name),
  );
  const sizes = names.map((name) => packed(readFileSync(join(folder, name))));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(62 * 1024);
});

it.each(OTHERS)('loads at most 17 KB, packed, for another language: %s', (language) => {
  const { page, outcomes } = wordsOf(language);
  expect(packed(JSON.stringify({ page, outcomes }))).toBeLessThan(17 * 1024);
});

describe.skipIf(browserPath === undefined)('the step File, in a browser', () => {
  let browser: Browser;
  let bench: PageBench;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    bench = await openBuiltPage();
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await bench.close();
  });

  const choose = async (page: Page, file: ReturnType<typeof csv>): Promise<void> =>
    page.getByLabel('Spreadsheet').setInputFiles(file);
  const header = (page: Page): Promise<string[]> =>
    page.getByRole('columnheader').allTextContents();

  it('takes a file and shows its first rows', async () => {
    const { page, complaints } = await openTab(browser, bench.address);
    await choose(page, csv(CSV));
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
    expect(await header(page)).toEqual(['Name', 'City']);
    await page.getByText('2 rows, 2 columns').waitFor();
    expect(await page.getByRole('row').allTextContents()).toEqual([
      'Header 1NameCity',
      '2AnnUfa',
      '3BobTver',
    ]);
    expect(complaints).toEqual([]);
  });

  it('takes a file that is dropped', async () => {
    const { page } = await openTab(browser, bench.address);
    await page.locator('.drop').waitFor();
    const data = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['a,b\\n1,2\\n'], 'dropped.csv'));
      return data;
    })()`);
    await page.dispatchEvent('.drop', 'drop', { dataTransfer: data });
    await page.getByRole('heading', { name: 'dropped.csv' }).waitFor();
  });

  it('takes a sample', async () => {
    const { page } = await openTab(browser, bench.address);
    await page.getByRole('button', { name: /leads-1251\.csv/ }).click();
    await page.getByRole('heading', { name: 'leads-1251.csv' }).waitFor();
    expect(await header(page)).toContain('Телефон');
  });

  it('shows it anew when another header or delimiter is chosen', async () => {
    const { page } = await openTab(browser, bench.address);
    await choose(page, csv(CSV));
    await page.getByText('Read it otherwise').click();
    await page.getByLabel('Delimiter').selectOption(',');
    await page.getByRole('columnheader', { name: 'Name;City' }).waitFor();
    await page.getByLabel('Delimiter').selectOption(';');
    await page.getByRole('combobox', { name: 'Header' }).selectOption('none');
    await page.getByRole('columnheader', { name: 'B' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(4);
    await page.reload();
    await page.getByRole('columnheader', { name: 'B' }).waitFor();
    await page.getByRole('cell', { name: 'Ann' }).click();
    await page.getByRole('columnheader', { name: 'Ann' }).waitFor();
    await page.getByRole('button', { name: 'Header 2' }).focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: 'City' }).waitFor();
    await page.getByText('2 rows, 2 columns').waitFor();
  });

  it('goes back and forward, and on in another tab', async () => {
    const { page } = await openTab(browser, bench.address);
    await choose(page, csv(CSV));
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'leads.csv' }).waitFor();
    await page.goForward();
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
    await page.close();
    const again = await openTab(browser, bench.address);
    await again.page.getByRole('link', { name: 'leads.csv' }).click();
    await again.page.getByRole('columnheader', { name: 'City' }).waitFor();
  });

  it('can be used with the keyboard alone', async () => {
    const { page } = await openTab(browser, bench.address);
    await page.getByRole('button', { name: /leads\.csv/ }).waitFor();
    const focused = (): Promise<string> =>
      page.evaluate('document.activeElement.textContent.trim()');
    for (let tabs = 0; tabs < 20 && !(await focused()).startsWith('leads.csv'); tabs++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
  });

  it('says what is wrong with a file, and what to do', async () => {
    const { page } = await openTab(browser, bench.address, { locale: 'ru-RU' });
    await page.getByLabel('Таблица').setInputFiles(csv('%PDF-1.7\n', 'leads.pdf'));
    const problem = page.getByRole('alert').filter({ hasText: 'PDF' });
    await problem.waitFor();
    expect(await problem.textContent()).toContain('Сохраните');
    await page.getByLabel('Таблица').setInputFiles(csv(CSV));
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
  });

  it('shows cells as text, whatever they hold', async () => {
    const hostile = '<img src=x onerror=globalThis.hacked=1>';
    const { page, complaints } = await openTab(browser, bench.address);
    await choose(page, csv(`Name;City\n${hostile};Ufa\n`, `${hostile}.csv`));
    await page.getByRole('cell', { name: hostile }).waitFor();
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  it('keeps nothing in the browser but the token of the tab', async () => {
    const { page } = await openTab(browser, bench.address);
    await choose(page, csv(CSV));
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
    expect(page.url()).not.toContain('#');
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual(['cardline-session']);
    expect(await page.evaluate('sessionStorage.getItem("cardline-session")')).not.toBe(
      new URL(bench.address).hash.slice(1),
    );
  });

  it('says that the server is gone, and goes on by itself', async () => {
    const { page } = await openTab(browser, bench.address);
    await page.getByLabel('Spreadsheet').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor();
    await page.context().setOffline(false);
    await page
      .getByRole('alert')
      .filter({ hasText: 'does not answer' })
      .waitFor({ state: 'hidden' });
    await choose(page, csv(CSV));
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
  });

  it('says how to open it again, where the server does not know the tab', async () => {
    const { page } = await openTab(browser, bench.address);
    await page.getByLabel('Spreadsheet').waitFor();
    await page.evaluate('sessionStorage.setItem("cardline-session", "old")');
    await page.reload();
    await page.getByRole('heading', { name: 'This page needs its address' }).waitFor();
    await page.goto(bench.address);
    await page.getByLabel('Spreadsheet').waitFor();
  });

  it('changes nothing with --read-only', async () => {
    const reading = await openBuiltPage({
      readOnly: true,
      file: join(root, 'samples/leads.csv'),
    });
    const { page } = await openTab(browser, reading.address);
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
    await page.getByText('Read it otherwise').click();
    expect(await page.getByLabel('Encoding').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'take as the header' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('link', { name: 'leads.csv' }).waitFor();
    expect(await page.getByLabel('Spreadsheet').count()).toBe(0);
    await page.goto(`${new URL(page.url()).origin}/?center=`);
    await page.getByRole('link', { name: 'leads.csv' }).waitFor();
    expect(await page.getByLabel('Address').count()).toBe(0);
    await page.close();
    await reading.close();
  });

  it('is opened by the private file', async () => {
    const page = await browser.newPage();
    await page.goto(`file://${bench.openingFile}`);
    await page.getByLabel('Spreadsheet').waitFor({ timeout: 15_000 });
    expect(page.url()).toBe(`http://127.0.0.1:${bench.port}/`);
  });

  it.each(LOOKS.slice(-1))('keeps nobody out: $locale, $colorScheme, $width px', async (look) => {
    const { page, complaints } = await openTab(browser, bench.address, look);
    const input = page.locator('input[type=file]');
    await input.waitFor();
    await expectAccessible(page);
    await input.setInputFiles(csv('%PDF-1.7\n', 'leads.pdf'));
    await page.locator('.problem').waitFor();
    await expectAccessible(page);
    await page.goto(bench.address);
    await input.setInputFiles(csv(CSV));
    await page.locator('table').waitFor();
    await expectAccessible(page);
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await page.locator('main.narrow').waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });
});
