import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { samplesOf } from '../../../src/cli/ui/run-page.js';
import { cardline, root } from '../../kit/cardline.js';
import { eventually, barriersOf, describeSeen, LOOKS, MORE_LOOKS, useBrowser } from './harness.js';
import { servePageHere, type ServedPage } from './served.js';
import { goOn, goToImport, importAll, shownOutcomes, takeSample, Typist } from './walk.js';

const INSTALLATION = join(root, 'mappings/installation.yaml');

interface ListedRun {
  readonly mode: string;
  readonly state: string;
  readonly rows: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** The latest run of a ledger. */
async function latestRun(folder: string): Promise<ListedRun> {
  const { stdout } = await cardline(['runs', 'show', '--json'], { cwd: folder });
  const { outcomes, ...run } = JSON.parse(stdout) as ListedRun;
  const some = Object.entries(outcomes).filter(([, count]) => count > 0);
  return { ...run, outcomes: Object.fromEntries(some) };
}

describeSeen('the five steps, in the sandbox', () => {
  const open = useBrowser();
  let folder: string;
  let beside: string;
  let served: Pick<ServedPage, 'address' | 'end'>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardline-flow-'));
    beside = await mkdtemp(join(tmpdir(), 'cardline-beside-'));
    await (await servePageHere(folder)).end();
    // The command line begins with the same contact center.
    await copyFile(join(folder, 'cardline.sandbox.db'), join(beside, 'cardline.sandbox.db'));
    served = await servePageHere(folder);
  });
  afterAll(async () => {
    await served.end();
    for (const each of [folder, beside]) await rm(each, { recursive: true });
  });

  it('end for samples of several kinds as on the command line', async () => {
    await endAsOnTheCommandLine(samplesOf().filter((_, at) => at % 4 === 0));
  }, 180_000);

  const others = { tags: 'depth', timeout: 180_000 } as const;
  it('end for the other samples as on the command line', others, async () => {
    await endAsOnTheCommandLine(samplesOf().filter((_, at) => at % 4 !== 0));
  });

  async function endAsOnTheCommandLine(samples: ReturnType<typeof samplesOf>): Promise<void> {
    const { page, complaints } = await open(served.address);
    for (const { name, path, mapping } of samples) {
      await page.getByRole('link', { name: 'cardline', exact: true }).click();
      await takeSample(page, name);
      await goToImport(page);
      await importAll(page);
      const args = ['import', path, '-m', mapping, '-i', INSTALLATION, '--sandbox', '--yes'];
      await cardline(args, { cwd: beside });
      const [here, there] = [await latestRun(folder), await latestRun(beside)];
      const { mode, state, rows, outcomes } = there;
      expect(here, name).toMatchObject({ mode, state, rows, outcomes });
      expect(await shownOutcomes(page), name).toEqual(outcomes);
    }
    // What has come to its end is nothing to go on with.
    await page.getByRole('link', { name: 'cardline', exact: true }).click();
    await page.getByText('No list is under way.').waitFor();
    expect(complaints).toEqual([]);
  }

  it('can be gone through with the keyboard alone', async () => {
    const { page } = await open(served.address);
    const typist = new Typist(page);
    await page.getByRole('button', { name: /^mistakes\.csv/ }).waitFor();
    await typist.tabTo('button', /^mistakes\.csv/);
    await typist.press('Enter');
    await page.waitForURL('**/file');
    await page.locator('table').waitFor();
    await typist.tabTo('summary', /^Read it otherwise/);
    await typist.press('Enter');
    await typist.tabTo('combobox', /^Delimiter/);
    await typist.tabTo('button', /^Next: columns/);
    await typist.press('Enter');
    await page.getByRole('table', { name: 'Columns' }).waitFor();
    // A column is given away and taken back: searched for, chosen, and seen.
    await typist.tabTo('combobox', /^E-mail goes to/);
    await typist.press('ArrowDown');
    await typist.press('Control+A');
    await typist.type('not imp');
    await typist.press('ArrowDown');
    await typist.press('Enter');
    await page.getByRole('button', { name: /^Next: check/ }).waitFor();
    await typist.tabTo('button', /^Next: check/);
    await typist.press('Enter');
    await page.waitForURL('**/check*');
    await page.locator('footer.bar button.primary[aria-disabled=false]').waitFor();
    await typist.tabTo('button', /^Segment/);
    await typist.press('Enter');
    await page.waitForURL(/problem=not_allowed/);
    await typist.tabTo('combobox', /^Replace “tepid”/);
    await typist.type('warm');
    await typist.tabTo('button', /^Replace in/);
    await typist.press('Enter');
    // What the check before found stays on the page until the new one has ended: its count is no sign.
    await page.waitForURL(/problem=required/);
    await page.getByRole('button', { name: /^Next: import 1\d rows/ }).waitFor();
    await typist.tabTo('button', /^Next: import/);
    await typist.press('Enter');
    await page.waitForURL('**/import');
    await typist.tabTo('combobox', /^Campaign/);
    await typist.tabTo('button', /^Create \d+ clients/);
    await typist.press('Enter');
    await page.getByRole('button', { name: 'See the result' }).waitFor();
    await typist.tabTo('button', /^See the result/);
    await typist.press('Enter');
    await page.waitForURL('**/result');
    await page.getByRole('rowheader', { name: 'All rows', exact: true }).waitFor();
    await typist.tabTo('link', /^rejected/);
    await typist.press('Enter');
    await page.waitForURL(/outcome=rejected/);
    await typist.tabTo('link', /^History/);
    await typist.press('Enter');
    await page.getByRole('table', { name: /^Runs/ }).waitFor();
    expect(typist.keys).toBeGreaterThanOrEqual(42);
  }, 120_000);

