import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { csv, leads, openBench, twice, type Bench } from '../../runs/harness.js';
import { browserPath, startBrowser } from '../../kit/browser.js';
import { expectAccessible, LOOKS, openTab } from './harness.js';
import { servePage, servePageHere, type ServedPage } from './served.js';

describe.skipIf(browserPath === undefined)('the step Import, in a browser', () => {
  let browser: Browser;
  let bench: Bench;
  let served: Pick<ServedPage, 'address' | 'end'>;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    bench = await openBench('{ clientsPerRequest: 10, concurrency: 1 }');
    await bench.write('leads.csv', csv(leads(60)));
    served = await servePageHere(...where());
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await served.end();
    await bench.close();
  });

  const where = () =>
    [
      bench.at('.'),
      [bench.at('leads.csv'), '-i', bench.at('center.yaml'), '-m', bench.at('mapping.yaml')],
      bench.environment,
    ] as const;

  /** Opens the list that the page begins with, in the step Import. */
  async function openImport(page: Page): Promise<void> {
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
    await page.goto(page.url().replace('/file', '/import'));
  }
  const button = (page: Page) => page.getByRole('button', { name: /^Create 60 clients/ });

  function hold(): () => void {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    bench.center.behave = ({ operation, number }) =>
      operation === '4.1' && number > 2 ? { hold: held } : undefined;
    return release;
  }

  it('says what it will do, does it, and leads to the result', async () => {
    const { page, complaints } = await openTab(browser, served.address);
    await openImport(page);
    await page.getByRole('combobox', { name: 'Campaign' }).selectOption('Autumn leads');
    const name = `Create 60 clients in “Autumn leads” at ${new URL(bench.center.url).host}`;
    await page.getByRole('button', { name }).click();
    await page.getByRole('heading', { name: /^Done: / }).waitFor();
    expect(await page.getByRole('row', { name: /enqueued/ }).textContent()).toContain('60');
    await page.reload();
    await page.getByRole('heading', { name: /^Done: / }).waitFor();
    await page.getByRole('button', { name: 'See the result' }).click();
    await page.waitForURL(/\/result$/);
    expect(complaints).toEqual([]);
  });

  it('shows the same run in two tabs, and stops it from either', async () => {
    const release = hold();
    const { page } = await openTab(browser, served.address);
    await openImport(page);
    await button(page).click();
    await page.getByRole('heading', { name: 'Running' }).waitFor();
    const { page: other } = await openTab(browser, served.address);
    // It has a token of its own only when something is shown.
    await other.getByRole('heading', { level: 1 }).waitFor();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('heading', { name: /^Paus/ }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    release();
    await other.getByRole('heading', { name: 'Stopped' }).waitFor();
    await other.getByRole('button', { name: 'Continue the import' }).click();
    await other.getByRole('heading', { name: /^Done: / }).waitFor();
    expect(twice(bench.center.creations)).toEqual([]);
  });

  it('goes on after its server was killed, and sends nothing twice', async () => {
    const release = hold();
    await served.end();
    const killed = await servePage(...where());
    const { page } = await openTab(browser, killed.address);
    await openImport(page);
    await button(page).click();
    await page.getByRole('row', { name: /created/ }).waitFor();
    const place = new URL(page.url()).pathname;
    killed.signal('SIGKILL');
    await killed.ended;
    release();
    await bench.center.quiet();
    served = await servePageHere(...where());
    await page.goto(served.address);
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
    await page.goto(new URL(place, served.address).href);
    await page.getByRole('heading', { name: 'Broken off' }).waitFor();
    await page.getByRole('button', { name: 'Continue the import' }).click();
    await page.getByRole('heading', { name: /^Done: / }).waitFor();
    expect(bench.center.creations.size).toBe(60);
    expect(twice(bench.center.creations)).toEqual([]);
  });

  it.each(LOOKS.slice(-1))('keeps nobody out: $locale, $colorScheme, $width px', async (look) => {
    const release = hold();
    const { page, complaints } = await openTab(browser, served.address, look);
    await page.locator('h1').filter({ hasText: 'leads.csv' }).waitFor();
    await page.goto(page.url().replace('/file', '/import'));
    await page.locator('.primary').filter({ hasText: '60' }).waitFor();
    await expectAccessible(page);
    await page.locator('.primary').click();
    await page.locator('.tally').waitFor();
    await expectAccessible(page);
    release();
    await page.locator('.primary').waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(browserPath === undefined)('without an installation, in a browser', () => {
  it.each(LOOKS.slice(-1))('offers to make one: $locale, $colorScheme, $width px', async (look) => {
    const folder = await mkdtemp(join(tmpdir(), 'cardline-page-'));
    const browser = await startBrowser();
    const served = await servePageHere(folder, []);
    const { page } = await openTab(browser, served.address, look);
    await page.locator('.offer a').click();
    await page.locator('.primary').click();
    await page.locator('[aria-invalid="true"]').first().waitFor();
    await expectAccessible(page);
    await page.goBack();
    await page.locator('.offer button').click();
    await page.locator('.tile').first().waitFor();
    await expectAccessible(page);
    await browser.close();
    await served.end();
    await rm(folder, { recursive: true, force: true });
  });
});
