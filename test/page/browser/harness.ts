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
  // Each look asks page or server, which have something else to do.
  expect.poll(look, { timeout: PATIENCE, interval: 150 });

/**
 * A browser for all tests of a file. Starting a tab costs as much as a short test: with `keepsTabs`, the first one of each look is
 * emptied behind its test, and used by the next. Not for tests that change the look of a tab.
 *
 * @returns what opens a tab
 */
export function useBrowser({ keepsTabs = false } = {}): (
  address: string,
  look?: Look,
) => Promise<OpenedTab> {
  let browser: Browser;
  const kept = new Map<string, Page>();
  const inUse = new Set<Page>();
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterEach(async () => {
    for (const page of inUse) {
      const isKept = [...kept.values()].includes(page) && (await empty(page));
      if (!isKept) await page.context().close();
    }
    inUse.clear();
  });
  afterAll(() => browser.close());
  return async (address, look = {}) => {
    const key = JSON.stringify(look);
    let page = kept.get(key);
    if (page === undefined || page.isClosed() || inUse.has(page)) {
      page = await newTab(browser, look);
      if (keepsTabs && !inUse.has(kept.get(key) ?? page)) kept.set(key, page);
    }
    inUse.add(page);
    return visit(page, address);
  };
}

/** Where the page begins at once with a path. */
export const addressOf = (address: string, path: string): string =>
  new URL(path, address).href + new URL(address).hash;

/** Leaves nothing of a test in its tab. @returns whether it can be used again */
async function empty(page: Page): Promise<boolean> {
  if (page.isClosed() || !page.url().startsWith('http')) return false;
  page.removeAllListeners();
  await page.unrouteAll();
  try {
    await page.evaluate('sessionStorage.clear(); localStorage.clear()');
    // No script runs there, and it needs no further process, as an empty page does.
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(new URL('/icon.svg', page.url()).href);
    page.removeAllListeners();
    await page.context().clearCookies();
    return true;
  } catch {
    return false;
  }
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

async function newTab(
  browser: Browser,
  { locale = 'en-US', colorScheme = 'light', width = 1300 }: Look,
): Promise<Page> {
  const context = await browser.newContext({
    locale,
    colorScheme: colorScheme ?? 'light',
    viewport: { width, height: 800 },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  return page;
}

async function visit(page: Page, address: string): Promise<OpenedTab> {
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
  // The policy of the page forbids scripts of others: it is run from outside, and stays for the next look.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(`{ ${axe}; }`);
  const violations = await page.evaluate<string[]>(`(async () => {
    const { violations } = await axe.run(document, { resultTypes: ['violations'], selectors: false });
    return violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '));
  })()`);
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return overflow === 0 ? violations : [...violations, `${overflow} px are cut off`];
}