  it('stay as they are when they are loaded again, and go back and forward', async () => {
    const { page } = await open(served.address);
    await takeSample(page, 'leads-1251.csv');
    const addresses: string[] = [];
    const again = async (): Promise<void> => {
      const shown = () => page.locator('main').innerText();
      const before = await settled(shown);
      addresses.push(page.url());
      await page.reload();
      await eventually(shown).toBe(before);
      expect(page.url()).toBe(addresses.at(-1));
    };
    // Rows are counted to the end of the file meanwhile.
    await page.getByText(/ rows, \d+ columns/).waitFor();
    await again();
    // A check that has ended opens the first of what it found, in the address as well.
    for (const address of [/\/columns/, /\/check\?problem=/, /\/import/]) {
      await goOn(page);
      await page.waitForURL(address);
      await page.locator('footer.bar button.primary[aria-disabled=false]').waitFor();
      await again();
    }
    await importAll(page);
    await page.getByRole('rowheader', { name: 'All rows', exact: true }).waitFor();
    await again();
    for (const path of addresses.slice(0, -1).reverse()) {
      await page.goBack();
      await page.waitForURL(path);
    }
    for (const path of addresses.slice(1)) {
      await page.goForward();
      await page.waitForURL(path);
    }
    await page.getByRole('rowheader', { name: 'All rows', exact: true }).waitFor();
  }, 120_000);

  // The tests of each step look at its views in the first two of these looks.
  it('keep nobody out', { tags: 'depth', timeout: 240_000 }, async () => {
    const { page, complaints } = await open(served.address);
    await takeSample(page, 'mistakes.csv');
    const planned = page.url().replace('/file', '');
    await goToImport(page);
    await page.locator('footer.bar button.primary[aria-disabled=false]').waitFor();
    await page.goto(served.address);
    await takeSample(page, 'leads-1251.csv');
    const imported = page.url().replace('/file', '');
    await goToImport(page);
    await importAll(page);
    const run = /\d{8}-\d{6}-\w{4}/.exec(
      await page.locator('.facts, main').first().innerText(),
    )?.[0];
    const views = [
      ...['file', 'columns', 'check', 'import'].map((step) => `${planned}/${step}`),
      ...['import', 'result', 'result?outcome=rejected'].map((step) => `${imported}/${step}`),
      new URL('/history', planned).href,
      new URL(`/runs/${run ?? ''}`, planned).href,
    ];
    const barriers: string[] = [];
    for (const { width, ...scheme } of [...LOOKS, ...MORE_LOOKS]) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: scheme.colorScheme });
      const language = scheme.locale.slice(0, 2);
      for (const view of views) {
        await page.goto(`${view}${view.includes('?') ? '&' : '?'}lang=${language}`);
        await page.locator('h1').waitFor();
        await settled(() => page.locator('main').innerText());
        const where = `${new URL(view).pathname} ${language} ${scheme.colorScheme} ${width}`;
        barriers.push(...(await barriersOf(page)).map((barrier) => `${where}: ${barrier}`));
      }
    }
    expect(barriers).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/** What is shown once it does not change any more: rows are counted, and what mends them is tried out, meanwhile. */
async function settled(shown: () => Promise<string>): Promise<string> {
  for (let before = ''; ;) {
    const now = await shown();
    if (now === before && now !== '' && !now.includes('Trying what mends')) return now;
    before = now;
    await sleep(500);
  }
}
