import type { ListsPort, NumberCheck } from '../core/outcome.js';
import type { Clock } from '../core/time.js';
import type { SuppressSpec } from '../installation/installation.js';
import type { OpenList } from './open-lists.js';

/** How long lists are taken to be the same, in milliseconds. */
const SAME_MS = 60_000;
/** Memory for the filters of all lists, in bytes: the threads that read have theirs. */
const FILTER_BYTES = 4 * 1024 ** 2;

/** The lists of an installation for a run that goes on for long: those that have changed are opened anew. */
export class CurrentLists implements ListsPort {
  #lists: Promise<NumberCheck> | undefined;
  #opened: readonly OpenList[] = [];
  #openedAt = 0;
  #isOpening = false;

  constructor(
    private readonly specs: readonly SuppressSpec[],
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /**
   * The lists as they were a minute ago at the most. How old a list may be was asked when the run began.
   * @throws UsageError where one cannot be read any more: then nobody may be called
   */
  current(): Promise<NumberCheck> {
    const now = this.clock.now();
    // A large list may take longer to compile than it is taken to be the same: it is not opened twice meanwhile.
    const isOld = now - this.#openedAt >= SAME_MS && !this.#isOpening;
    if (this.#lists === undefined || isOld) {
      [this.#openedAt, this.#isOpening] = [now, true];
      this.#lists = this.#open(now).finally(() => {
        this.#isOpening = false;
      });
    }
    return this.#lists;
  }

  close(): void {
    for (const { list } of this.#opened) list.close();
    this.#opened = [];
  }

  async #open(now: number): Promise<NumberCheck> {
    // A run without lists, or a short one, never needs what reads them.
    const { checkOf, openList } = await import('./open-lists.js');
    const opened: OpenList[] = [];
    try {
      for (const spec of this.specs)
        opened.push(await openList(spec, FILTER_BYTES / this.specs.length, now));
    } catch (error) {
      for (const { list } of opened) list.close();
      throw error;
    }
    this.close();
    this.#opened = opened;
    return checkOf(opened);
  }
}
