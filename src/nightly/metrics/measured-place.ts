import type {
  ArrivedFile,
  ClaimedFile,
  Companion,
  OddEntry,
  Place,
  Shelf,
} from '../places/place.js';

/** Takes note of what happens at a place. */
export interface PlaceFigures {
  /** The place answered, or did not. */
  answered(isUp: boolean): void;
  /** Files that have come and are not put away. */
  waiting(names: readonly string[]): void;
  putAway(name: string, shelf: Shelf): void;
}

/** A place, with an eye on what comes and goes. `fits`: which names are of interest. */
export class MeasuredPlace implements Place {
  readonly #claimed = new Set<string>();

  constructor(
    private readonly place: Place,
    private readonly figures: PlaceFigures,
    private readonly fits: (name: string) => boolean,
  ) {}

  get words(): string {
    return this.place.words;
  }

  async list(): Promise<ArrivedFile[]> {
    const files = await this.#answer(this.place.list());
    const names = files.map(({ name }) => name).filter(this.fits);
    this.figures.waiting([...this.#claimed, ...names]);
    return files;
  }

  odd(): Promise<OddEntry[]> {
    return this.#answer(this.place.odd());
  }

  async claimed(): Promise<ArrivedFile[]> {
    const files = await this.#answer(this.place.claimed());
    this.#claimed.clear();
    for (const { name } of files) this.#claimed.add(name);
    return files;
  }

  async take(file: ArrivedFile): Promise<boolean> {
    const isTaken = await this.#answer(this.place.take(file));
    if (isTaken) this.#claimed.add(file.name);
    return isTaken;
  }

  fetch(file: ArrivedFile, signal: AbortSignal): Promise<ClaimedFile | null> {
    return this.#answer(this.place.fetch(file, signal));
  }

  async putAway(file: ClaimedFile, shelf: Shelf, beside: readonly Companion[]): Promise<string> {
    const where = await this.#answer(this.place.putAway(file, shelf, beside));
    this.#claimed.delete(file.name);
    this.figures.putAway(file.name, shelf);
    return where;
  }

  readText(name: string): Promise<string | null> {
    return this.#answer(this.place.readText(name));
  }

  discard(name: string): Promise<void> {
    return this.#answer(this.place.discard(name));
  }

  sweep(before: number): Promise<void> {
    return this.#answer(this.place.sweep(before));
  }

  check(): Promise<string | null> {
    return this.#answer(this.place.check());
  }

  close(): Promise<void> {
    return this.place.close();
  }

  async #answer<T>(asked: Promise<T>): Promise<T> {
    try {
      const answer = await asked;
      this.figures.answered(true);
      return answer;
    } catch (error) {
      this.figures.answered(false);
      throw error;
    }
  }
}
