/** Positions of rows in a run, ascending: four bytes each. */
export class Positions {
  #values = new Uint32Array(64);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(position: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Uint32Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = position;
  }

  slice(from: number, to: number): readonly number[] {
    return [...this.#values.subarray(from, Math.min(to, this.#length))];
  }
}
