import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordRun, type RecordedRun } from '../recorded-run.js';
import {
  addressOf,
  describeSeen,
  expectAccessible,
  LOOKS,
  type OpenedTab,
  useBrowser,
} from './harness.js';
import { servePageHere, type ServedPage } from './served.js';

describeSeen('the result of a run, in a browser', () => {
  const openTab = useBrowser({ keepsTabs: true });
  let recorded: RecordedRun;
  let served: Pick<ServedPage, 'address' | 'end'>;
  beforeAll(async () => {
    recorded = await recordRun();
    served = await servePageHere(recorded.folder);
  });
  afterAll(async () => {
    await served.end();
    await recorded.remove();
  });

  const open = async (query = '', look: Parameters<typeof openTab>[1] = {}): Promise<OpenedTab> => {
    const tab = await openTab(addressOf(served.address, `/runs/${recorded.run}${query}`), look);
    await tab.page.locator('.first').waitFor();
    return tab;
  };
  const rowNumbers = (page: Page): Promise<string[]> =>
    page.locator('#rows').getByRole('rowheader').allTextContents();

  it('begins with what to do, and shows the rows behind a count, page by page', async () => {
    const { page, complaints } = await open();
    expect(await page.locator('.first').textContent()).toContain('rows need you');
    await page.getByRole('link', { name: /^Phone: This is not a phone number/ }).click();
    await page.getByRole('heading', { name: /: 60 rows$/ }).waitFor();
    const first = await rowNumbers(page);
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByText('51–60 of 60').waitFor();
    const rest = await rowNumbers(page);
    expect([...first, ...rest].map(Number)).toEqual(
      Array.from({ length: 60 }, (_, at) => 3 * (at + 1) + 1),
    );
    await page.reload();
    await page.getByText('51–60 of 60').waitFor();
    expect(await rowNumbers(page)).toEqual(rest);
    await expectAccessible(page);
    await page.goBack();
    await page.getByText('1–50 of 60').waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows how good the list was, gives downloads, and makes a list of the rejects', async () => {
    const { page, complaints } = await open();
    const facts = page.locator('section', { has: page.locator('#list-facts') });
    expect(await facts.textContent()).toContain('60 of 180 rows rejected or skipped');
    expect(await facts.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/^holds rows: the list has 180/) as string,
      expect.stringMatching(/^warns invalid Segment: 10 rows of 180/) as string,
    ]);
    const phones = facts.getByRole('row', { name: /^phones valid/ });
    expect(await phones.getByRole('cell').last().textContent()).toBe('60');

    const took = async (name: string | RegExp): Promise<string> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name, exact: true }).click(),
      ]);
      expect(await download.failure()).toBeNull();
      return download.suggestedFilename();
    };
    expect(await took('XLSX')).toBe(`report-${recorded.run}.xlsx`);
    expect(await took(/^Download rejects\.csv/)).toBe(`${recorded.run}-rejects.csv`);

    await page.getByRole('button', { name: /^Mend \d+ rows$/ }).click();
    await page.waitForURL(/\/lists\/\w+\/check/);
    const note = page.getByText('Row numbers are those of leads.rejects.csv');
    expect(await note.getByRole('link').getAttribute('href')).toBe(`/runs/${recorded.run}`);
    await page.getByRole('columnheader', { name: 'Phone' }).waitFor();
    expect(await page.getByRole('columnheader', { name: /^cardline:/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'File', exact: true }).click();
    await page.getByRole('heading', { name: 'leads.rejects.csv' }).waitFor();
    await page.getByRole('columnheader', { name: 'Phone' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('compares the run with the contact center, and shows what it found', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Compare with the contact center' }).click();
    await page.getByText('Every row that was compared matches').waitFor();
    await page.getByRole('link', { name: recorded.run }).click();
    await page.getByText('Compared by').waitFor();
  });

  it('takes the run back once the number is typed, and keeps nobody out', async () => {
    const { page, complaints } = await open('?outcome=rejected', LOOKS[1]);
    await page.locator('#rows table').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Отменить…' }).click();
    const { enqueued = 0, enqueue_failed: failed = 0 } = recorded.summary.outcomes;
    const count = enqueued + failed;
    await page.getByText(`будет удалено: ${count}`).waitFor();
    await page.getByText('их идентификаторы не создать снова').waitFor();
    await page.getByLabel(/введите/).fill('1');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).pathname).toBe(`/runs/${recorded.run}`);
    await page.getByLabel(/введите/).fill(String(count));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Что отменено: leads.csv' }).waitFor();
    await page.getByRole('link', { name: 'отменён' }).waitFor();
    await page.getByRole('link', { name: recorded.run }).click();
    await page.getByText('Отменён запуском').waitFor();
    expect(await page.getByRole('button', { name: /^(Отменить|Исправить)/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
