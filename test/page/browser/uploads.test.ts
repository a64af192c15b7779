import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canMount, mountDisk, resizeDisk, unmountDisk } from '../../kit/small-disk.js';
import type { PageBench } from '../harness.js';
import { eventually, describeSeen, openBuiltPage, useBrowser } from './harness.js';
import { testFolder } from '../../kit/folder.js';

const MiB = 2 ** 20;
const CSV = 'Name;City\nAnn;Ufa\n';
const GOOD = { name: 'leads.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) };
const LARGE = { ...GOOD, buffer: Buffer.alloc(2 * MiB, CSV) };

/** Bytes a second, so that an upload takes a few seconds. */
const SLOW = { latency: 0, downloadThroughput: -1, uploadThroughput: MiB / 2 };

describeSeen('a file that is chosen on the page', () => {
  const open = useBrowser({ keepsTabs: true });
  const folder = testFolder();
  let bench: PageBench;
  beforeAll(async () => {
    if (canMount) await mountDisk(folder, 300 * MiB);
    bench = await openBuiltPage({ ledger: join(folder, 'cardline.db') });
  });
  afterAll(async () => {
    await bench.close();
    if (canMount) await unmountDisk(folder);
  });

  const choose = (page: Page, file: typeof GOOD): Promise<void> =>
    page.getByLabel('Spreadsheet').setInputFiles(file);
  /** A file is taken after all, and leaves nothing for the next test. */
  const isTaken = async (page: Page): Promise<void> => {
    await choose(page, GOOD);
    await page.getByRole('heading', { name: 'leads.csv' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    const [, id = ''] = new URL(page.url()).pathname.split('/lists/');
    await page.close();
    await bench.api(`DELETE /api/lists/${id.replace('/file', '')}`);
  };
  const problem = async (page: Page, words: string): Promise<string | null> => {
    const alert = page.getByRole('alert').filter({ hasText: words });
    await alert.waitFor();
    return alert.textContent();
  };
  /** Begins an upload that takes a while. @returns once a part of it lies on the disk */
  const beginUpload = async (page: Page): Promise<void> => {
    const network = await page.context().newCDPSession(page);
    await network.send('Network.emulateNetworkConditions', { offline: false, ...SLOW });
    await choose(page, LARGE);
    await page.getByRole('progressbar').waitFor();
    await eventually(() => uploads()).toHaveLength(1);
  };
  const uploads = async (): Promise<string[]> => {
    const names = await readdir(join(folder, 'cardline.lists'), { recursive: true });
    return names.filter((name) => name.endsWith('.csv'));
  };

  it('is refused in a sentence with the next step, and the next one is taken', async () => {
    const { page, complaints } = await open(bench.address);
    await choose(page, { ...GOOD, name: 'leads.pdf', buffer: Buffer.from('%PDF-1.7\n') });
    expect(await problem(page, 'PDF')).toContain('Save it as');
    // The one before stays until the next file is refused.
    await choose(page, { ...GOOD, buffer: Buffer.from('') });
    expect(await problem(page, 'empty')).toContain('saved whole');
    await isTaken(page);
    expect(complaints).toEqual([]);
  });

  it('can be chosen again where the upload broke off', async () => {
    const { page } = await open(bench.address);
    const sockets = new Set<Socket>();
    const note = (message: unknown): void => {
      const { request } = message as { request: IncomingMessage };
      if (request.method === 'PUT') sockets.add(request.socket);
    };
    subscribe('http.server.request.start', note);
    await beginUpload(page);
    unsubscribe('http.server.request.start', note);
    for (const socket of sockets) socket.destroy();
    await problem(page, 'broke off');
    await eventually(() => uploads()).toEqual([]);
    await isTaken(page);
  });

  it('is left alone where the person cancels, and another one is taken', async () => {
    const { page } = await open(bench.address);
    await beginUpload(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await eventually(() => uploads()).toEqual([]);
    await isTaken(page);
  });

  // Only who may mount file systems can have a full one.
  it.skipIf(!canMount)(
    'is refused where the disk has no room, or gets full meanwhile',
    async () => {
      const { page } = await open(bench.address);
      await beginUpload(page);
      await resizeDisk(folder, MiB);
      expect(await problem(page, 'disk is full')).toContain('Make room');
      expect(await uploads()).toEqual([]);
      await choose(page, LARGE);
      expect(await problem(page, 'no room')).toContain('cardline ui FILE');
      expect(await uploads()).toEqual([]);
      await resizeDisk(folder, 300 * MiB);
      await isTaken(page);
    },
  );
});
