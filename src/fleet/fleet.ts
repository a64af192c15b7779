import { postgresAddress } from '../ledger/address.js';
import {
  type Connections,
  connectionsTo,
  asPostgresError,
  type Queries,
} from '../ledger/connection.js';
import { LEASE_TIMES, type LeaseTimes } from '../ledger/lease.js';
import { prepareTables, quoted, RIGHTS, roleOf } from '../ledger/postgres-schema.js';
import PgBoss from 'pg-boss';
import { CardlineError, codeOf } from '../core/errors.js';

/** What machines share: the database of the ledger, with the jobs of pieces in it. */
export interface Fleet {
  readonly connections: Connections;
  readonly jobs: PieceJobs;
  readonly times: LeaseTimes;
  close(): Promise<void>;
}

/** After which part of a lease an answer is no longer waited for. */
const NOTICED = 0.5;

/** @throws LedgerError, NoLedgerError: what is wrong with address, user, certificate, server or tables */
export async function openFleet(address: string, times: LeaseTimes = LEASE_TIMES): Promise<Fleet> {
  // Where nothing comes back, leases lapse: it has to be noticed before.
  const connections = connectionsTo(postgresAddress(address), {
    statementMs: times.leaseMs * NOTICED,
  });
  try {
    await prepareTables(connections);
    const jobs = await PieceJobs.open(connections);
    return { connections, jobs, times, close: () => connections.close() };
  } catch (error) {
    await connections.close();
    throw error;
  }
}

/** Jobs have a schema of their own. */
const JOBS_SCHEMA = 'cardline_jobs';

const J = JOBS_SCHEMA;

/** What makes and removes the table of a run. */
const FUNCTIONS = ['create_queue(text, json)', 'delete_queue(text)'];

/**
 * Makes the tables of jobs in a database; `null`: they are there, and the role may work with them. Else what an
 * administrator has to execute. @throws LedgerError, NoLedgerError
 */
export async function initJobs(address: string, justPrints: boolean): Promise<string | null> {
  const connections = connectionsTo(postgresAddress(address));
  try {
    if (!justPrints && (await isReady(connections))) return null;
    return jobsSql(await roleOf(connections), await areThere(connections));
  } finally {
    await connections.close();
  }
}

async function isReady(connections: Connections): Promise<boolean> {
  try {
    await PieceJobs.open(connections);
  } catch (error) {
    if (error instanceof CardlineError && codeOf(error.cause) === FORBIDDEN) return false;
    throw error;
  }
  const [found] = await connections.rows<{ may: boolean | null }>(
    `SELECT has_schema_privilege('${J}', 'USAGE')
       AND (SELECT bool_and(${RIGHTS}) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = '${J}' AND c.relkind IN ('r', 'p') AND NOT c.relispartition)
       AND (SELECT bool_and(has_function_privilege(f.oid, 'EXECUTE')
              AND (f.prosecdef OR pg_has_role(f.proowner, 'USAGE')))
            FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace
            WHERE n.nspname = '${J}' AND f.proname IN ('create_queue', 'delete_queue')) AS may`,
  );
  return found?.may === true;
}

/** SQLSTATE: the role may not do this. */
const FORBIDDEN = '42501';

/** Also where the role may not look at them. */
async function areThere(connections: Connections): Promise<boolean> {
  const found = await connections.rows(
    `SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = '${J}' AND c.relname = 'version'`,
  );
  return found.length > 0;
}

/**
 * The statements that make the tables of jobs and permit a role to work with them. Each run has a table of its own: it is
 * made by functions that have the rights of the administrator, so that the role needs none to make tables.
 */
