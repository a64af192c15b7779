import { measureFile, previewFile } from '../../../run/preview.js';
import { openRuns } from '../../../history/history.js';
import { defined } from '../../../core/text.js';
import type { Row, SourceInfo } from '../../../core/table.js';
import type { fileRoutes } from '../../shared/routes.js';
import type { Handlers, Site } from '../handler.js';
import { masked, pageWords, asSentence, Refusal, refusal } from '../problem.js';
import { keyOf } from './import.js';
import { inTurn, listOf, type StoredList, sourceOptions } from '../lists/lists.js';
import { beginLikeLast, followSource } from '../lists/mappings.js';
import { shownList } from '../lists/shown-list.js';
import { createWriteStream } from 'node:fs';
import { rm, stat, statfs } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

/** What stays free on the disk: the ledger and the reports need room too, in bytes. */
const RESERVE = 256 * 1024 * 1024;

export const fileHandlers = {
  'GET /api/lists': async (_asked, { site }) => {
    const lists = await site.lists.all();
    const isDone = await whetherDone(lists, site);
    return { lists: lists.map((list) => ({ ...shownList(list, site), isDone: isDone(list) })) };
  },
  'POST /api/lists': async ({ body }, { site }) => {
    if ('sample' in body) {
      const sample = site.settings.samples.find(({ name }) => name === body.sample);
      if (!sample) throw refusal('no_sample');
      return shownList(await site.lists.create(await listOf(sample.path)), site);
    }
    const list = await site.lists.create({ ...body, path: null });
    try {
      await refuseWithoutRoom(site.lists.folder, body.bytes);
    } catch (error) {
      await site.lists.remove(list.id);
      throw error;
    }
    return shownList(list, site);
  },
  // The second of two uploads waits, and finds that the file is there.
  'PUT /api/lists/:list/file': ({ params }, { site, upload, signal }) =>
    inTurn(`file ${params.list}`, async () => {
      const list = await site.lists.get(params.list);
      if (list.complete) throw refusal('complete');
      try {
        if ((await receive(upload, list.file, signal)) !== list.bytes) throw refusal('broken_off');
        // One that cannot be read is refused while the person can choose another: nothing of it stays.
        await previewFile(list.file, list.name, {});
        return shownList(await site.lists.change(list.id, { complete: true }), site);
      } catch (error) {
        await site.lists.remove(list.id);
        throw error;
      }
    }),
  'GET /api/lists/:list': async ({ params }, { site }) => {
    const list = await site.lists.get(params.list);
    await site.lists.touch(list.id);
    return shownList(list, site);
  },
  'DELETE /api/lists/:list': async ({ params }, { site }) => {
    const list = await site.lists.get(params.list);
    if (await isImported(list, site)) throw refusal('list_at_work');
    await site.lists.remove(list.id);
    return {};
  },
  'GET /api/lists/:list/preview': async ({ params }, { site }) => {
    const list = await site.lists.get(params.list);
    await site.lists.touch(list.id);
    const isChosen = Object.values(list.source).some((choice) => choice !== null);
    if (list.step !== 'file' || isChosen) return shownPreview(list, site);
    await beginLikeLast(site, list);
    return shownPreview(await site.lists.get(list.id), site);
  },
  'GET /api/lists/:list/extent': ({ params }, { site, signal }) =>
    extentOf(params.list, site, signal),
  'PATCH /api/lists/:list/source': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    // A column of another sheet or delimiter is another column: the header is found anew.
    const header = 'sheet' in body || 'delimiter' in body ? { headerRow: null } : {};
    // Cells of a row of clients would be shown as names of columns.
    if (site.settings.mask && typeof body.headerRow === 'number') throw refusal('header_hidden');
    const changes = { ...header, ...defined(body) };
    const preview = await shownPreview({ ...list, source: { ...list.source, ...changes } }, site);
    await site.lists.change(list.id, ({ source }) => ({ source: { ...source, ...changes } }));
    await followSource(site, list, changes);
    return preview;
  },
} satisfies Handlers<keyof typeof fileRoutes>;

