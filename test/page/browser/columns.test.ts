import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  addressOf,
  eventually,
  describeSeen,
  expectAccessible,
  LOOKS,
  openBuiltPage,
  useBrowser,
} from './harness.js';
import { useOpened } from '../../kit/bench.js';

describeSeen('the step Columns, in a browser', () => {
  const open = useBrowser({ keepsTabs: true });
  const bench = useOpened(() => openBuiltPage({ demo: true }), true);

  /** A new list of leads, with the mapping of the sample. */
  const sample = async (): Promise<string> =>
    (await bench.api<{ id: string }>('POST /api/lists', { sample: 'leads.csv' })).id;
  /** Opens the step for a list, with its YAML. @default a new list of leads */
  async function openColumns(list?: string, look?: Parameters<typeof open>[1]) {
    const id = list ?? (await sample());
    const tab = await open(addressOf(bench.address, `/lists/${id}/columns`), look);
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
    return (await bench.api<{ yaml: string }>(`GET /api/lists/${id}/columns`)).yaml;
  }
  const yaml = (page: Page) => page.getByRole('textbox', { name: 'Mapping as YAML' });
  const box = (page: Page, column: string) =>
    page.getByRole('combobox', { name: `${column} goes to`, exact: true });
  /** A choice of the list that is open. */
  const option = (page: Page, name: string) =>
    page.locator('.popup').getByRole('option', { name, exact: true });
  const next = (page: Page) => page.getByRole('button', { name: 'Next: check' });
  const inStep = (page: Page) => page.getByText('In step with the columns').waitFor();

  it('is worked on with the keyboard alone, and says beside the button what is missing', async () => {
    const { page, complaints } = await openColumns();
    const city = box(page, 'Comment');
    await city.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('cit');
    await option(page, 'city').waitFor();
    await page.keyboard.press('Enter');
    await eventually(() => yaml(page).inputValue()).toContain('city: Comment');
    expect(await yaml(page).inputValue()).not.toContain('comment: Comment');
    expect(await city.inputValue()).toBe('city');
    // The focus stays where the person is.
    expect(await city.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Comment goes to',
    );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    expect(await page.locator('.popup li').count()).toBe(0);

    const line = page.getByRole('row', { name: /^Offer ID / });
    const uses = (await line.textContent())?.includes('and 1 more') ? 2 : 1;
    for (let left = uses; left > 0; left--) {
      await box(page, 'Offer ID').click();
      await option(page, 'not imported').click();
      await eventually(() => line.textContent()).not.toContain('and 1 more');
    }
    await page.getByText('offerId has no column yet', { exact: true }).waitFor();
    expect(await next(page).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'Use Offer ID for offerId' }).first().click();
    await eventually(() => next(page).getAttribute('aria-disabled')).toBe('false');
    expect(await box(page, 'Offer ID').inputValue()).toBe('offerId');
    expect(complaints).toEqual([]);
  });

  it('changes transforms and maps in words, and sets what is the same for all rows', async () => {
    const { page } = await openColumns();
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name} `) });
    const mobile = await details(page, 'Mobile');
    await mobile.getByLabel('Numbers without a country code').selectOption('Kazakhstan');
    await eventually(() => textOf(page)).toContain('country: KZ');
    await eventually(() => row('Mobile').textContent()).toContain('Kazakhstan');
    const registered = await details(page, 'Registered');
    await registered.getByLabel('Dates are written as').selectOption('dd.MM.yyyy');
    await eventually(() => textOf(page)).toContain('from: dd.MM.yyyy');
    // What is sent of the first cells follows what is typed; nothing is changed before it is applied.
    const sent = registered.getByRole('region', { name: 'What is sent' });
    await eventually(() => sent.textContent()).toMatch(/\d{4}-\d\d-\d\d/);
    await registered.getByLabel('Dates are written as').selectOption('another pattern …');
    const pattern = registered.getByLabel('Pattern of the dates');
    await pattern.fill('dd.MM');
    await registered.getByText('and "dd.MM" has none').waitFor();
    await pattern.fill('MM/dd/yyyy');
    await eventually(() => sent.textContent()).toContain('This is not a date');
    expect(await textOf(page)).toContain('from: dd.MM.yyyy');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await eventually(() => sent.textContent()).toMatch(/\d{4}-\d\d-\d\d/);
    await registered.getByLabel('Dates are sent as').selectOption('dd/MM/yyyy');
    await eventually(() => sent.textContent()).toMatch(/\d\d\/\d\d\/\d{4}/);
    const comment = await details(page, 'Comment');
    await comment.getByLabel('Cells are read as').selectOption('a number or an amount of money');
    await eventually(() =>
      comment.getByRole('region', { name: 'What is sent' }).textContent(),
    ).toContain('nothing');
    await comment.getByLabel('Cells are read as').selectOption('text, as it is');
    await eventually(() => textOf(page)).not.toContain('number: {}');
    const segment = await details(page, 'Segment');
    await segment.getByLabel('lukewarm becomes').selectOption('warm');
    await eventually(() => textOf(page)).toContain('lukewarm');
    await eventually(() => row('Segment').textContent()).toContain('51 filled');
    await page.keyboard.press('Escape');
    await segment.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Details of Segment',
    );

    const all = page.getByRole('region', { name: 'The same for all rows' });
    const cards = page.getByRole('region', { name: 'What the contact center gets' });
    expect(await cards.getByRole('listitem').count()).toBe(3);
    await all.getByLabel('Another field').selectOption('city');
    await all.getByLabel('city', { exact: true }).fill('Ufa');
    await page.keyboard.press('Tab');
    await eventually(() => textOf(page)).toContain('city: { value: Ufa }');
    await eventually(() => cards.textContent()).toContain('cityUfa');
    const zones = (await details(page, 'TZ')).getByLabel('Empty cells become');
    await zones.selectOption('Asia/Omsk');
    await eventually(() => textOf(page)).toContain('default: Asia/Omsk');
    await box(page, 'TZ').click();
    await option(page, 'not imported').click();
    await all.getByLabel('Time zone').selectOption('Asia/Tomsk');
    await eventually(() => textOf(page)).toContain('timeZone: { value: Asia/Tomsk }');
    await eventually(() => cards.textContent()).toContain('Time zoneAsia/Tomsk');
    await all.getByLabel('city', { exact: true }).fill('');
    await page.keyboard.press('Tab');
    await eventually(() => textOf(page)).not.toContain('city');
  });

  it('follows what is typed, shows mistakes with their place, and loses nothing of it', async () => {
    const { page } = await openColumns();
    const whole = await yaml(page).inputValue();
    await yaml(page).fill(whole.replace('comment: { column: Comment, transform: trim }', ''));
    await eventually(() => box(page, 'Comment').inputValue()).toBe('not imported');
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

    const text = await yaml(page).inputValue();
    await yaml(page).fill(`# in haste\n${text}`);
    // It is left at once.
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Next: columns' }).click();
    await showYaml(page);
    await eventually(() => yaml(page).inputValue()).toContain('# in haste');
  });

  it('refuses what was made on an older state in another tab, and loses neither', async () => {
    const list = await sample();
    const one = (await openColumns(list)).page;
    const other = (await openColumns(list)).page;
    await box(other, 'Comment').click();
    await option(other, 'not imported').click();
    await eventually(() => yaml(other).inputValue()).not.toContain('comment: {');
    await box(one, 'Budget').click();
    await option(one, 'not imported').click();
    await one.getByText('changed elsewhere since').waitFor();
    await eventually(() => box(one, 'Comment').inputValue()).toBe('not imported');
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
    const { page } = await open(bench.address);
    await page.locator('h1').waitFor();
    await page.goto(new URL(`/lists/${await sample()}/columns`, bench.address).href);
    await showYaml(page);
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
    await eventually(() => answers.length).toBe(1);
    await eventually(() => page.url()).toContain('/columns');
    expect(await yaml(page).inputValue()).toContain('# mine');
    await page.getByRole('link', { name: 'File', exact: true }).click();
    await eventually(() => answers.length).toBe(2);
    expect(page.url()).toContain('/columns');
    isLeaving = true;
    await page.evaluate('history.back()');
    await eventually(() => page.url()).not.toContain('/columns');
  });

  it('answers a question, keeps what else was set, and is led on by keys from the heading', async () => {
    const rows = [1, 2, 3, 4].map(
      (n) => `${n},a.example,Ann Ax,0170 100000${n},${n % 2 ? 'ja' : 'nein'}`,
    );
    const content = ['Kunden-Nr.,Domain,Name,Mobil,Einwilligung', ...rows].join('\n');
    const list = await bench.list(content);
    const { page } = await open(addressOf(bench.address, `/lists/${list}/file`));
    await page.locator('.bar .primary').click();
    const question = page.getByRole('group', { name: /Einwilligung/ });
    await question.waitFor();
    await eventually(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
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
  });

  it('keeps nobody out', async () => {
    const { page, complaints } = await openColumns(undefined, LOOKS[1]);
    await expectAccessible(page);
    await page.locator('.combobox input').nth(1).click();
    await page.locator('.popup li').first().waitFor();
    await expectAccessible(page);
    await page.locator('.popup li').first().click();
    await page.locator('.missing li').first().waitFor();
    await page.locator('.yaml textarea').fill('client: [');
    await page.locator('.wrong-places button').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Вернуть прежний текст' }).click();
    await page.locator('[data-column]').nth(6).click();
    await page.getByRole('region', { name: 'Что отправляется' }).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  // What is saved is what the next list with its columns begins with: the last of these tests.
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
    await eventually(() => box(page, 'Comment').inputValue()).toBe('comment');
  });
});
