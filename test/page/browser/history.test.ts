import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openArrivals } from '../../nightly/harness.js';
import { lead } from '../../kit/bench.js';
import type { PageBench } from '../harness.js';
import { recordRuns, type PastRunOfTest } from '../past-runs.js';
import {
  addressOf,
  describeSeen,
  eventually,
  expectAccessible,
  LOOKS,
  openBuiltPage,
  useBrowser,
} from './harness.js';
import { servePageHere } from './served.js';
import { Typist } from './walk.js';

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

const ledgerOf = ({ folder }: PageBench): string => join(folder, 'cardline.db');

describeSeen('the history, in a browser', () => {
  const openTab = useBrowser({ keepsTabs: true });
  let bench: PageBench;
  let ids: string[];
  beforeAll(async () => {
    bench = await openBuiltPage();
    ids = await recordRuns(ledgerOf(bench), RUNS);
  });
  afterAll(() => bench.close());

  const open = async (path: string, look: Parameters<typeof openTab>[1] = {}) => {
    const tab = await openTab(addressOf(bench.address, path), look);
    await tab.page.locator('h1').waitFor();
    return tab;
  };
  const names = (page: Page): Promise<string[]> =>
    page.locator('.runs .name > a').allTextContents();

  it('is reached from the beginning, finds runs by what is typed, and is turned page by page', async () => {
    const { page, complaints } = await openTab(bench.address);
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
    await page.getByRole('link', { name: 'Older' }).click();
    await page.getByText('26–31 of 31').waitFor();
    expect(await names(page)).toEqual([5, 4, 3, 2, 1, 0].map((day) => `north-${day}.csv`));
    await page.goBack();
    await page.getByText('1–25 of 31').waitFor();
    expect(complaints).toEqual([]);
  });

  it('compares two runs by the keyboard alone', async () => {
    const { page } = await open('/history?text=north-1');
    const typist = new Typist(page);
    await page.getByText('1–11 of 11').waitFor();
    await typist.tabTo('checkbox', /^Compare north-19\.csv,/);
    await typist.press('Space');
    await typist.tabTo('checkbox', /^Compare north-10\.csv,/);
    await typist.press('Space');
    await page
      .getByRole('button', { name: 'Compare the two' })
      .and(page.locator('[aria-disabled=false]'))
      .waitFor();
    const colours = await page.evaluate<string[]>(
      "Array.from(document.querySelectorAll('.runs tbody tr'), (row) => getComputedStyle(row).backgroundColor)",
    );
    expect(colours.filter((colour) => colour !== 'rgba(0, 0, 0, 0)')).toHaveLength(2);
    await typist.tabTo('button', /^Compare the two/);
    await typist.press('Enter');
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

  it('is empty at first, says that a run is not there, and of mended rows whose they are', async () => {
    const fresh = await openBuiltPage();
    const russian = await openTab(fresh.address, { locale: 'ru-RU' });
    await russian.page.getByRole('link', { name: 'История' }).click();
    await russian.page.getByText('Запусков пока не было.').waitFor();
    await expectAccessible(russian.page);
    const [first = ''] = await recordRuns(ledgerOf(fresh), [
      { file: '/lists/leads.csv', rows: ['rejected'] },
    ]);
    await recordRuns(ledgerOf(fresh), [{ file: `/runs/${first}/rejects.csv`, rows: ['created'] }]);
    const { page } = await openTab(fresh.address);
    await page.getByRole('link', { name: 'History' }).click();
    const mended = page.getByRole('link', { name: 'leads.csv, mended rows' });
    await page.locator('.more summary').first().click();
    const own = page.getByRole('row').filter({ has: mended });
    expect(await own.getByRole('listitem').allTextContents()).not.toContain('Trend of such files');
    await mended.click();
    await page.getByRole('heading', { name: 'leads.csv, mended rows' }).waitFor();
    await russian.page.goto(new URL('/history/nope', fresh.address).href);
    await russian.page.getByText('Такого запуска нет.').waitFor();
    await russian.page.getByRole('link', { name: 'Все запуски' }).click();
    await russian.page.getByText('1–2 из 2').waitFor();
    for (const each of [page, russian.page]) await each.close();
    await fresh.close();
  });

  it('keeps nobody out', async () => {
    const { page, complaints } = await open('/history?text=1', LOOKS[1]);
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

  it('has dates as in the region of the browser, in the language that was chosen last', async () => {
    const { page } = await open('/history', { locale: 'en-GB' });
    const when = page.locator('time').first();
    expect(await when.textContent()).toMatch(/^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d$/);
    await page.getByRole('button', { name: 'DE' }).click();
    await eventually(() => when.textContent()).toMatch(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d$/);
    await page.goto(new URL('/history', bench.address).href);
    await page.locator('h1', { hasText: 'Verlauf' }).waitFor();
    await page.goto(new URL('/history?lang=en', bench.address).href);
    await page.locator('h1', { hasText: 'History' }).waitFor();
  });

  it('begins with how the sources stand that are watched, and keeps nobody out', async () => {
    const arrivals = await openArrivals();
    await arrivals.arrive('leads-1.csv', [lead(1), lead(2, { Mobile: 'none' })]);
    await arrivals.watch();
    await arrivals.arrive('leads-2.csv', [lead(3)]);
    const args = ['-i', 'center.yaml', '--ledger', 'cardline.db'];
    const served = await servePageHere(arrivals.at('.'), args, arrivals.environment);
    const { page, complaints } = await openTab(addressOf(served.address, '/history'));
    await page.getByText('1 of 1 source need you.').waitFor();
    const row = page.getByRole('row', { name: /vendor/ });
    expect(await row.textContent()).toMatch(
      /leads-1\.csv.*needs you: 2 rows read, 1 sent, 1 row needs you.*leads-2\.csv: it has arrived/,
    );
    await row.getByRole('link', { name: 'leads-1.csv' }).click();
    await page.waitForURL(/\/runs\//);
    await arrivals.edit('pickups:', 'pickup:');
    const narrow = await openTab(addressOf(served.address, '/history'), LOOKS[1]);
    const again = narrow.page.getByRole('button', { name: 'Повторить' });
    await again.waitFor();
    await expectAccessible(narrow.page);
    await arrivals.edit('pickup:', 'pickups:');
    await again.click();
    await narrow.page.getByText('файл пришёл и будет взят').waitFor();
    await expectAccessible(narrow.page);
    expect([...complaints, ...narrow.complaints]).toEqual([]);
    for (const each of [page, narrow.page]) await each.close();
    await served.end();
    await arrivals.close();
  });
});
