import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { SiteSettings } from '../../../src/web/server/settings.js';
import { root } from '../../kit/cardline.js';
import { openPageBench, type PageBench } from '../harness.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The built page, served in this process. */
export const openBuiltPage = (
  settings: Partial<SiteSettings> & { readonly file?: string } = {},
): Promise<PageBench> => openPageBench({ page: join(root, 'dist/web/page'), ...settings });

/**
 * Two languages, two schemes, two widths: what every view is looked at in. The flow is looked at in each mixture of them, and in
 * German, which has the longest words, where there is least room.
 */
export const [LOOKS, MORE_LOOKS] = [
  [
    { locale: 'en-US', colorScheme: 'light', width: 1300 },
    { locale: 'ru-RU', colorScheme: 'dark', width: 400 },
  ],
  [
    { locale: 'en-US', colorScheme: 'dark', width: 400 },
    { locale: 'ru-RU', colorScheme: 'light', width: 1300 },
    { locale: 'de-DE', colorScheme: 'light', width: 400 },
  ],
] as const;

export interface OpenedTab {
  readonly page: Page;
  /** What the page has asked other hosts for, and what the browser complains of. */
  readonly complaints: string[];
}

/** Opens a tab of its own. */
export async function openTab(
  browser: Browser,
  address: string,
  {
    locale = 'en-US',
    colorScheme = 'light',
    width = 1300,
  }: Partial<Pick<BrowserContextOptions, 'locale' | 'colorScheme'> & { width: number }> = {},
): Promise<OpenedTab> {
  const context = await browser.newContext({
    locale,
    colorScheme: colorScheme ?? 'light',
    viewport: { width, height: 800 },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  const { host } = new URL(address);
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (/Content.Security.Policy|is not defined/.test(message.text()))
      complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).host !== host) complaints.push(request.url());
  });
  await page.goto(address);
  return { page, complaints };
}

/** Nothing is cut off to the side, and nobody is kept out. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await barriersOf(page)).toEqual([]);
}

/** What keeps somebody out of a view, and whether it is cut off to the side. */
export async function barriersOf(page: Page): Promise<string[]> {
  // The policy of the page forbids scripts of others: it is run from outside.
  const violations = await page.evaluate<string[]>(`(async () => {
    ${axe};
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '));
  })()`);
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return overflow === 0 ? violations : [...violations, `${overflow} px are cut off`];
}
