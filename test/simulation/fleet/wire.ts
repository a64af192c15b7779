import { LedgerError } from '../../../src/core/errors.js';
import { type FactAppender, factAppender } from '../../../src/ledger/postgres.js';
import { failedRows } from '../../../src/ledger/shared.js';
import type { Connections } from '../../../src/ledger/database.js';
import { type SharedStop, LEASE_TIMES } from '../../../src/ledger/port.js';
import type { Database, Fence, Tally } from './database.js';
import type { Machine } from './machine.js';
import type { World } from './world.js';

/** How long a process waits for the answer to a statement. */
const STATEMENT_MS = LEASE_TIMES.leaseMs / 2;

/** The way from a machine to the database. */
export interface Wire {
  /** @throws LedgerError when no answer comes; the statement may have been executed all the same */
  ask<T>(execute: (database: Database) => T): Promise<T>;
  /** `tally`: what is counted beside the failed rows of the facts. */
  appender(
    fence: Fence,
    tally: (failed: number) => Tally,
    onStop: (stop: SharedStop) => void,
  ): FactAppender;
}

export function createWire(world: World, machine: Machine, place: number): Wire {
  const { timeline, story, random, database, counts } = world;
  const latency = (): number => random() * story.databaseMs;
  const partitionAt = (at: number) =>
    story.partitions.find(
      ({ machine: of, at: from, ms }) =>
        (of === null || of === place) && at >= from && at < from + ms,
    );

  /** Carries something over; what is lost in a partition never comes. */
  const carry = (come: () => void): void => {
    timeline.after(latency(), () => {
      const partition = partitionAt(timeline.now());
      if (!partition) {
        come();
        return;
      }
      counts[partition.isHeld ? 'held statements' : 'lost statements']++;
      if (!partition.isHeld) return;
      timeline.after(partition.at + partition.ms - timeline.now() + latency(), come);
    });
  };

  const ask = <T>(execute: (database: Database) => T): Promise<T> =>
    machine.call(
      () =>
        new Promise<T>((resolve, reject) => {
          const timeout = timeline.after(STATEMENT_MS, () =>
            machine.tell(() => reject(new LedgerError('The ledger does not answer.'))),
          );
          carry(() => {
            const answer = execute(database);
            carry(() => {
              timeout.cancel();
              machine.tell(() => resolve(answer));
            });
          });
        }),
    );

  return {
    ask,
    appender: (fence, tally, onStop) =>
      factAppender(NO_CONNECTIONS, {
        run: 'simulated',
        count: (facts) => failedRows(facts, 'create'),
        insert: async (_queries, facts, { counted }) => {
          const { appended, stop } = await ask((tables) =>
            tables.append(fence, facts, tally(counted)),
          );
          if (stop) onStop(stop);
          return appended;
        },
      }),
  };
}

const noConnection = (): Promise<never> => Promise.reject(new Error('There are no connections.'));

/** Everything goes through `insert`. */
const NO_CONNECTIONS: Connections = {
  name: 'simulated',
  rows: noConnection,
  run: noConnection,
  transaction: noConnection,
  close: () => Promise.resolve(),
};
