import { copyFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browserPath, startBrowser } from '../../kit/browser.js';
import { root } from '../../kit/cardline.js';
import type { PageBench } from '../harness.js';
import { expectAccessible, LOOKS, openBuiltPage, openTab } from './harness.js';

describe.skipIf(browserPath === undefined)('the step Columns, in a browser', () => {
  let browser: Browser;
  let bench: PageBench;
  let folder: string;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardline-center-'));
    bench = await openWith({});
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await bench.close();
    await rm(folder, { recursive: true });
  });

  function openWith(settings: Parameters<typeof openBuiltPage>[0]): Promise<PageBench> {
    const installation = join(folder, 'center.yaml');
    copyFileSync(join(root, 'mappings/installation.yaml'), installation);
    const center = { name: 'demo', address: 'a:1', kind: 'sandbox', installation } as const;
    return openBuiltPage({ center, file: join(root, 'samples/leads.csv'), ...settings });
  }

  async function openColumns(look?: Parameters<typeof openTab>[2], from = bench) {
    const tab = await openTab(browser, from.address, look);
    await tab.page.locator('.bar .primary').click();
    await showYaml(tab.page);
    return tab;
  }
  async function showYaml(page: Page): Promise<void> {
    const button = page.locator('.tools > button');
    await button.waitFor();
    if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
    await page.locator('.yaml textarea, .yaml .notice').first().waitFor();
  }
  /** What stands beside the columns: one of them, looked at closer. */
  async function details(page: Page, column: string) {
    await page.getByRole('button', { name: `Details of ${column}`, exact: true }).click();
    return page.getByRole('region', { name: column, exact: true });
  }
  /** The text of the mapping, whatever is shown. */
  async function textOf(page: Page): Promise<string> {
    const [, list = ''] = new URL(page.url()).pathname.split('/lists/');
    const [id = ''] = list.split('/');
    const columns = (await bench.api(`GET /api/lists/${id}/columns`)) as { yaml: string };
    return columns.yaml;
  }
  const yaml = (page: Page) => page.getByRole('textbox', { name: 'Mapping as YAML' });
  const box = (page: Page, column: string) =>
    page.getByRole('combobox', { name: `${column} goes to`, exact: true });
  /** A choice of the list that is open. */
  const option = (page: Page, name: string) =>
    page.locator('.popup').getByRole('option', { name, exact: true });
  const next = (page: Page) => page.getByRole('button', { name: 'Next: check' });
  const inStep = (page: Page) => page.getByText('In step with the columns').waitFor();

  it('is worked on with the keyboard alone, and the text follows', async () => {
    const { page, complaints } = await openColumns();
    const city = box(page, 'Comment');
    await city.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('cit');
    await option(page, 'city').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => yaml(page).inputValue()).toContain('city: Comment');
    expect(await yaml(page).inputValue()).not.toContain('comment: Comment');
    expect(await city.inputValue()).toBe('city');
    // The focus stays where the person is.
    expect(await city.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Comment goes to',
    );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    expect(await page.locator('.popup li').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('says beside the button what is missing, and fills it with what is proposed', async () => {
    const { page } = await openColumns();
    const line = page.getByRole('row', { name: /^Offer ID / });
    const uses = (await line.textContent())?.includes('and 1 more') ? 2 : 1;
    for (let left = uses; left > 0; left--) {
      await box(page, 'Offer ID').click();
      await option(page, 'not imported').click();
      await expect.poll(() => line.textContent()).not.toContain('and 1 more');
    }
    await page.getByText('offerId has no column yet', { exact: true }).waitFor();
    expect(await next(page).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'Use Offer ID for offerId' }).first().click();
    await expect.poll(() => next(page).getAttribute('aria-disabled')).toBe('false');
    expect(await box(page, 'Offer ID').inputValue()).toBe('offerId');
  });

  it('changes transforms and maps in words', async () => {
    const { page } = await openColumns();
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name} `) });
    const mobile = await details(page, 'Mobile');
    await mobile.getByLabel('Numbers without a country code').selectOption('Kazakhstan');
    await expect.poll(() => textOf(page)).toContain('country: KZ');
    await expect.poll(() => row('Mobile').textContent()).toContain('Kazakhstan');
    const registered = await details(page, 'Registered');
    await registered.getByLabel('Dates are written as').selectOption('dd.MM.yyyy');
    await expect.poll(() => textOf(page)).toContain('from: dd.MM.yyyy');
    const segment = await details(page, 'Segment');
    await segment.getByLabel('lukewarm becomes').selectOption('warm');
    await expect.poll(() => textOf(page)).toContain('lukewarm');
    await expect.poll(() => row('Segment').textContent()).toContain('849 filled');
    await page.keyboard.press('Escape');
    await segment.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Details of Segment',
    );
  });

  it('sets what is the same for all rows, and shows what is sent of the first ones', async () => {
    const { page } = await openColumns();
    const all = page.getByRole('region', { name: 'The same for all rows' });
    const cards = page.getByRole('region', { name: 'What the contact center gets' });
    expect(await cards.getByRole('listitem').count()).toBe(3);
    await all.getByLabel('Another field').selectOption('city');
    await all.getByLabel('city', { exact: true }).fill('Ufa');
    await page.keyboard.press('Tab');
    await expect.poll(() => yaml(page).inputValue()).toContain('city: { value: Ufa }');
    await expect.poll(() => cards.textContent()).toContain('cityUfa');
    const zones = (await details(page, 'TZ')).getByLabel('Empty cells become');
    await zones.selectOption('Asia/Omsk');
    await expect.poll(() => textOf(page)).toContain('default: Asia/Omsk');
    await box(page, 'TZ').click();
    await option(page, 'not imported').click();
    await all.getByLabel('Time zone').selectOption('Asia/Tomsk');
    await expect.poll(() => textOf(page)).toContain('timeZone: { value: Asia/Tomsk }');
    await expect.poll(() => cards.textContent()).toContain('Time zoneAsia/Tomsk');
    await all.getByLabel('city', { exact: true }).fill('');
    await page.keyboard.press('Tab');
    await expect.poll(() => textOf(page)).not.toContain('city');
  });

  it('follows what is typed, shows mistakes with their place, and keeps the text', async () => {
    const { page } = await openColumns();
    const whole = await yaml(page).inputValue();
    await yaml(page).fill(whole.replace('comment: { column: Comment, transform: trim }', ''));
    await expect.poll(() => box(page, 'Comment').inputValue()).toBe('not imported');
    const broken = `${whole}\nmode: [`;
    await yaml(page).fill(broken);
    await page.getByRole('button', { name: /^Line \d+, column \d+$/ }).waitFor();
    await page.getByText('The mapping has 1 mistake', { exact: true }).waitFor();
    expect(await box(page, 'Comment').isDisabled()).toBe(true);
    expect(await box(page, 'Comment').inputValue()).toBe('not imported');
    await page.reload();
    await page.getByRole('button', { name: 'Take the text back to then' }).waitFor();
    expect(await yaml(page).inputValue()).toBe(broken);
    await page.getByRole('button', { name: 'Take the text back to then' }).click();
    await inStep(page);
    expect(await yaml(page).inputValue()).not.toBe(broken);
  });

  it('refuses what was made on an older state in another tab, and loses neither', async () => {
    const one = (await openColumns()).page;
    const other = (await openColumns()).page;
    await box(other, 'Comment').click();
    await option(other, 'not imported').click();
    await expect.poll(() => yaml(other).inputValue()).not.toContain('comment: {');
    await box(one, 'Budget').click();
    await option(one, 'not imported').click();
    await one.getByText('changed elsewhere since').waitFor();
    await expect.poll(() => box(one, 'Comment').inputValue()).toBe('not imported');
    expect(await box(one, 'Budget').inputValue()).toBe('budget');
    // What is typed in one of them is not lost either.
    const text = await yaml(other).inputValue();
    await yaml(other).fill(`# of the other\n${text}`);
    await inStep(other);
    await yaml(one).fill(`# my own\n${text}`);
    await one.getByText('was changed in another tab').waitFor();
    expect(await yaml(one).inputValue()).toContain('# my own');
    await one.getByRole('button', { name: 'Use my text' }).click();
    await inStep(one);
    expect(await yaml(one).inputValue()).toContain('# my own');
  });

  it('asks before back and forward leave what was typed and not sent', async () => {
    const { page } = await openColumns();
    const answers: string[] = [];
    let isLeaving = false;
    page.on('dialog', (dialog) => {
      answers.push(dialog.message());
      void (isLeaving ? dialog.accept() : dialog.dismiss());
    });
    await page.route('**/mapping', (route) => route.abort());
    const text = await yaml(page).inputValue();
    await yaml(page).fill(`# mine\n${text}`);
    await page.getByText('does not answer').first().waitFor();
    await page.evaluate('history.back()');
    await expect.poll(() => answers.length).toBe(1);
    await expect.poll(() => page.url()).toContain('/columns');
    expect(await yaml(page).inputValue()).toContain('# mine');
    await page.getByRole('link', { name: 'File', exact: true }).click();
    await expect.poll(() => answers.length).toBe(2);
    expect(page.url()).toContain('/columns');
    isLeaving = true;
    await page.evaluate('history.back()');
    await expect.poll(() => page.url()).toContain('/file');
  });

  it('loses nothing of what was typed when it is left at once', async () => {
    const { page } = await openColumns();
    const text = await yaml(page).inputValue();
    await yaml(page).fill(`# in haste\n${text}`);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Next: columns' }).click();
    await showYaml(page);
    await expect.poll(() => yaml(page).inputValue()).toContain('# in haste');
  });

  it('answers a question, keeps what else was set, and is led on by keys from the heading', async () => {
    const list = join(folder, 'list.csv');
    const rows = [1, 2, 3, 4].map(
      (n) => `${n},a.example,Ann Ax,0170 100000${n},${n % 2 ? 'ja' : 'nein'}`,
    );
    await writeFile(list, ['Kunden-Nr.,Domain,Name,Mobil,Einwilligung', ...rows].join('\n'));
    const asking = await openWith({ file: list });
    const { page } = await openTab(browser, asking.address);
    await page.locator('.bar .primary').click();
    const question = page.getByRole('group', { name: /Einwilligung/ });
    await question.waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.getByRole('button', { name: '+ Condition' }).click();
    await page.getByRole('combobox', { name: 'Condition', exact: true }).selectOption('is filled');
    await page.getByRole('combobox', { name: 'Column', exact: true }).selectOption('Einwilligung');
    await page.getByRole('combobox', { name: 'Column', exact: true }).focus();
    await page.keyboard.press('Control+Enter');
    expect(page.url()).toContain('/columns');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Only rows where Einwilligung is filled').waitFor();
    await question.getByLabel(/^Only “ja”/).check();
    await page.getByText('Only rows where Einwilligung is “ja”').waitFor();
    await page.getByText('Only rows where Einwilligung is filled').waitFor();
    await page.locator('h1').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/check*');
    await page.getByRole('heading', { name: '2 of 4 rows are ready' }).waitFor();
    await page.close();
    await asking.close();
  });

  it('saves under a name, and asks before it replaces', async () => {
    const { page } = await openColumns();
    await page.getByText('Save mapping…').click();
    const name = page.getByLabel('Name of the mapping');
    await name.fill('leads');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved as leads.').waitFor();
    const command = page.locator('.command code');
    expect(await command.textContent()).toContain(join(bench.folder, 'mappings/leads.yaml'));
    await box(page, 'Comment').click();
    await option(page, 'not imported').click();
    await page.getByText('not yet saved under a name').waitFor();
    expect(await command.textContent()).not.toContain('leads.yaml');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('There is a mapping named leads already').waitFor();
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    await page.getByText('Saved as leads.').waitFor();
    await page.getByRole('combobox', { name: 'Mapping', exact: true }).selectOption('suggested');
    await expect.poll(() => box(page, 'Comment').inputValue()).toBe('comment');
  });

  it('shows and changes nothing with --read-only', async () => {
    const reading = await openWith({ readOnly: true });
    const { page } = await openColumns({}, reading);
    expect(await box(page, 'Comment').isDisabled()).toBe(true);
    expect(await yaml(page).isEditable()).toBe(false);
    expect(await page.getByLabel('Client role').isDisabled()).toBe(true);
    expect(await page.getByLabel('Another field').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.close();
    await reading.close();
  });

  it.each(LOOKS.slice(-1))('keeps nobody out: $locale, $colorScheme, $width px', async (look) => {
    const { page, complaints } = await openColumns(look);
    await expectAccessible(page);
    await page.locator('.combobox input').nth(1).click();
    await page.locator('.popup li').first().waitFor();
    await expectAccessible(page);
    await page.locator('.popup li').first().click();
    await page.locator('.missing li').first().waitFor();
    await page.locator('.yaml textarea').fill('client: [');
    await page.locator('.wrong-places button').waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });
});
