import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { List } from '../../../src/web/shared/list.js';
import { canMount, mountDisk, resizeDisk, unmountDisk } from '../../kit/small-disk.js';
import { openPageBench, type PageBench } from '../harness.js';

const CSV = 'Name;City\nAnn;Ufa\n';
const MiB = 2 ** 20;

let bench: PageBench;
const begun = async (bytes: number): Promise<string> =>
  ((await bench.api('POST /api/lists', { name: 'leads.csv', bytes })) as List).id;
const foldersIn = async (lists: string): Promise<string[]> =>
  (await readdir(lists)).filter((name) => !name.startsWith('open-'));

/** The file can be chosen again, and is read. */
async function expectUploadable(): Promise<void> {
  const id = await begun(CSV.length);
  expect((await bench.upload(id, CSV)).status).toBe(200);
  expect(await bench.api(`GET /api/lists/${id}/preview`)).toMatchObject({ count: 1 });
}

describe('an upload that breaks off', () => {
  let lists: string;
  beforeEach(async () => {
    bench = await openPageBench();
    lists = join(bench.folder, 'cardline.lists');
  });
  afterEach(() => bench.close());

  /** Sends the beginning of an upload, and waits until it lies on the disk. @returns what breaks it off */
  async function sendBeginning(framing: string, beginning: string): Promise<() => void> {
    const id = await begun(MiB);
    const socket = connect(bench.port, '127.0.0.1');
    socket.on('error', () => undefined);
    const head = [
      `PUT /api/lists/${id}/file HTTP/1.1`,
      `Host: 127.0.0.1:${bench.port}`,
      `X-Cardline-Session: ${await bench.session()}`,
      'Content-Type: application/octet-stream',
      framing,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${beginning}`);
    await expect.poll(() => readdir(join(lists, id, 'file'))).toEqual(['leads.csv']);
    return () => void socket.destroy();
  }

  it.each([
    ['of known length', `Content-Length: ${MiB}`, 'Name;City\n'],
    ['in chunks', 'Transfer-Encoding: chunked', 'a\r\nName;City\n\r\n'],
  ])('%s, leaves nothing behind and can be begun again', async (_, framing, beginning) => {
    const breakOff = await sendBeginning(framing, beginning);
    breakOff();
    await expect.poll(() => foldersIn(lists)).toEqual([]);
    expect(await bench.api('GET /api/lists')).toEqual({ lists: [] });
    await expectUploadable();
  });

  it('by its own end, before all of it has come', async () => {
    const id = await begun(CSV.length + 1);
    expect(await bench.upload(id, CSV)).toMatchObject({ status: 400 });
    expect(await foldersIn(lists)).toEqual([]);
    await expectUploadable();
  });

  it('is none where another one to the same list was first', async () => {
    const id = await begun(MiB);
    const both = ['a', 'b'].map((letter) => bench.upload(id, Buffer.alloc(MiB, `${letter}\n`)));
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409]);
    const text = await readFile(join(lists, id, 'file/leads.csv'), 'utf8');
    expect(new Set(text.split('\n')).size).toBe(2);
  });

  it('because the server ends, leaves nothing behind either', async () => {
    await sendBeginning(`Content-Length: ${MiB}`, 'Name;City\n');
    await bench.stop();
    expect(await foldersIn(lists)).toEqual([]);
  });
});

// Only who may mount file systems can have a full one.
describe.skipIf(!canMount)('a disk that gets full in the middle of an upload', () => {
  let disk: string;
  beforeEach(async () => {
    disk = await mkdtemp(join(tmpdir(), 'cardline-disk-'));
    await mountDisk(disk, 300 * MiB);
    bench = await openPageBench({ ledger: join(disk, 'cardline.db') });
  });
  afterEach(async () => {
    await bench.close();
    await unmountDisk(disk);
    await rm(disk, { recursive: true });
  });

  it('is said with the next step; nothing is left behind, and it can be begun again', async () => {
    const id = await begun(MiB);
    await resizeDisk(disk, MiB / 2);
    const { status, text } = await bench.upload(id, Buffer.alloc(4 * MiB, CSV));
    expect(status).toBe(507);
    expect(JSON.parse(text)).toMatchObject({ code: 'disk_full', sentence: 'The disk is full.' });
    expect(await foldersIn(join(disk, 'cardline.lists'))).toEqual([]);
    await resizeDisk(disk, 300 * MiB);
    await expectUploadable();
  });

  it('is said where a list is begun', async () => {
    // The file that opens the page has all of it.
    await resizeDisk(disk, 4096);
    const body = { name: 'leads.csv', bytes: 1 };
    expect(await bench.api('POST /api/lists', body)).toMatchObject({ code: 'disk_full' });
    expect(await foldersIn(join(disk, 'cardline.lists'))).toEqual([]);
  });

  it('is no reason to lose a list that is there', async () => {
    const id = await begun(CSV.length);
    await bench.upload(id, CSV);
    // The file, its list.json and the file that opens the page have a block each.
    await resizeDisk(disk, 3 * 4096);
    expect(await bench.api(`PATCH /api/lists/${id}/source`, { delimiter: ',' })).toMatchObject({
      code: 'disk_full',
    });
    expect(await bench.api(`GET /api/lists/${id}/preview`)).toMatchObject({
      delimiter: ';',
      list: { source: { delimiter: null } },
    });
    expect((await readdir(join(disk, 'cardline.lists', id))).sort()).toEqual(['file', 'list.json']);
  });
});
