import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { wordsOf } from '../../../src/web/server/language.js';
import { OTHERS } from '../../../src/web/shared/page.js';
import { root } from '../../kit/cardline.js';
import { describeSeen, expectAccessible, LOOKS, openBuiltPage, useBrowser } from './harness.js';
import { useOpened } from '../../kit/bench.js';

const CSV = 'Name;City\nAnn;Ufa\nBob;Tver\n';
const csv = (content: string, name = 'leads.csv') => ({
  ...{ name, mimeType: 'text/csv', buffer: Buffer.from(content) },
});

const packed = (content: string | Buffer): number => gzipSync(content, { level: 9 }).length;

it('weighs at most 63 KB, packed, without its charts', () => {
  const folder = join(root, 'dist/web/page');
  const names = readdirSync(folder).filter((name) =>
    /^(?!.*chart).*\.(js|css|html|svg)$/.test(name),
  );
  const sizes = names.map((name) => packed(readFileSync(join(folder, name))));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(63 * 1024);
});

it.each(OTHERS)('loads at most 17 KB, packed, for another language: %s', (language) => {
  const { page, outcomes } = wordsOf(language);
  expect(packed(JSON.stringify({ page, outcomes }))).toBeLessThan(17 * 1024);
});

describeSeen('the step File, in a browser', () => {
  const open = useBrowser();
  const bench = useOpened(() => openBuiltPage(), true);

  const choose = async (page: Page, file: ReturnType<typeof csv>): Promise<void> =>
    page.getByLabel('Spreadsheet').setInputFiles(file);

  it('takes a file, shows its first rows as text, and keeps nothing in the browser', async () => {
    const hostile = '<img src=x onerror=globalThis.hacked=1>';
    const { page, complaints } = await open(bench.address);
    await choose(page, csv(`Name;City\n${hostile};Ufa\nBob;Tver\n`, `${hostile}.csv`));
    await page.getByRole('heading', { name: `${hostile}.csv` }).waitFor();
    await page.getByText('2 rows, 2 columns').waitFor();
    expect(await page.getByRole('row').allTextContents()).toEqual([
      ...['Header 1NameCity', `2${hostile}Ufa`, '3BobTver'],
    ]);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(page.url()).not.toContain('#');
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual(['cardline-session']);
    expect(await page.evaluate('sessionStorage.getItem("cardline-session")')).not.toBe(
      new URL(bench.address).hash.slice(1),
    );
    await page.goBack();
    await page.getByRole('link', { name: hostile }).waitFor();
    await page.goForward();
    await page.getByRole('heading', { name: hostile }).waitFor();
    await page.close();
    const again = await open(bench.address);
    await again.page.getByRole('link', { name: hostile }).click();
    await again.page.getByRole('columnheader', { name: 'City' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('takes a file that is dropped, where the private file has opened it', async () => {
    const { page } = await open(bench.address);
    await page.goto('about:blank');
    await page.goto(`file://${bench.openingFile}`);
    await page.locator('.drop').waitFor();
    expect(page.url()).toBe(`http://127.0.0.1:${bench.port}/`);
    const data = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['a,b\\n1,2\\n'], 'dropped.csv'));
      return data;
    })()`);
    await page.dispatchEvent('.drop', 'drop', { dataTransfer: data });
    await page.getByRole('heading', { name: 'dropped.csv' }).waitFor();
  });

  it('shows it anew when another header or delimiter is chosen', async () => {
    const { page } = await open(bench.address);
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

  it('changes nothing with --read-only, nor does the step Columns', async () => {
    const reading = await openBuiltPage({
      ...{ readOnly: true, demo: true, file: join(root, 'samples/leads.csv') },
    });
    const { page } = await open(reading.address);
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
    await page.getByText('Read it otherwise').click();
    expect(await page.getByLabel('Encoding').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'take as the header' }).count()).toBe(0);
    await page.locator('.bar .primary').click();
    await page.locator('.tools > button').click();
    const yaml = page.getByRole('textbox', { name: 'Mapping as YAML' });
    await yaml.waitFor();
    expect(await yaml.isEditable()).toBe(false);
    const comment = page.getByRole('combobox', { name: 'Comment goes to', exact: true });
    expect(await comment.isDisabled()).toBe(true);
    expect(await page.getByLabel('Client role').isDisabled()).toBe(true);
    expect(await page.getByLabel('Another field').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    for (const path of ['/', '/?center=']) {
      await page.goto(new URL(page.url()).origin + path);
      await page.getByRole('link', { name: 'leads.csv' }).waitFor();
      expect(await page.getByLabel('Spreadsheet').count()).toBe(0);
      expect(await page.getByLabel('Address').count()).toBe(0);
    }
    await page.close();
    await reading.close();
  });

  it('keeps nobody out', async () => {
    const { page, complaints } = await open(bench.address, LOOKS[1]);
    const input = page.locator('input[type=file]');
    await input.waitFor();
    await expectAccessible(page);
    await input.setInputFiles(csv('%PDF-1.7\n', 'leads.pdf'));
    await page.locator('.problem', { hasText: 'Сохраните' }).waitFor();
    await expectAccessible(page);
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
