import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browserPath, startOwnBrowser } from '../../kit/browser.js';
import { compoundFile } from '../../kit/compound-file.js';
import { canMount, mountDisk, resizeDisk, unmountDisk } from '../../kit/small-disk.js';
import { zip } from '../../kit/zip.js';
import type { PageBench } from '../harness.js';
import { openBuiltPage, openTab } from './harness.js';

const MiB = 2 ** 20;
const CSV = 'Name;City\nAnn;Ufa\n';
const GOOD = { name: 'leads.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) };

/** Bytes a second, so that an upload takes a few seconds. */
const SLOW = { latency: 0, downloadThroughput: -1, uploadThroughput: 4 * MiB };

const parts = ['[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml'];
const bomb = zip(parts.map((name) => ({ name, data: Buffer.alloc(80 * MiB, ' ') })));
const torn = zip([{ name: 'xl/workbook.xml', data: randomBytes(500).toString('hex') }]);

/** What somebody drops on the page, what the page says, and what it says to do. */
const REFUSED = [
  ['a PDF', 'leads.pdf', '%PDF-1.7\n%âãÏÓ\n', /PDF/, /Save it as/],
  ['an empty file', 'leads.csv', '', /empty/, /saved whole/],
  [
    'an encrypted workbook',
    'leads.xlsx',
    compoundFile('EncryptedPackage'),
    /encrypted/,
    /password/,
  ],
  ['half a workbook', 'leads.xlsx', torn.subarray(0, -300), /cut off|missing/, /again/],
  ['a bomb', 'leads.xlsx', bomb, /unpack|larger|more than/, /\./],
  ['half a gzip file', 'leads.csv.gz', Buffer.from('1f8b0800', 'hex'), /cut off/, /again/],
] as const;

describe.skipIf(browserPath === undefined)('a file that is dropped on the page', () => {
  let browser: Browser;
  let folder: string;
  let bench: PageBench;
  beforeAll(async () => {
    browser = await startOwnBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardline-disk-'));
    if (canMount) await mountDisk(folder, 300 * MiB);
    bench = await openBuiltPage({ ledger: join(folder, 'cardline.db') });
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await bench.close();
    if (canMount) await unmountDisk(folder);
    await rm(folder, { recursive: true });
  });

  const isTaken = async (page: Page): Promise<void> => {
    await page.getByLabel('Spreadsheet').setInputFiles(GOOD);
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
  };
  /** Begins an upload that takes a while. @returns once a part of it lies on the disk */
  const beginUpload = async (page: Page): Promise<void> => {
    const network = await page.context().newCDPSession(page);
    await network.send('Network.emulateNetworkConditions', { offline: false, ...SLOW });
    const buffer = Buffer.alloc(8 * MiB, CSV);
    await page.getByLabel('Spreadsheet').setInputFiles({ ...GOOD, buffer });
    await page.getByRole('progressbar').waitFor();
    await expect.poll(() => uploads()).toHaveLength(1);
  };
  const uploads = async (): Promise<string[]> => {
    const names = await readdir(join(folder, 'cardline.lists'), { recursive: true });
    return names.filter((name) => name.endsWith('.csv'));
  };

  it('is refused in a sentence with the next step, and the next one is taken', async () => {
    const { page, complaints } = await openTab(browser, bench.address);
    for (const [what, name, content, sentence, next] of REFUSED) {
      await page.getByLabel('Spreadsheet').setInputFiles({
        name,
        mimeType: 'application/octet-stream',
        buffer: Buffer.from(content),
      });
      const problem = page.getByRole('alert').filter({ hasText: /\w/ });
      // The one before stays until the next file is refused.
      await expect.poll(() => problem.textContent(), { message: what }).toMatch(sentence);
      const said = (await problem.textContent()) ?? '';
      expect(said, what).toMatch(next);
      expect(said, what).not.toMatch(/internal error|cardline\.lists/);
    }
    await isTaken(page);
    expect(complaints).toEqual([]);
  });

  it('is refused before it is copied where the disk has no room for it', async () => {
    const { page } = await openTab(browser, bench.address);
    const enormous = join(folder, 'enormous.csv');
    await writeFile(enormous, CSV);
    // It has holes, and takes no room itself.
    await truncate(enormous, 2 ** 40);
    await page.getByLabel('Spreadsheet').setInputFiles(enormous);
    const problem = page.getByRole('alert').filter({ hasText: 'no room' });
    await problem.waitFor();
    expect(await problem.textContent()).toContain('cardline ui FILE');
    expect(await uploads()).toEqual([]);
    await isTaken(page);
  });

  it('can be chosen again where the upload broke off', async () => {
    const { page } = await openTab(browser, bench.address);
    const sockets = new Set<Socket>();
    const note = (message: unknown): void => {
      const { request } = message as { request: IncomingMessage };
      if (request.method === 'PUT') sockets.add(request.socket);
    };
    subscribe('http.server.request.start', note);
    await beginUpload(page);
    unsubscribe('http.server.request.start', note);
    for (const socket of sockets) socket.destroy();
    await page.getByRole('alert').filter({ hasText: 'broke off' }).waitFor();
    await expect.poll(() => uploads()).toEqual([]);
    await isTaken(page);
  });

  it('is left alone where the person cancels, and another one is taken', async () => {
    const { page } = await openTab(browser, bench.address);
    await beginUpload(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => uploads()).toEqual([]);
    await isTaken(page);
  });

  // Only who may mount file systems can have a full one.
  it.skipIf(!canMount)('is chosen again where the disk got full meanwhile', async () => {
    const { page } = await openTab(browser, bench.address);
    await beginUpload(page);
    await resizeDisk(folder, 4 * MiB);
    const problem = page.getByRole('alert').filter({ hasText: 'disk is full' });
    await problem.waitFor();
    expect(await problem.textContent()).toContain('Make room');
    expect(await uploads()).toEqual([]);
    await resizeDisk(folder, 300 * MiB);
    await isTaken(page);
  });
});
