import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samplesOf } from '../../../src/cli/ui/samples.js';
import { browserPath, startBrowser } from '../../helpers/browser.js';
import { cardline, root } from '../../helpers/cardline.js';
import { expectAccessible, LOOKS, openTab } from './harness.js';
import { servePage, type ServedPage } from './served.js';
import { goOn, goToImport, importAll, primary, shownOutcomes, takeSample } from './walk.js';

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

describe.skipIf(browserPath === undefined)('the five steps, in the sandbox', () => {
  let browser: Browser;
  let folder: string;
  let beside: string;
  let served: ServedPage;
  beforeAll(async () => {
    browser = await startBrowser();
    folder = await mkdtemp(join(tmpdir(), 'cardline-flow-'));
    beside = await mkdtemp(join(tmpdir(), 'cardline-beside-'));
    const first = await servePage(folder);
    await first.end();
    // The command line begins with the same contact center.
    await copyFile(join(folder, 'cardline.sandbox.db'), join(beside, 'cardline.sandbox.db'));
    served = await servePage(folder);
  });
  afterAll(async () => {
    await browser.close();
    await served.end();
    for (const each of [folder, beside]) await rm(each, { recursive: true });
  });

  it('end for every sample as on the command line', async () => {
    const { page, complaints } = await openTab(browser, served.address);
    for (const { name, path, mapping } of samplesOf()) {
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
    expect(complaints).toEqual([]);
    await page.context().close();
  }, 180_000);
});
