import { postgresAddress } from '../connection/address.js';
import { type Connections, type Queries, connectionsTo } from '../connection/connection.js';
import { prepareTables } from '../prepare-tables.js';
import { LEDGER_SCHEMA } from '../schema.js';
import { answerBeat } from './answer-beat.js';
import { type Beat, type BeatAnswer, NO_PACE, type PaceState } from './pace-state.js';

const TABLE = `${LEDGER_SCHEMA}.pace`;
/** A database that answers no sooner is as good as lost, in milliseconds. */
const STATEMENT_MS = 5000;

/** The pace of one contact center, in the row that all machines share. */
export interface PaceRow {
  /** @throws LedgerError, NoLedgerError */
  beat(beat: Beat): Promise<BeatAnswer>;
  close(): Promise<void>;
}

/**
 * Connects with the first report. The connection is one of its own: what is recorded must not hold up the pace.
 * @throws NoLedgerError for an address that cannot be read
 */
export function openPaceRow(address: string, center: string): PaceRow {
  const connections = connectionsTo(postgresAddress(address), {
    connections: 1,
    statementMs: STATEMENT_MS,
  });
  let prepared: Promise<void> | undefined;
  const prepare = async (): Promise<void> => {
    try {
      await (prepared ??= prepareTables(connections));
    } catch (error) {
      prepared = undefined;
      throw error;
    }
  };
  return {
    beat: async (beat) => {
      await prepare();
      return answerIn(connections, center, beat);
    },
    close: () => connections.close(),
  };
}

/** The row is locked from its being read to its being written. Times are those of the database. */
export function answerIn(
  connections: Pick<Connections, 'transaction'>,
  center: string,
  beat: Beat,
): Promise<BeatAnswer> {
  return connections.transaction(async (queries) => {
    const { state, now } = await lockRow(queries, center);
    const next = answerBeat(state, beat, now);
    await queries.run(`UPDATE ${TABLE} SET state = $2 WHERE center = $1`, [
      center,
      JSON.stringify(next.state),
    ]);
    return next.answer;
  });
}

/**
 * Does not wait for the disk: a server that broke down has forgotten less than a second, and is back only after the
 * leases that it knows of.
 */
async function lockRow(
  queries: Queries,
  center: string,
): Promise<{ readonly state: PaceState; readonly now: number }> {
  const find = () =>
    queries.rows<{ state: string; now: number }>(
      `SELECT state, set_config('synchronous_commit', 'off', true),
         extract(epoch FROM clock_timestamp())::float8 * 1000 AS now
       FROM ${TABLE} WHERE center = $1 FOR UPDATE`,
      [center],
    );
  let [found] = await find();
  if (!found) {
    await queries.run(
      `INSERT INTO ${TABLE} (center, state) VALUES ($1, $2) ON CONFLICT (center) DO NOTHING`,
      [center, JSON.stringify(NO_PACE)],
    );
    [found] = await find();
  }
  if (!found) throw new Error('The row of the pace is gone.');
  // Written by us: its shape is not checked again.
  return { state: JSON.parse(found.state) as PaceState, now: found.now };
}
