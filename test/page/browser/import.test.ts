import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { csv, leads, openBench, twice, type Bench } from '../../kit/bench.js';
import { describeSeen, eventually, expectAccessible, LOOKS, useBrowser } from './harness.js';
import { servePage, servePageHere, type ServedPage } from './served.js';

describeSeen('the step Import, in a browser', () => {
  const open = useBrowser();
  let bench: Bench;
  let served: Pick<ServedPage, 'address' | 'end'>;
  beforeEach(async () => {
    bench = await openBench('{ clientsPerRequest: 10, concurrency: 1 }');
    await bench.write('leads.csv', csv(leads(60)));
    served = await servePageHere(...where());
  });
  afterEach(async () => {
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
  const expectOnce = (): void => {
    expect(bench.center.creations.size).toBe(60);
    expect(twice(bench.center.creations)).toEqual([]);
  };

  it('says what it will do, does it, and leads to the result', async () => {
    const { page, complaints } = await open(served.address);
    await openImport(page);
    const command = (part: string) =>
      page.locator('footer.bar code').filter({ hasText: part }).waitFor({ state: 'attached' });
    await page.getByText('Pace and other settings').click();
    const pace = page.getByLabel('Clients a second, at most');
    // What is typed stays while the answer to something else arrives.
    await page.route('**/import', async (route) => {
      const response = await route.fetch();
      await eventually(() => pace.inputValue()).toBe('80');
      await route.fulfill({ response });
    });
    await page.getByRole('combobox', { name: 'Campaign' }).selectOption('Autumn leads');
    await pace.fill('80');
    await command('--campaign');
    expect(await pace.inputValue()).toBe('80');
    await page.unrouteAll();
    await pace.press('Tab');
    await command('80');
    const happens = (sentence: string) =>
      eventually(() => page.locator('.will-happen').textContent()).toBe(sentence);
    await happens('Of 60 rows: 60 clients are created and added to “Autumn leads”.');
    const name = `Create 60 clients in “Autumn leads” at ${new URL(bench.center.url).host}`;
    await page.getByRole('button', { name }).click();
    await page.getByRole('heading', { name: /^Done: / }).waitFor();
    expect(await page.getByRole('row', { name: /enqueued/ }).textContent()).toContain('60');
    await page.reload();
    await page.getByRole('heading', { name: /^Done: / }).waitFor();
    await page.getByRole('button', { name: 'See the result' }).click();
    await page.waitForURL(/\/result$/);
    await bench.write('leads.csv', `${csv(leads(70))}\n70,nobody`);
    await page.goto(page.url().replace('/result', '/import?new'));
    await happens(
      'Of 71 rows: 10 clients are created and added to “Autumn leads”, 60 rows were imported before and are left out, and 1 row is left out by the mapping.',
    );
    expect(complaints).toEqual([]);
  });

  it('shows the same run in two tabs, stops it from either, and outlasts one; keeps nobody out', async () => {
    const release = hold();
    const { page } = await open(served.address);
    await openImport(page);
    const { page: other, complaints } = await open(served.address, LOOKS[1]);
    await other.locator('h1').filter({ hasText: 'leads.csv' }).waitFor();
    await other.goto(other.url().replace('/file', '/import'));
    await other.locator('.primary').filter({ hasText: '60' }).waitFor();
    await expectAccessible(other);
    await button(page).click();
    await page.getByRole('heading', { name: 'Running' }).waitFor();
    await other.goto(page.url());
    await other.locator('.tally').waitFor();
    await expectAccessible(other);
    await other.getByRole('button', { name: 'Приостановить' }).click();
    await page.getByRole('heading', { name: /^Paus/ }).waitFor();
    // What the stop is answered comes late, when the stream has told of the end already.
    await page.route('**/control', async (route) => {
      const response = await route.fetch();
      await other.getByRole('heading', { name: 'Остановлен' }).waitFor();
      await page.getByRole('heading', { name: 'Stopped' }).waitFor();
      await route.fulfill({ response });
    });
    const answered = page.waitForResponse('**/control');
    await page.getByRole('button', { name: 'Stop' }).click();
    release();
    await (await answered).finished();
    await page.unrouteAll();
    await page.getByRole('heading', { name: 'Stopped' }).waitFor();

    // It goes on from the history, and where its tab is closed.
    await page.getByRole('link', { name: 'History' }).click();
    const again = hold();
    await page.getByRole('button', { name: /^Continue leads\.csv/ }).click();
    await page.waitForURL(/\/runs\//);
    await page.close();
    await other.reload();
    await other.getByRole('heading', { name: 'Выполняется' }).waitFor();
    again();
    await other.getByRole('heading', { name: /^Готово: / }).waitFor();
    await other.locator('.primary').waitFor();
    await expectAccessible(other);
    expect(complaints).toEqual([]);
    expectOnce();
  });

  it('goes on after its server was killed, and sends nothing twice', async () => {
    const release = hold();
    await served.end();
    const killed = await servePage(...where());
    const { page } = await open(killed.address);
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
    expectOnce();
  });
});

describeSeen('without an installation, in a browser', () => {
  const open = useBrowser();

  it('offers to make one, and keeps nobody out', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cardline-page-'));
    const served = await servePageHere(folder, []);
    const { page } = await open(served.address, LOOKS[1]);
    await page.locator('.offer a').click();
    await page.locator('.primary').click();
    await page.locator('[aria-invalid="true"]').first().waitFor();
    await expectAccessible(page);
    await page.goBack();
    await page.locator('.offer button').click();
    await page.locator('.tile').first().waitFor();
    await expectAccessible(page);
    await page.close();
    await served.end();
    await rm(folder, { recursive: true, force: true });
  });
});
