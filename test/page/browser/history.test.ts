import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, startBrowser } from '../../kit/browser.js';
import type { PageBench } from '../harness.js';
import { recordRuns, type PastRunOfTest } from '../past-runs.js';
import { stopRun } from '../stopped-run.js';
import { expectAccessible, LOOKS, openBuiltPage, openTab } from './harness.js';
import { servePage } from './served.js';

/** Thirty runs of a vendor, the first rows of which get worse, and one of another. */
const RUNS: PastRunOfTest[] = [
  ...Array.from({ length: 30 }, (_, day) => ({
    file: `/lists/north-${day}.csv`,
    rows: Array.from({ length: 40 }, (_, row) => (row < day ? 'rejected' : 'created')),
  })),
  {
    file: '/lists/южный.csv',
    rows: ['created', 'rejected'],
    campaign: 'Autumn',
    state: 'broken_off',
  },
];

describe.skipIf(browserPath === undefined)('the history, in a browser', () => {
  let browser: Browser;
  let bench: PageBench;
  let folder: string;
  let ids: string[];
  beforeAll(async () => {
    browser = await startBrowser();
    folder = await mkdtemp(join(tmpdir(), 'cardline-history-'));
    ids = await recordRuns(join(folder, 'cardline.db'), RUNS);
    bench = await openBuiltPage({ ledger: join(folder, 'cardline.db') });
  });
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser.close();
    await bench.close();
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (path: string, look: Parameters<typeof openTab>[2] = {}) => {
    const tab = await openTab(browser, bench.address, look);
    await tab.page.locator('h1').waitFor();
    await tab.page.goto(new URL(bench.address).origin + path);
    await tab.page.locator('h1').waitFor();
    return tab;
  };
  const names = (page: Page): Promise<string[]> =>
    page.locator('.runs .name > a').allTextContents();

  it('is reached from the beginning, and finds runs by what is typed', async () => {
    const { page, complaints } = await openTab(browser, bench.address);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('1–25 of 31').waitFor();
    await page.getByLabel('File or campaign').fill('autumn');
    await page.getByText('1–1 of 1', { exact: true }).waitFor();
    expect(await names(page)).toEqual(['южный.csv']);
    await page.reload();
    await page.getByText('1–1 of 1', { exact: true }).waitFor();
    expect(await page.getByLabel('File or campaign').inputValue()).toBe('autumn');
    // Its process could not count its rows.
    await page.locator('.outcomes', { hasText: 'rejected 1' }).waitFor();
    await page.getByLabel('State').selectOption('finished');
    await page.getByText('No run fits.').waitFor();
    await page.getByRole('link', { name: 'Show all' }).click();
    await page.getByText('1–25 of 31').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is turned page by page, back and forward', async () => {
    const { page } = await open('/history');
    await page.getByRole('link', { name: 'Older' }).click();
    await page.getByText('26–31 of 31').waitFor();
    expect(await names(page)).toEqual([5, 4, 3, 2, 1, 0].map((day) => `north-${day}.csv`));
    await page.goBack();
    await page.getByText('1–25 of 31').waitFor();
  });

  it('compares two runs by the keyboard alone', async () => {
    const { page } = await open('/history?text=north-1');
    const press = async (name: string): Promise<void> => {
      const focused = 'document.activeElement.ariaLabel ?? document.activeElement.textContent';
      for (let tabs = 0; tabs < 120; tabs++) {
        if ((await page.evaluate<string>(focused)).startsWith(name)) break;
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press(name.includes(',') ? 'Space' : 'Enter');
    };
    await page.getByText('1–11 of 11').waitFor();
    await press('Compare north-19.csv,');
    await press('Compare north-10.csv,');
    await page
      .getByRole('button', { name: 'Compare the two' })
      .and(page.locator('[aria-disabled=false]'))
      .waitFor();
    const colours = await page.evaluate<string[]>(
      "Array.from(document.querySelectorAll('.runs tbody tr'), (row) => getComputedStyle(row).backgroundColor)",
    );
    expect(colours.filter((colour) => colour !== 'rgba(0, 0, 0, 0)')).toHaveLength(2);
    await press('Compare the two');
    await page.getByText('Compared.').waitFor();
    expect(await page.locator('main').textContent()).toContain('ended differently');
    const ways = page.getByRole('region', { name: 'From one outcome to another' });
    expect(await ways.getByRole('row').last().textContent()).toMatch(
      /^createdrejected9row 12, row 13/,
    );
    await page.goBack();
    // What was chosen is still chosen.
    await page.getByText('1–11 of 11').waitFor();
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2);
  });

  it('draws a trend by what is loaded for it alone, with the same figures beside it', async () => {
    const { page, complaints } = await open('/history');
    await page.getByText('1–25 of 31').waitFor();
    const loaded = 'performance.getEntriesByType("resource").map(({ name }) => name).join()';
    expect(await page.evaluate(loaded)).not.toContain('trend-chart.js');
    await page.getByLabel(/^More about north-29\.csv/).click();
    await page.getByRole('link', { name: 'Trend of such files' }).click();
    await page.getByRole('heading', { name: 'Trend of north-#.csv' }).waitFor();
    await page.locator('.chart canvas').waitFor();
    expect(await page.evaluate(loaded)).toContain('trend-chart.js');
    const rows = await page
      .getByRole('region', { name: 'Run by run' })
      .getByRole('row')
      .allTextContents();
    expect(rows).toHaveLength(31);
    expect(rows[1]).toMatch(/north-29\.csv4072\.5%72\.5%\+2\.5 points$/);
    expect(complaints).toEqual([]);
  });

  it('goes on with a run that was stopped', async () => {
    const its = await mkdtemp(join(folder, 'stopped-'));
    await stopRun(its, 20_000);
    const served = await servePage(its);
    const { page } = await openTab(browser, served.address);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('stopped').last().waitFor();
    await page.getByRole('button', { name: /^Continue many\.csv/ }).click();
    await page.waitForURL(/\/runs\//);
    await page.goto(`${new URL(served.address).origin}/history`);
    await page.locator('.state.finished').waitFor({ timeout: 60_000 });
    expect(await page.locator('.runs').textContent()).toContain('created 20,000');
    await page.close();
    await served.end();
  });

  it('says of mended rows whose they are', async () => {
    const its = await openBuiltPage();
    const ledger = join(its.folder, 'cardline.db');
    const [first = ''] = await recordRuns(ledger, [
      { file: '/lists/leads.csv', rows: ['rejected'] },
    ]);
    await recordRuns(ledger, [{ file: `/runs/${first}/rejects.csv`, rows: ['created'] }]);
    const { page } = await openTab(browser, its.address);
    await page.getByRole('link', { name: 'History' }).click();
    const mended = page.getByRole('link', { name: 'leads.csv, mended rows' });
    await page.locator('.more summary').first().click();
    const own = page.getByRole('row').filter({ has: mended });
    expect(await own.getByRole('listitem').allTextContents()).not.toContain('Trend of such files');
    await mended.click();
    await page.getByRole('heading', { name: 'leads.csv, mended rows' }).waitFor();
    await page.close();
    await its.close();
  });

  it('is empty at first, and says of a run that there is none', async () => {
    const fresh = await openBuiltPage();
    const { page } = await openTab(browser, fresh.address, { locale: 'ru-RU' });
    await page.getByRole('link', { name: 'История' }).click();
    await page.getByText('Запусков пока не было.').waitFor();
    await expectAccessible(page);
    await page.close();
    await fresh.close();
    const none = await open('/history/nope', { locale: 'ru-RU' });
    await none.page.getByText('Такого запуска нет.').waitFor();
    await none.page.getByRole('link', { name: 'Все запуски' }).click();
    await none.page.getByText('1–25 из 31').waitFor();
  });

  it.each(LOOKS.slice(-1))('keeps nobody out: $locale, $colorScheme, $width px', async (look) => {
    const { page, complaints } = await open('/history?text=1', look);
    await page.locator('.runs').waitFor();
    await page.locator('.more summary').first().click();
    await expectAccessible(page);
    const [one = '', other = ''] = ids.slice(20);
    const { origin } = new URL(bench.address);
    await page.goto(`${origin}/history/${one}`);
    await page.locator('.chart canvas').waitFor();
    await expectAccessible(page);
    await page.goto(`${origin}/history/${one}?with=${other}`);
    await page.locator('h2').waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });
});
