import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { browserPath, startBrowser } from '../../kit/browser.js';
import { root } from '../../kit/cardline.js';
import { openPageBench, type PageBench, startBuiltPage } from '../harness.js';

/** How long a test waits for what it looks for, in milliseconds. */
const PATIENCE = 30_000;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Skipped where there is no browser. */
export const describeSeen = describe.skipIf(browserPath === undefined);

/** The built page, served in this process, with the threads that only the built server has. */
export const openBuiltPage = async (
  settings: Parameters<typeof openPageBench>[0] = {},
): Promise<PageBench> =>
  openPageBench({ start: await startBuiltPage(), page: join(root, 'dist/web/page'), ...settings });

type Look = Partial<Pick<BrowserContextOptions, 'locale' | 'colorScheme'> & { width: number }>;

/** What comes soon, however busy the machine is. */
export const eventually = <T>(look: () => T | Promise<T>) =>
  expect.poll(look, { timeout: PATIENCE });

/** A browser for all tests of a file. @returns what opens a tab, which is closed behind its test */
export function useBrowser(
  start = startBrowser,
): (address: string, look?: Look) => Promise<OpenedTab> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await start();
  });
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(() => browser.close());
  return (address, look) => openTab(browser, address, look);
}

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
async function openTab(
  browser: Browser,
  address: string,
  { locale = 'en-US', colorScheme = 'light', width = 1300 }: Look = {},
): Promise<OpenedTab> {
  const context = await browser.newContext({
    locale,
    colorScheme: colorScheme ?? 'light',
    viewport: { width, height: 800 },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
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
