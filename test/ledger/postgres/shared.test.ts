import { afterEach, beforeEach, expect, it } from 'vitest';
import { LedgerInUseError } from '../../../src/core/errors.js';
import type { Fact } from '../../../src/core/facts.js';
import { noOutcomes, type OutcomeCounts } from '../../../src/core/outcome.js';
import { momentNow } from '../../../src/core/time.js';
import { postgresAddress, type Lease, type SharedStop } from '../../../src/ledger/port.js';
import { type Connections, connectionsTo, type Queries } from '../../../src/ledger/database.js';
import { takeLease, placedRun } from '../../../src/ledger/postgres.js';
import {
  addPiece,
  beginShared,
  closeShared,
  noteStopped,
  planOf,
  releaseShared,
  appenderOfShared,
  endCanary,
  endPiece,
  isFirstTaking,
  keepPiece,
  limitShared,
  noteCanaryKnown,
  type PieceLease,
  takePiece,
} from '../../../src/ledger/shared.js';
import { withPostgres } from '../../kit/with-postgres.js';
import { insertShared } from './insert-shared.js';

const RUN = '20261123-120000-abcd';
const TIMES = { leaseMs: 400, renewMs: 100 };
/** As a process has it that is paused: it renews nothing. */
const PAUSED = { leaseMs: 400, renewMs: 3_600_000 };
const pieceEnd = (outcomes: Partial<OutcomeCounts> = {}) => ({
  outcomes: { ...noOutcomes(), ...outcomes },
  ...{ asBefore: 0, requests: 1, retries: 0, unsettledMs: 0 },
});
const TALLY = { rejected: 0, allowed: null, onStop: () => undefined };
const BEGUN = { plan: '{}', stays: false };
const FACT: Fact = { kind: 'creating', rows: [0] };

