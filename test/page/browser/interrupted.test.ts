import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browserPath, startBrowser } from '../../kit/browser.js';
import { openSandboxBench, type SandboxBench } from '../../proof/sandbox-bench.js';
import { openTab } from './harness.js';
import { servePage, type ServedPage } from './served.js';
import { goOn, goToImport, shownOutcomes } from './walk.js';

const ROWS = 900;
/** Clients a second: the import takes some seconds. */
const PACE = '80';

describe.skipIf(browserPath === undefined)('an import on the page that is interrupted', () => {
  let browser: Browser;
  let around: SandboxBench;
  let served: ServedPage;
  const serve = (...more: string[]): Promise<ServedPage> => {
    const { bench } = around;
    const files = ['-i', bench.at('center.yaml'), '-m', bench.at('mapping.yaml')];
    return servePage(bench.at('.'), [...more, ...files], bench.environment);
  };
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    around = await openSandboxBench(ROWS);
    served = await serve(around.bench.at('leads.csv'));
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await served.end();
    await around.close();
  });

  /** Starts the import, and waits until some of it is done. @returns the address of the step */
  const begin = async (page: Page): Promise<string> => {
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
    await goToImport(page);
    await page.getByRole('combobox', { name: 'Campaign' }).selectOption('1');
    await page
      .locator('footer.bar code')
      .filter({ hasText: '--campaign' })
      .waitFor({ state: 'attached' });
    await page.getByText('Pace and other settings').click();
    await page.getByLabel('Clients a second, at most').fill(PACE);
    await page.getByLabel('Clients a second, at most').press('Tab');
    await page.locator('footer.bar code').filter({ hasText: PACE }).waitFor({ state: 'attached' });
    await goOn(page);
    await someDone(page);
    return page.url();
  };
  /** Another tab, once it has a token of its own. */
  const openAgain = async (): Promise<Page> => {
    const { page } = await openTab(browser, served.address);
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
    return page;
  };
  const someDone = (page: Page) => page.getByRole('row', { name: /^enqueued [1-9]/ }).waitFor();
  const finish = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'See the result' }).click({ timeout: 90_000 });
    await page.waitForURL('**/result');
    expect(await shownOutcomes(page)).toEqual({ enqueued: ROWS });
  };
  /** By the contact center's own books. */
  const expectOnce = (): void => {
    const books = around.sandbox.books(['offerId', 'offerDomain']);
    expect(books.size).toBe(ROWS);
    expect([...books.values()].filter(({ campaigns }) => campaigns.join() !== '1')).toEqual([]);
  };

  it('by closing the tab, goes on, and is found in another one', async () => {
    const { page } = await openTab(browser, served.address);
    await begin(page);
    await page.close();
    const again = await openAgain();
    await again.goto(new URL('/', served.address).href);
    await again.getByRole('link', { name: 'leads.csv' }).first().click();
    await someDone(again);
    await finish(again);
    expectOnce();
  });

  it(
    'by the end of the server, is continued, and sends nothing twice',
    { tags: 'depth' },
    async () => {
      const { page } = await openTab(browser, served.address);
      await begin(page);
      served.signal('SIGKILL');
      await page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor();
      await served.ended;
      const sent = around.sandbox.books(['offerId', 'offerDomain']).size;
      expect(sent).toBeGreaterThan(0);
      expect(sent).toBeLessThan(ROWS);
      served = await serve();
      await page.goto(served.address);
      await page.getByRole('link', { name: 'leads.csv' }).first().click();
      await page.getByRole('heading', { name: 'Broken off' }).waitFor();
      await goOn(page);
      await finish(page);
      expectOnce();
    },
  );

  it('from another tab, is the same run in both', { tags: 'depth' }, async () => {
    const { page } = await openTab(browser, served.address);
    const address = await begin(page);
    await page.getByRole('button', { name: 'Pause' }).click();
    const other = await openAgain();
    await other.goto(address);
    for (const each of [page, other]) await each.getByRole('heading', { name: 'Paused' }).waitFor();
    await other.getByRole('button', { name: 'Continue' }).click();
    await finish(other);
    await finish(page);
    expectOnce();
  });
});
