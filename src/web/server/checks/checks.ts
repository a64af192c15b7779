import type { StoredList } from '../lists/lists.js';
import type { SiteBase } from '../site-base.js';
import { beginCheck, type KeptCheck } from './kept-check.js';
import { type Revisions, revisionsOf } from './revision.js';

/** How long a check that nobody looks at is kept, in milliseconds. */
const IDLE_MS = 5 * 60 * 1000;

interface Entry {
  readonly revision: string;
  readonly check: Promise<KeptCheck>;
  readonly gone: AbortController;
  lookers: number;
  timer: NodeJS.Timeout | undefined;
}

/** A check that somebody looks at. */
export interface HeldCheck {
  readonly check: KeptCheck;
  readonly release: () => void;
}

/** The checks of the lists: one for each, shared by all tabs, and ended when nobody looks for a while. */
export class Checks {
  readonly #entries = new Map<string, Entry>();

  constructor(
    private readonly site: SiteBase,
    private readonly idleMs = IDLE_MS,
  ) {
    const stopAll = (): void => {
      for (const id of this.#entries.keys()) this.#drop(id);
    };
    site.stop.addEventListener('abort', stopAll, { once: true });
  }

  /**
   * Looks at the check of a list as it is now, for as long as `use` takes. Where mapping, corrections or file have
   * changed, it begins anew.
   * @throws Refusal where there is no mapping, and what the file system says of a file that is gone
   */
  async look<T>(list: StoredList, use: (check: KeptCheck) => Promise<T>): Promise<T> {
    for (;;) {
      const { check, release } = await this.hold(list);
      try {
        return await use(check);
      } catch (error) {
        // Another check has taken its place, and its index is gone: the new one is asked.
        if (!check.gone.aborted || this.site.stop.aborted) throw error;
      } finally {
        release();
      }
    }
  }

  /** As `look`, until it is released. `again`: one that has failed begins anew. */
  async hold(list: StoredList, again = false): Promise<HeldCheck> {
    const revisions = await revisionsOf(list, this.site);
    const found = this.#entries.get(list.id);
    if (found && again && (await hasFailed(found)) && this.#entries.get(list.id) === found)
      this.#drop(list.id);
    const kept = this.#entries.get(list.id);
    const entry = kept?.revision === revisions.revision ? kept : this.#begin(list, revisions);
    entry.lookers++;
    clearTimeout(entry.timer);
    const release = (): void => this.#release(list.id, entry);
    try {
      return { check: await entry.check, release };
    } catch (error) {
      release();
      if (this.#entries.get(list.id) === entry) this.#drop(list.id);
      throw error;
    }
  }

  /** The check of a list where one is kept, whatever it was made of. */
  async kept(list: string): Promise<KeptCheck | undefined> {
    return this.#entries.get(list)?.check.catch(() => undefined);
  }

  #begin(list: StoredList, revisions: Revisions): Entry {
    this.#drop(list.id);
    const gone = new AbortController();
    const check = beginCheck(list, revisions, this.site, gone.signal);
    const { revision } = revisions;
    const entry: Entry = { revision, check, gone, lookers: 0, timer: undefined };
    this.#entries.set(list.id, entry);
    if (this.site.stop.aborted) this.#drop(list.id);
    return entry;
  }

  #release(id: string, entry: Entry): void {
    entry.lookers--;
    if (entry.lookers > 0 || this.#entries.get(id) !== entry) return;
    entry.timer = setTimeout(() => this.#drop(id), this.idleMs);
    // It keeps no process from its end.
    entry.timer.unref();
  }

  #drop(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    clearTimeout(entry.timer);
    entry.gone.abort();
    const closed = entry.check.then(({ running }) => running.close());
    this.site.keep(closed.catch(() => undefined));
  }
}

async function hasFailed({ check }: Entry): Promise<boolean> {
  const kept = await check.catch(() => undefined);
  const phase = kept?.running.state().phase;
  return phase === 'failed' || phase === 'stopped';
}