export function jobsSql(role: string, areMade: boolean): string {
  const to = quoted(role);
  const functions = FUNCTIONS.flatMap((name) => [
    `ALTER FUNCTION ${J}.${name} SECURITY DEFINER SET search_path = ${J}, pg_temp;`,
    `REVOKE ALL ON FUNCTION ${J}.${name} FROM PUBLIC;`,
    `GRANT EXECUTE ON FUNCTION ${J}.${name} TO ${to};`,
  ]);
  return [
    ...(areMade ? [] : [PgBoss.getConstructionPlans(J).trim().replaceAll(/^ {4}/gm, '')]),
    'BEGIN;',
    ...functions,
    `GRANT USAGE ON SCHEMA ${J} TO ${to};`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${J} TO ${to};`,
    'COMMIT;\n',
  ].join('\n');
}

/**
 * One job for each piece of a run, in a queue for each run: so workers choose between runs, and in a run the oldest goes
 * first.
 */
const queueOf = (run: string): string => `run-${run}`;
const runOf = (queue: string): string | null => /^run-(.+)$/.exec(queue)?.[1] ?? null;

/** SQLSTATE: a job of the queue is there. */
const STILL_REFERENCED = '23503';

/** Digits of a number in the id of a job, which is 128 bits. */
const DIGITS = 32;

/** A piece always has the same id: two jobs for one are not possible. */
const idOf = (number: number): string => number.toString(16).padStart(DIGITS, '0');

/**
 * Says when pieces are to be taken. What is done with a job goes through the connection of a transaction, so that it holds
 * together with what is done with the piece. Jobs are fetched and put back in one transaction: none is ever seen as
 * active, so that nothing has to be supervised.
 */
class PieceJobs {
  private constructor(
    private readonly boss: PgBoss,
    private readonly connections: Connections,
  ) {}

  /** Makes the tables where there are none. @throws NoLedgerError where the role may not */
  static async open(connections: Connections): Promise<PieceJobs> {
    const boss = new PgBoss({
      ...{ db: databaseOf(connections), schema: JOBS_SCHEMA },
      ...{ supervise: false, schedule: false, migrate: true },
    });
    boss.on('error', () => undefined);
    const jobs = new PieceJobs(boss, connections);
    await jobs.#guarded(() => boss.start());
    return jobs;
  }

  /** Makes room for the jobs of a run. */
  begin(run: string): Promise<void> {
    return this.#guarded(() => this.boss.createQueue(queueOf(run)));
  }

  /** Forgets the jobs of a run that is at its end. Where somebody has just put one off, `sweep` does it later. */
  async end(run: string): Promise<void> {
    try {
      await this.boss.purgeQueue(queueOf(run));
      await this.boss.deleteQueue(queueOf(run));
    } catch (error) {
      if (codeOf(error) !== STILL_REFERENCED) throw asPostgresError(error, this.connections.name);
    }
  }

  /** Forgets the jobs of all runs but those that are live, which is asked last: one that begins meanwhile keeps its own. */
  async sweep(live: () => Promise<ReadonlySet<string>>): Promise<void> {
    const runs = await this.runs();
    const kept = await live();
    for (const run of runs) if (!kept.has(run)) await this.end(run);
  }

  /** Runs that have jobs. */
  async runs(): Promise<string[]> {
    const queues = await this.#guarded(() => this.boss.getQueues());
    return queues.map(({ name }) => runOf(name)).filter((run) => run !== null);
  }

  /** Has a piece taken in so many seconds. Does nothing where it has a job already. */
  async add(queries: Queries, run: string, number: number, seconds = 0): Promise<void> {
    const options = { id: idOf(number), startAfter: seconds, db: databaseOf(queries) };
    await this.#guarded(() => this.boss.send(queueOf(run), { number }, options));
  }

  /** Has pieces taken at once: one statement for all, since others wait for whoever opens them. */
  async addAll(queries: Queries, run: string, numbers: readonly number[]): Promise<void> {
    if (numbers.length === 0) return;
    const name = queueOf(run);
    const jobs = numbers.map((number) => ({ name, id: idOf(number), data: { number } }));
    await this.#guarded(() => this.boss.insert(jobs, { db: databaseOf(queries) }));
  }

  /** The number of a piece that is due, whose job others pass over until the transaction has ended; `undefined`: none is. */
  async next(queries: Queries, run: string): Promise<number | undefined> {
    let failure: unknown;
    // pg-boss swallows an error here, and gives no job.
    const db = databaseOf(queries, (error) => {
      failure = error;
    });
    const [job] = await this.boss.fetch<{ number: number }>(queueOf(run), { db });
    if (failure !== undefined) throw asPostgresError(failure, this.connections.name);
    return job?.data.number;
  }

  async remove(queries: Queries, run: string, number: number): Promise<void> {
    const db = databaseOf(queries);
    await this.#guarded(() => this.boss.deleteJob(queueOf(run), idOf(number), { db }));
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw asPostgresError(error, this.connections.name);
    }
  }
}

/**
 * Executes the statements of pg-boss, by any connection or in a transaction. It gets errors as the driver has them, since
 * it looks into their messages for those that it can ignore.
 */
function databaseOf(
  queries: Queries,
  onError: (error: unknown) => void = () => undefined,
): PgBoss.Db {
  return {
    executeSql: async (text: string, values?: unknown[]) => {
      try {
        return { rows: await queries.rows<object>(text, values) };
      } catch (error) {
        const cause = error instanceof CardlineError ? (error.cause ?? error) : error;
        onError(cause);
        throw cause;
      }
    },
  };
}