withPostgres('a run that is shared', (server) => {
  let connections: Connections;
  let place: number;
  let lease: Lease;
  let allowed: number | null;
  let stops: SharedStop[];
  beforeEach(async () => {
    connections = connectionsTo(postgresAddress(await server.ledger()));
    ({ place, lease } = await insertShared(connections, RUN));
    [allowed, stops] = [null, []];
    await beginShared(connections, place, lease, BEGUN);
  }, 30_000);
  afterEach(() => connections.close());

  const hand = async (pieces: number): Promise<void> => {
    for (let number = 0; number < pieces; number++)
      expect(
        await addPiece(connections, place, lease, {
          ...{ number, chunks: 2, rows: 10, data: Buffer.from(`piece ${number}`), waits: false },
        }),
      ).toMatchObject({ isOwn: true });
  };
  const take = async (number: number): Promise<PieceLease> => {
    const taken = await takePiece(connections, { place, number }, 'me', TIMES);
    if (taken.kind !== 'taken') throw new Error(`the piece is ${taken.kind}`);
    expect(taken.data.toString()).toBe(`piece ${number}`);
    return taken.lease;
  };
  const appender = (piece: PieceLease, unknown = () => 0) =>
    appenderOfShared(connections, RUN, place, {
      ...{ kind: 'piece', piece },
      tally: { mode: 'create', unknown, onStop: (stop) => stops.push(stop) },
    });
  const submitterOf = (rejected: number) =>
    appenderOfShared(connections, RUN, place, {
      ...{ kind: 'run', lease },
      tally: { rejected, allowed, onStop: (stop) => stops.push(stop) },
    });
  const limit = (canary = 0, queries: Queries = connections) => {
    const tally = { rejected: 0, allowed, onStop: () => undefined };
    const work = {
      handed: 0,
      chunks: 0,
      isCounted: true,
      place,
      lease,
      tally,
      stays: false,
    };
    return limitShared(queries, work, { allowed, canary, refused: 0 });
  };
  const numbers = async (): Promise<number[]> => {
    const found = await connections.rows<{ number: number }>(
      'SELECT number FROM cardline.fact ORDER BY number',
    );
    return found.map(({ number }) => number);
  };

  it('tells workers when the pieces were mapped that are left', async () => {
    const begin = (mappedAt: number) =>
      beginShared(connections, place, lease, {
        ...BEGUN,
        plan: JSON.stringify({ version: 'x', mappedAt }),
      });
    const plan = async (): Promise<unknown> =>
      JSON.parse((await planOf(connections, place)) ?? 'null');
    await begin(5);
    await begin(6);
    expect(await plan()).toEqual({ version: 'x', mappedAt: 6 });
    await hand(1);
    await begin(7);
    expect(await plan()).toEqual({ version: 'x', mappedAt: 6 });
  });

  it('knows who had a piece before the run was taken back and handed over again', async () => {
    await hand(1);
    const sent = momentNow();
    const first = await take(0);
    // Asks for more time only when all that follows has happened.
    const paused = keepPiece(connections, first, { ...TIMES, renewMs: 3 * TIMES.leaseMs }, sent);
    const late = appender(first);
    await new Promise((resolve) => setTimeout(resolve, TIMES.leaseMs));
    await connections.run("UPDATE cardline.lease SET until = '-infinity'");
    await releaseShared(connections, RUN);
    const again = await takeLease(connections, RUN, { leaseMs: 60_000, renewMs: 5_000 });
    if (!again) throw new Error('The run is taken.');
    lease = again;
    await beginShared(connections, place, lease, BEGUN);
    await hand(1);
    const taken = await takePiece(connections, { place, number: 0 }, 'other', {
      ...TIMES,
      leaseMs: 60_000,
    });
    if (taken.kind !== 'taken') throw new Error(taken.kind);
    expect([first, taken.lease].map(isFirstTaking)).toEqual([true, true]);
    await new Promise((resolve) => setTimeout(resolve, 3 * TIMES.leaseMs));
    expect(paused.isHeld()).toBe(false);
    await expect(late.append(0, [FACT])).rejects.toThrow(LedgerInUseError);
    expect(await endPiece(connections, first, pieceEnd())).toMatchObject({ isOwn: false });
    await paused.release(true);
    await appender(taken.lease).append(0, [FACT]);
    expect(await numbers()).toHaveLength(1);
    expect((await takePiece(connections, { place, number: 0 }, 'me', TIMES)).kind).toBe('later');
  }, 30_000);

  it('numbers the facts of all who work on it without a gap, and whoever reads by numbers misses none', async () => {
    await hand(4);
    const submitter = submitterOf(0);
    const workers = await Promise.all([0, 1, 2, 3].map(async (at) => appender(await take(at))));
    const seen: number[] = [];
    let over = false;
    const reading = (async () => {
      while (!over) {
        const last = seen.at(-1) ?? 0;
        const found = await connections.rows<{ number: number }>(
          'SELECT number FROM cardline.fact WHERE number > $1 ORDER BY number',
          [last],
        );
        seen.push(...found.map(({ number }) => number));
      }
    })();
    await Promise.all(
      [submitter, ...workers].map(async (one, at) => {
        for (let round = 0; round < 20; round++)
          await one.append(at, Array<Fact>(round % 3 === 0 ? 1100 : 5).fill(FACT));
      }),
    );
    over = true;
    await reading;
    const all = await numbers();
    expect(all).toEqual(all.map((_, at) => at + 1));
    expect(all.length).toBe(5 * (7 * 1100 + 13 * 5));
    expect(seen).toEqual(all.slice(0, seen.length));
  }, 30_000);

  it('gives a piece to one, and to the next when its lease has lapsed; the late one records nothing', async () => {
    await hand(1);
    const sent = momentNow();
    const first = await take(0);
    const paused = keepPiece(connections, first, PAUSED, sent);
    const late = appender(first);
    await late.append(0, [FACT]);
    const busy = await takePiece(connections, { place, number: 0 }, 'other', TIMES);
    expect(busy.kind).toBe('later');
    expect(paused.isHeld()).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, TIMES.leaseMs));
    // Before anybody else has it, it is known here that somebody may.
    expect(paused.isHeld()).toBe(false);
    const second = await take(0);
    expect(second.epoch).toBe(first.epoch + 1);
    await expect(late.append(0, [FACT])).rejects.toThrow(LedgerInUseError);
    expect(await numbers()).toEqual([1]);
    expect(await endPiece(connections, first, pieceEnd())).toMatchObject({ isOwn: false });
    await appender(second).append(0, [FACT]);
    expect(await numbers()).toEqual([1, 2]);
    await paused.release(true);
    expect((await takePiece(connections, { place, number: 0 }, 'other', TIMES)).kind).toBe('later');
  });

  it('keeps a piece while its lease is renewed, and gives it back at once', async () => {
    await hand(1);
    const kept = keepPiece(connections, await take(0), TIMES, momentNow());
    await new Promise((resolve) => setTimeout(resolve, 2 * TIMES.leaseMs));
    expect(kept.isHeld()).toBe(true);
    expect((await takePiece(connections, { place, number: 0 }, 'other', TIMES)).kind).toBe('later');
    await kept.release(true);
    await take(0);
  });

  it('gives no piece while another command holds the run', async () => {
    await hand(1);
    await connections.run("UPDATE cardline.lease SET until = '-infinity'");
    await takeLease(connections, RUN, { leaseMs: 60_000, renewMs: 5_000 });
    expect(await takePiece(connections, { place, number: 0 }, 'me', TIMES)).toMatchObject({
      kind: 'later',
    });
    // Nor does the one that held it before hand any more over.
    const piece = { number: 1, chunks: 1, rows: 1, data: Buffer.alloc(0), waits: false };
    expect(await addPiece(connections, place, lease, piece)).toMatchObject({ isOwn: false });
  });

  it('is at its end with its last piece, whichever that is, and knows how far it was handed over', async () => {
    await hand(2);
    expect(await beginShared(connections, place, lease, BEGUN)).toEqual({
      ...{ handed: 2, chunks: 4, isCounted: true },
    });
    const [one, other] = [await take(0), await take(1)];
    expect(await endPiece(connections, one, pieceEnd({ created: 10 }))).toEqual({
      ...{ isOwn: true, endsRun: false, opens: [] },
    });
    expect(await closeShared(connections, { place, lease, tally: { ...TALLY } }, 2)).toBe(true);
    expect((await placedRun(connections, RUN))?.state).toBeNull();
    expect(await endPiece(connections, other, pieceEnd({ created: 9, unknown: 1 }))).toEqual({
      ...{ isOwn: true, endsRun: true, opens: [] },
    });
    const row = await placedRun(connections, RUN);
    expect(row).toMatchObject({ state: 'open', rows: 20 });
    expect(JSON.parse(row?.outcomes ?? '')).toMatchObject({ created: 19, unknown: 1 });
    expect((await takePiece(connections, { place, number: 0 }, 'me', TIMES)).kind).toBe('over');
  });

  const failed = (count: number): Fact => ({
    kind: 'created',
    results: Array.from({ length: count }, (_, at) => [at, null, 'no']),
  });

  it('counts rows that end badly over all pieces, and says to all who append that a limit is passed', async () => {
    allowed = 5;
    expect(await limit()).toEqual({ gate: null, open: [] });
    await hand(2);
    await submitterOf(2).append(0, [FACT]);
    // A submitter that begins again counts again.
    await submitterOf(1).append(1, [FACT]);
    let unknown = 2;
    const [one, other] = [await take(0), await take(1)];
    await appender(one, () => unknown).append(0, [failed(1)]);
    expect(stops).toEqual([]);
    await appender(other).append(2, [failed(1)]);
    expect(stops).toEqual([{ by: 'failures', bad: 6 }]);
    // What was not known is known now.
    unknown = 1;
    await appender(one, () => unknown).append(0, [FACT]);
    expect(stops).toHaveLength(1);
    await appender(one, () => unknown).append(0, [failed(1)]);
    expect(stops.at(-1)).toEqual({ by: 'failures', bad: 6 });
    await keepPiece(connections, one, TIMES, momentNow()).release(true);
    await connections.transaction((queries) => noteStopped(queries, place));
    expect((await placedRun(connections, RUN))?.state).toBeNull();
    await keepPiece(connections, other, TIMES, momentNow()).release(true);
    await connections.transaction((queries) => noteStopped(queries, place));
    expect((await placedRun(connections, RUN))?.state).toBe('stopped');
    expect((await takePiece(connections, { place, number: 0 }, 'me', TIMES)).kind).toBe('later');
    // A new submission asks again for what is not known, and may permit more.
    allowed = 7;
    expect(await limit()).toMatchObject({ open: [0, 1] });
    stops.length = 0;
    const again = await take(0);
    await appender(again).append(3, [failed(1)]);
    expect(stops).toEqual([]);
    await appender(again).append(3, [failed(5)]);
    expect(stops).toMatchObject([{ by: 'failures' }]);
  });

  it('counts rows that a worker records while limits are set', async () => {
    allowed = 5;
    await limit();
    await hand(2);
    const [one, other] = [await take(0), await take(1)];
    await appender(one, () => 1).append(0, [FACT]);
    await connections.transaction(async (queries) => {
      let isLate = false;
      // The other worker records what it does not know right behind the first look at what nobody knows.
      const rows: Queries['rows'] = async (text, values) => {
        const found = await queries.rows(text, values);
        if (!isLate) {
          isLate = true;
          await appender(other, () => 2).append(2, [FACT]);
        }
        return found as never;
      };
      await limit(0, { ...queries, rows });
    });
    const [counted] = await connections.rows(
      `SELECT failed, (SELECT sum(unknown)::bigint FROM cardline.piece) AS unknown FROM cardline.shared`,
    );
    expect(counted).toEqual({ failed: 2, unknown: 2 });
  });

  it('waits for nobody who writes the line of a piece', async () => {
    await hand(1);
    const asked = () => takePiece(connections, { place, number: 0 }, 'me', TIMES);
    await connections.transaction(async (queries) => {
      await queries.rows('SELECT FROM cardline.piece FOR NO KEY UPDATE');
      expect(await asked()).toMatchObject({ kind: 'later' });
    });
    expect(await asked()).toMatchObject({ kind: 'taken' });
  });

  it('gives out what is behind the canary when that has passed, and not before', async () => {
    expect(await limit(12)).toEqual({ gate: 1, open: [] });
    await hand(3);
    const piece = { number: 3, chunks: 1, rows: 1, data: Buffer.alloc(0), waits: false };
    expect(await addPiece(connections, place, lease, piece)).toEqual({
      ...{ isOwn: true, isOpen: false },
    });
    const askedFor = (number: number) => takePiece(connections, { place, number }, 'me', TIMES);
    expect((await askedFor(1)).kind).toBe('later');
    const first = await askedFor(0);
    if (first.kind !== 'taken') throw new Error(first.kind);
    expect(first.canary).toEqual({ clients: 12, failed: 0 });
    // Ten of its rows are clients, of which one failed: the rest of the canary is in the next piece.
    const ended = {
      ...pieceEnd({ created: 6, failed: 1, rejected: 3, unchanged: 20 }),
      asBefore: 20,
    };
    expect(await endPiece(connections, first.lease, ended)).toMatchObject({ opens: [1] });
    expect((await askedFor(2)).kind).toBe('later');
    const second = await askedFor(1);
    if (second.kind !== 'taken') throw new Error(second.kind);
    expect(second.canary).toEqual({ clients: 5, failed: 1 });
    const stale = { ...second.lease, epoch: 0 };
    expect(await endCanary(connections, stale, () => false)).toEqual([]);
    expect(await endCanary(connections, second.lease, (plan) => plan !== '{}')).toBeNull();
    await appender(second.lease).append(1, [FACT]);
    expect(stops).toMatchObject([{ by: 'canary' }]);
    // The person learns of it first, and goes on then.
    expect((await limit(12))?.gate).toBe(0);
    const tally = { rejected: 0, allowed, onStop: () => undefined };
    await noteCanaryKnown(connections, {
      ...{ handed: 4, chunks: 7, isCounted: true, place, lease, tally, stays: false },
    });
    expect(await limit(12)).toEqual({ gate: null, open: [1, 2, 3] });
    expect((await askedFor(2)).kind).toBe('taken');
  });

  it('gives out a piece that waits when all before it have ended and nothing of them can arrive', async () => {
    await hand(2);
    const piece = { number: 2, chunks: 1, rows: 1, data: Buffer.from('piece 2'), waits: true };
    expect(await addPiece(connections, place, lease, piece)).toEqual({
      ...{ isOwn: true, isOpen: false },
    });
    const asked = () => takePiece(connections, { place, number: 2 }, 'me', TIMES);
    const [one, other] = [await take(0), await take(1)];
    expect(await endPiece(connections, other, pieceEnd())).toMatchObject({ opens: [] });
    expect((await asked()).kind).toBe('later');
    // A request of it was lost.
    const ended = { ...pieceEnd(), unsettledMs: 800 };
    expect(await endPiece(connections, one, ended)).toMatchObject({ opens: [2] });
    const later = await asked();
    expect(later).toMatchObject({ kind: 'later' });
    if (later.kind === 'later') expect(later.seconds).toBeLessThanOrEqual(0.8);
    await new Promise((resolve) => setTimeout(resolve, 800));
    await take(2);
    // Where nothing is left before it, it need not wait to be handed over.
    expect(await addPiece(connections, place, lease, { ...piece, number: 3 })).toMatchObject({
      isOpen: false,
    });
  });
});
