import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PageBench } from '../harness.js';
import {
  addressOf,
  eventually,
  describeSeen,
  expectAccessible,
  LOOKS,
  openBuiltPage,
  type OpenedTab,
  useBrowser,
} from './harness.js';
import { Typist } from './walk.js';
import { testFolder } from '../../kit/folder.js';

const MAPPING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { offerId: Id, segment: Segment }
  phones:
    - { column: Phone, type: MOB, transform: [{ phone: { country: RU } }] }
    - { column: Other, type: WORK, transform: [{ phone: { country: RU } }] }
`;
const CENTER = `name: test
baseUrl: http://127.0.0.1:9
card:
  offerId: { type: Number, sync: true }
  segment: { type: ComboBox, values: [cold, warm] }
`;
const HOSTILE = '<img src=x onerror=globalThis.hacked=1>';
/** 600 rows: one in five has no phone number in a column, one in 60 a segment of its own. */
const ROWS = Array.from({ length: 600 }, (_, at) => {
  const phone = at % 5 === 3 ? (at % 10 === 3 ? HOSTILE : '-') : `7916${1_000_000 + at}`;
  return `${at};${phone};7917${1_000_000 + at};${at % 60 === 7 ? 'Тёплый' : 'warm'}`;
});
const CSV = ['Id;Phone;Other;Segment', ...ROWS, ''].join('\n');

describeSeen('the step Check, in a browser', () => {
  const openTab = useBrowser({ keepsTabs: true });
  const folder = testFolder();
  let bench: PageBench;
  const serve = (settings: Parameters<typeof openBuiltPage>[0] = {}): Promise<PageBench> => {
    const installation = join(folder, 'center.yaml');
    return openBuiltPage({
      ...{ ledger: join(folder, 'cardline.db'), mapping: join(folder, 'mapping.yaml') },
      ...{ center: { name: 'test', address: 'a:1', kind: 'local', installation }, ...settings },
    });
  };
  beforeAll(async () => {
    await writeFile(join(folder, 'mapping.yaml'), MAPPING);
    await writeFile(join(folder, 'center.yaml'), CENTER);
    bench = await serve();
  });
  afterAll(async () => {
    await bench.close();
  });

  const part = (list: string, name: string): string => join(folder, 'cardline.lists', list, name);
  /** Opens the step in a new tab, at the end of its check. @default for a new list */
  async function open(
    list?: string,
    look: Parameters<typeof openTab>[1] = {},
    { address } = bench,
  ): Promise<OpenedTab & { list: string }> {
    const id = list ?? (await bench.list(CSV));
    const tab = await openTab(addressOf(address, `/lists/${id}/check`), look);
    await tab.page.locator('table.checked').waitFor();
    return { ...tab, list: id };
  }
  const counts = async (page: Page, rejected: number): Promise<void> =>
    page.locator('.counts .rejected dd', { hasText: new RegExp(`^${rejected}$`) }).waitFor();
  const numbers = (page: Page): Promise<string[]> =>
    page.locator('table.checked tbody th').allTextContents();

  it('shows what is wrong, page by page, keeps the place, and needs no mouse', async () => {
    const { page, complaints } = await open();
    await counts(page, 130);
    expect(await page.locator('.groups button').count()).toBe(2);
    expect(await numbers(page)).toHaveLength(50);
    expect(await page.locator('td.bad').count()).toBe(50);
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByText('Rows 51 to 100 of 120').waitFor();
    const shown = await numbers(page);
    await page.reload();
    await page.getByText('Rows 51 to 100 of 120').waitFor();
    expect(await numbers(page)).toEqual(shown);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    await page.getByRole('button', { name: 'Next: import 470 rows' }).waitFor();
    await page.getByRole('button', { name: 'An empty cell: -' }).waitFor();
    const typist = new Typist(page);
    await page.getByRole('button', { name: 'Previous', exact: true }).click();
    await typist.tabTo('button', /^Correct Phone of row 5/);
    await typist.press('Enter');
    await page.locator('.cell-editor input:focus').waitFor();
    await typist.press('Escape');
    await page.locator('.cell-editor').waitFor({ state: 'detached' });
    await typist.press('Enter');
    await page.locator('.cell-editor input:focus').waitFor();
    await typist.type('+79161234567');
    await typist.press('Enter');
    await counts(page, 129);
    expect(complaints).toEqual([]);
  });

  it('mends all rows with a value, and single cells, and takes one back', async () => {
    const { page, list } = await open();
    await page.getByRole('button', { name: /^Segment/ }).click();
    await page.getByLabel('Replace “Тёплый” by').selectOption('warm');
    await page.getByRole('button', { name: 'Replace in 10 rows' }).click();
    await counts(page, 120);
    await page.getByText('No row has this problem any more.').waitFor();
    await page.getByRole('button', { name: /^Phone/ }).click();
    await page.getByRole('button', { name: 'Correct Phone of row 5:' }).click();
    await page.locator('.cell-editor input').fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByText('corrected, still wrong').waitFor();
    await counts(page, 120);
    await page.getByRole('button', { name: 'Correct Phone of row 5:' }).click();
    await page.locator('.cell-editor input').fill('+79161234567');
    await page.keyboard.press('Enter');
    await counts(page, 119);
    await page
      .getByText(/--corrections \S*cardline\.lists\/\w+\/corrections\.jsonl/)
      .waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Take back Phone of row 5' }).click();
    await counts(page, 120);
    await page.getByRole('button', { name: 'An empty cell: -' }).click();
    await counts(page, 60);
    const leave = page.getByRole('listitem').filter({ hasText: 'Leave Phone empty' });
    await leave.getByText('60 more rows are ready').waitFor();
    const before = await page.locator('table.checked tbody tr').first().boundingBox();
    await page.getByRole('button', { name: 'Correct Phone of row 15:' }).click();
    expect(await page.locator('table.checked tbody tr').first().boundingBox()).toEqual(before);
    await leave.getByRole('button').click();
    await page.getByText('Every row can be sent as it is.').waitFor();
    await page.getByText('Sent without a value').waitFor();
    expect(await readFile(part(list, 'file/leads.csv'), 'utf8')).toBe(CSV);
    expect(await readFile(join(folder, 'mapping.yaml'), 'utf8')).toBe(MAPPING);
  });

  it('has a phone filled in where a row has none', async () => {
    const rows = ['1;;;warm', '2;89161234567;;warm'];
    const list = await bench.list(['Id;Phone;Other;Segment', ...rows].join('\n'));
    const { page } = await open(list);
    await counts(page, 1);
    expect(await page.locator('table.checked thead').textContent()).toBe('RowPhoneOtherIdSegment');
    expect(await page.locator('td.bad').count()).toBe(2);
    await page.getByRole('button', { name: 'Correct Other of row 2:' }).click();
    await page.locator('.cell-editor input').fill('+79161234567');
    await page.keyboard.press('Enter');
    await page.getByText('Every row can be sent as it is.').waitFor();
    await page.getByRole('button', { name: 'Take back Other of row 2' }).waitFor();
  });

  it('refuses a rule that another tab has made old; says what does not fit; keeps nobody out', async () => {
    const { page: one, list } = await open();
    const { page: other, complaints } = await open(list, LOOKS[1]);
    await other.locator('.remedies button').first().waitFor();
    await expectAccessible(other);
    await other.locator('td.bad button').first().click();
    await other.locator('.cell-editor input').waitFor();
    await expectAccessible(other);
    await other.keyboard.press('Escape');
    await one.getByRole('button', { name: 'An empty cell: -' }).waitFor();
    await other.getByRole('button', { name: 'Пустая ячейка: -' }).click();
    await counts(other, 70);
    await one.getByRole('button', { name: 'An empty cell: -' }).click();
    await one.getByRole('alert').filter({ hasText: 'changed elsewhere' }).waitFor();
    await counts(one, 70);

    await writeFile(part(list, 'file/leads.csv'), 'Id;Phone;Other;Sector\n1;2;3;4\n');
    await one.reload();
    const alert = one.getByRole('alert').filter({ hasText: 'does not fit' });
    await alert.getByText('leads.csv has no column "Segment".').waitFor();
    await alert.getByRole('link', { name: 'To the step Columns' }).waitFor();
    await one.getByText('The check did not end well.').waitFor();
    await expectAccessible(one);
    expect(complaints).toEqual([]);
  });

  it('mends nothing with --read-only, and shows no value with --mask', async () => {
    const hiding = await serve({ readOnly: true, mask: true });
    const { page } = await open(undefined, {}, hiding);
    await counts(page, 130);
    expect(await page.locator('main button', { hasText: /Correct|Replace|An empty/ }).count()).toBe(
      0,
    );
    expect(await page.locator('main').textContent()).not.toMatch(/7917|Тёплый/);
    await page.close();
    await hiding.close();
  });

  // What is saved is what the next list with its columns begins with: the last of these tests.
  it('says that a saved mapping lacks a rule, saves it, and asks before the list is left', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: /^Segment/ }).click();
    await page.getByLabel('Replace “Тёплый” by').selectOption('warm');
    await page.getByRole('button', { name: 'Replace in 10 rows' }).click();
    await page.getByText('not yet saved under a name').waitFor();
    await page.getByRole('link', { name: 'To the step Columns' }).click();
    await page.getByText('Save mapping…').click();
    await page.getByLabel('Name of the mapping').fill('leads');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved as leads.').waitFor();
    await page.getByRole('button', { name: 'Next: check' }).click();
    await page.getByRole('button', { name: 'An empty cell: -' }).click();
    const lacks = page.getByText('The mapping “leads” does not have what was changed');
    await lacks.waitFor();
    await counts(page, 60);
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void dialog.dismiss();
    });
    await page.getByRole('link', { name: 'History' }).click();
    await eventually(() => questions).toEqual([expect.stringContaining('“leads”')]);
    expect(page.url()).toContain('/check');
    await page.getByRole('button', { name: 'Next: import' }).click();
    await lacks.waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save: leads' }).click();
    await lacks.waitFor({ state: 'detached' });
    const saved = await readFile(join(folder, 'mappings/leads.yaml'), 'utf8');
    expect(saved).toContain('Тёплый: warm');
    expect(saved).toContain("blank: ['-']");
    await page.getByRole('link', { name: 'History' }).click();
    await page.waitForURL(/\/history/);
    expect(questions).toHaveLength(1);
  });
});