/** A ledger that cannot be read does not show which imports are over: then none counts as that. */
async function whetherDone(
  lists: readonly StoredList[],
  { settings, runs }: Site,
): Promise<(list: StoredList) => boolean> {
  const started = lists.flatMap(({ run }) => run ?? []);
  const open = await openRuns(settings.ledger, started).catch(() => undefined);
  return ({ run }) => run !== null && open?.has(run) === false && !runs.isAtWork(run);
}

/** Whether this server or another process imports the list at this moment. */
async function isImported(list: StoredList, { runs }: Site): Promise<boolean> {
  if (runs.isBegun(keyOf(list))) return true;
  if (list.run === null) return false;
  const live = await runs.get(list.run).catch((error: unknown) => {
    // A run that is not on record any more is over.
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  return runs.isAtWork(list.run) || live?.elsewhere === true;
}

/** Nobody waits for what is counted after the page has gone on. */
async function* extentOf(id: string, { lists }: Site, signal: AbortSignal) {
  const { file, name, source } = await lists.get(id);
  for await (const extent of measureFile(file, name, sourceOptions(source))) {
    if (signal.aborted) return;
    yield extent;
  }
}

/** A file as far as its beginning shows it. */
async function shownPreview(list: StoredList, site: Site) {
  const found = await previewFile(list.file, list.name, sourceOptions(list.source));
  const shown = (cell: string | null): string | null =>
    cell !== null && site.settings.mask ? masked(cell) : cell;
  const shownRow = ({ row, cells }: Row) => ({ row, cells: cells.map(shown) });
  const { info, above, rows, headerProblem, header, headerRow, isJoined, count } = found;
  const { format, formatName, gzip, part, bytes, encoding = null, delimiter = null } = info;
  const packing = !gzip ? null : part === undefined ? ('gzip' as const) : ('zip' as const);
  return {
    list: shownList({ ...list, bytes }, site),
    ...{ format, formatName, packing, encoding, delimiter },
    ...{ header, headerRow, isJoined, count },
    sheets: sheetsOf(info),
    doubt: site.settings.mask ? null : (info.encodingDoubt ?? null),
    headerProblem: headerProblem && asSentence(pageWords(headerProblem.reason)),
    above: above.map(shownRow),
    rows: rows.map(shownRow),
  };
}

/** The sheets with rows, in the order of the tabs. */
function sheetsOf({ sheets, otherSheets = [], hiddenSheets = [], tabs = sheets }: SourceInfo) {
  const all = new Set([...sheets, ...otherSheets]);
  return [...new Set([...tabs, ...all])]
    .filter((name) => all.has(name))
    .map((name) => ({
      ...{ name, isHidden: hiddenSheets.includes(name) },
      isRead: sheets.includes(name),
    }));
}

/** @throws Refusal when the disk has no room for so many bytes */
async function refuseWithoutRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bytes + RESERVE > bavail * bsize) throw refusal('no_room');
}

/**
 * Writes what is uploaded to a private file, piece by piece.
 * @returns its size
 */
async function receive(upload: Readable, path: string, signal: AbortSignal): Promise<number> {
  const file = createWriteStream(path, { mode: 0o600 });
  upload.pipe(file);
  try {
    const [read, written] = [finished(upload, { signal }), finished(file, { signal })];
    await Promise.all([read, written]);
  } catch (error) {
    // `pipeline` would end the upload, and a browser looks for the answer when all of its file has been taken.
    upload.unpipe(file);
    upload.resume();
    // A write that is still under way fails now: a consequence of what is thrown here.
    file.on('error', () => undefined);
    file.destroy();
    await rm(path, { force: true });
    throw error;
  }
  return (await stat(path)).size;
}
