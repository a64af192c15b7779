/** The latest state of some work, for those who watch it. Nothing is put together while nobody does. */
export class Latest<T> {
  #version = 0;
  #ended = false;
  #wake: () => void = () => undefined;
  #changed = this.#next();
  #end: () => void = () => undefined;
  readonly #over = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  /**
   * @param make the state as it is now
   * @param everyMs how long a watcher waits from one state to the next
   */
  constructor(
    private readonly make: () => T,
    private readonly everyMs: number,
  ) {}

  /** Says that there is another state. `ended`: it is the last one, and is shown at once. */
  announce(ended = false): void {
    this.#version++;
    if (ended) {
      this.#ended = true;
      this.#end();
    }
    const wake = this.#wake;
    this.#changed = this.#next();
    wake();
  }

  /** The states from now on, to the last one. A slow watcher misses those between. `signal`: ends the watching. */
  async *watch(signal?: AbortSignal): AsyncGenerator<T, void, undefined> {
    const stopped = aborted(signal);
    try {
      for (let seen = -1; !signal?.aborted;) {
        if (seen === this.#version) {
          if (this.#ended) return;
          await Promise.race([this.#changed, stopped.promise]);
          continue;
        }
        seen = this.#version;
        yield this.make();
        if (!this.#ended) await this.#pause(stopped.promise);
      }
    } finally {
      stopped.release();
    }
  }

  /** Waits for the next state's time, or for the end. */
  async #pause(stopped: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const time = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.everyMs);
    });
    await Promise.race([time, this.#over, stopped]);
    clearTimeout(timer);
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** Resolves when the signal is aborted. */
function aborted(signal: AbortSignal | undefined): {
  readonly promise: Promise<void>;
  readonly release: () => void;
} {
  let listener = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    listener = resolve;
  });
  signal?.addEventListener('abort', listener, { once: true });
  return { promise, release: () => signal?.removeEventListener('abort', listener) };
}
