import { readdir, readFile } from 'node:fs/promises';
import { platform } from 'node:process';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeSeen, useBrowser } from './harness.js';
import { servePage, type ServedPage } from './served.js';
import { testFolder } from '../../kit/folder.js';

describeSeen('the server behind the page', () => {
  const open = useBrowser();
  const folder = testFolder();
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage(folder);
  });
  afterAll(async () => {
    await served.end();
  });

  const takeSample = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: /^leads\.csv/ }).click();
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
  };
  const gone = (page: Page) => page.getByRole('alert').filter({ hasText: 'does not answer' });

  it('hangs: the page says so, waits, and goes on by itself', async () => {
    const { page } = await open(served.address);
    await takeSample(page);
    served.signal('SIGSTOP');
    await gone(page).waitFor();
    expect(await gone(page).textContent()).toContain('goes on by itself');
    // What is asked for meanwhile is answered later.
    await page.goBack();
    await page.goForward();
    expect(await page.getByRole('heading', { name: 'leads.csv' }).count()).toBe(0);
    served.signal('SIGCONT');
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
    await gone(page).waitFor({ state: 'hidden' });
  });

  it('is killed and started again: nothing is lost, and its tokens are nowhere', async () => {
    const { page } = await open('about:blank');
    const requests: Promise<string>[] = [];
    page.on('request', (request) => {
      const seen = async (): Promise<string> => {
        const { 'x-cardline-session': _own, ...headers } = await request.allHeaders();
        // One that is ended by a reload has an empty one.
        expect(headers['referer'] ?? '').toBe('');
        return request.url() + JSON.stringify(headers);
      };
      requests.push(seen());
    });
    await page.goto(served.address);
    await takeSample(page);
    await page.reload();
    await page.getByText('Read it otherwise').click();
    await page.getByRole('combobox', { name: 'Header' }).selectOption('none');
    await page.getByRole('columnheader', { name: 'A', exact: true }).waitFor();
    const { address: before, token, port } = served;
    const session = await page.evaluate<string>('sessionStorage.getItem("cardline-session")');
    const places = [
      ...(await Promise.all(requests)),
      page.url(),
      await page.evaluate<string>('document.referrer + document.cookie + location.href'),
      ...(await argumentsOfAll()),
      ...(await filesIn(folder)),
    ];
    page.removeAllListeners('request');
    served.signal('SIGKILL');
    await gone(page).waitFor();
    const { stdout, stderr } = await served.ended;
    expect(stdout).toBe(`The page is at ${before}\n`);
    expect(session).toMatch(/^[\w-]{43}$/);
    for (const secret of [token, session])
      expect([...places, stderr].filter((text) => text.includes(secret))).toEqual([]);

    served = await servePage(folder, ['--sandbox', '--port', port]);
    await page.getByRole('heading', { name: 'This page needs its address' }).waitFor();
    expect(await page.locator('main').textContent()).toContain('“cardline ui” has printed');
    // The one of before is in the terminal too.
    await page.goto(before);
    await page.getByRole('heading', { name: 'This page needs its address' }).waitFor();
    await page.goto(served.address);
    await page.getByRole('link', { name: 'leads.csv' }).first().click();
    await page.getByRole('columnheader', { name: 'A', exact: true }).waitFor();
  });
});

/** What every user of the machine can read of its processes. */
async function argumentsOfAll(): Promise<string[]> {
  if (platform !== 'linux') return [];
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''));
  return Promise.all(read);
}

/** Contents of all files, but for the one that opens the page, which is private. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('open-'));
  return Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')),
  );
}
