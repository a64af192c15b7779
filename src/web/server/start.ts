import { temporaryFolder } from '../../app/inputs/temporary-folder.js';
import { unfinishedRuns } from '../../app/runs/unfinished-runs.js';
import { createSite } from './create-site.js';
import { listOf } from './lists/list-of.js';
import { writeOpeningFile } from './opening-file.js';
import { startServer } from './server.js';
import type { SiteSettings } from './settings.js';
import type { Site } from './site.js';

/** What the page is started with. */
export interface PageRequest {
  readonly settings: Omit<SiteSettings, 'open'>;
  /** File to begin with; it is read where it is. */
  readonly file?: string | undefined;
  /** 0 takes a free one. */
  readonly port: number;
}

/** A page that is served. */
export interface StartedPage {
  /** With the token that opens it: for the person alone. */
  readonly address: string;
  /** Path of a file that leads to the address, for whatever opens a browser. */
  readonly openingFile: string;
  /** Ends after what is being answered, and after the work that was started. */
  close(): Promise<void>;
}

/** How often old lists are looked for, in milliseconds. */
const SWEEP_MS = 60 * 60 * 1000;

/**
 * Serves the page on this machine until it is closed.
 * @throws what the system says where the file is missing or the port is taken
 */
export async function startPage({ settings, file, port }: PageRequest): Promise<StartedPage> {
  const scratch = settings.readOnly ? await temporaryFolder() : undefined;
  const { site, stop } = createSite(settings, scratch?.path);
  await sweep(site);
  const open = file === undefined ? undefined : (await site.lists.create(await listOf(file))).id;
  site.change({ open });
  const server = await startServer(site, port);
  const sweeping = setInterval(() => void sweep(site).catch(() => undefined), SWEEP_MS);
  const address = `http://127.0.0.1:${server.port}/#${server.sessions.start}`;
  const opening = await writeOpeningFile(site.lists.folder, address);
  return {
    address,
    openingFile: opening.path,
    close: async () => {
      clearInterval(sweeping);
      await opening.remove();
      await stop();
      await server.close();
      await scratch?.remove();
    },
  };
}

/** Deletes old lists, but not those of runs that are under way or can be continued. */
async function sweep({ lists, runs, settings }: Site): Promise<void> {
  if (settings.readOnly) return;
  // A ledger that cannot be read does not show which lists are needed: then none is deleted.
  const unfinished = await unfinishedRuns(settings.ledger).catch(() => undefined);
  if (!unfinished) return;
  for (const { id, run } of await lists.all())
    if (run !== null && (unfinished.has(run) || runs.isAtWork(run))) await lists.touch(id);
  await lists.sweep();
}
