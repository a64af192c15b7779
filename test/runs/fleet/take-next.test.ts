import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Fleet, openFleet, takeNext } from '../../../src/fleet/fleet.js';
import type { Lease } from '../../../src/ledger/port.js';
import { addPiece, beginShared } from '../../../src/ledger/shared.js';
import { withPostgres } from '../../kit/with-postgres.js';
import { insertShared } from '../../ledger/postgres/insert-shared.js';

const RUN = '20261124-120000-abcd';

withPostgres('taking a piece', (server) => {
  let fleet: Fleet;
  let place: number;
  let lease: Lease;
  beforeEach(async () => {
    fleet = await openFleet(await server.ledger());
    const { connections, jobs } = fleet;
    ({ place, lease } = await insertShared(connections, RUN));
    await beginShared(connections, place, lease, { plan: '{}', stays: false });
    await jobs.begin(RUN);
    const piece = { number: 0, chunks: 1, rows: 1, data: Buffer.from('x'), waits: false };
    await addPiece(connections, place, lease, piece);
    await jobs.add(connections, RUN, 0);
  }, 60_000);
  afterEach(() => fleet.close());

  it('holds nobody up who has the piece, and offers it again meanwhile', async () => {
    const { connections, jobs } = fleet;
    // As whoever sets the limits of a run does: the line of the piece first, its job last.
    await connections.transaction(async (queries) => {
      await queries.rows('SELECT FROM cardline.piece FOR NO KEY UPDATE');
      const taking = takeNext(fleet, { place, run: RUN }, 'me');
      await isWaitedForOrDone(taking);
      await jobs.add(queries, RUN, 0);
      expect(await taking).toBeUndefined();
    });
    await expect
      .poll(() => takeNext(fleet, { place, run: RUN }, 'me'), { timeout: 30_000 })
      .toMatchObject({ lease: { place, number: 0 } });
  }, 60_000);

  it('takes pieces that are opened together in their order, and each once', async () => {
    const { connections, jobs } = fleet;
    for (const number of [1, 2]) {
      const piece = { number, chunks: 1, rows: 1, data: Buffer.from('x'), waits: false };
      await addPiece(connections, place, lease, piece);
    }
    await connections.transaction((queries) => jobs.addAll(queries, RUN, [0, 1, 2]));
    const taken: (number | undefined)[] = [];
    const takeAll = async (): Promise<number> => {
      const work = await takeNext(fleet, { place, run: RUN }, 'me');
      if (work) taken.push(work.lease.number);
      return taken.length;
    };
    await expect.poll(takeAll, { timeout: 30_000 }).toBe(3);
    expect(taken).toEqual([0, 1, 2]);
    expect(await takeNext(fleet, { place, run: RUN }, 'me')).toBeUndefined();
  }, 60_000);

  /** Until a statement of another connection waits for a lock, or the work is done. */
  async function isWaitedForOrDone(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    void work.then(
      () => (isDone = true),
      () => (isDone = true),
    );
    await expect
      .poll(
        async () => {
          const waiting = await fleet.connections.rows(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return isDone || waiting.length > 0;
        },
        { timeout: 30_000 },
      )
      .toBe(true);
  }
});
