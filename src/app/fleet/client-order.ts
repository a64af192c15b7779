import type { PreparedClients } from '../../core/prepared.js';
import type { SeenKeys } from '../../core/duplicates.js';
import { createSeenKeys } from '../../dedup/seen.js';
import type { ChunkOrder, RowsBefore } from '../../fleet/hand-over.js';
import { keysOf } from '../../pipeline/change.js';
import type { ChangeRule } from '../../pipeline/change-rule.js';
import { keyOf } from '../repeats/known-clients.js';

/** In which piece clients came first, of modes that change clients: later rows of theirs have to come after. */
export class ClientOrder {
  readonly #seen: SeenKeys = createSeenKeys();

  /** `rule`: says what two rows must not change at a time. */
  constructor(private readonly rule: ChangeRule) {}

  /** The clients of a chunk that go on. */
  of(clients: PreparedClients, members: readonly number[]): ChunkOrder {
    return {
      find: (piece) => this.#find(clients, members, piece),
      add: (piece) => this.#add(clients, members, piece),
    };
  }

  #find(clients: PreparedClients, members: readonly number[], piece: number): RowsBefore {
    let [inEarlier, inCurrent] = [false, false];
    for (const key of this.#keysOf(clients, members)) {
      const found = this.#seen.find(key, 0);
      if (found && found.row < piece) inEarlier = true;
      else if (found) inCurrent = true;
    }
    return { inEarlier, inCurrent };
  }

  /** The first piece of a client counts: a piece with a later row of it waits for all before it. */
  #add(clients: PreparedClients, members: readonly number[], piece: number): void {
    for (const key of this.#keysOf(clients, members))
      if (!this.#seen.find(key, 0)) this.#seen.add(key, 0, 0, piece);
  }

  close(): void {
    this.#seen.close();
  }

  *#keysOf(clients: PreparedClients, members: readonly number[]): Generator<Uint32Array> {
    for (const index of members)
      for (const key of keysOf({ clients }, index, this.rule)) yield keyOf([key], null);
  }
}
