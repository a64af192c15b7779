import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { figure } from '../figures.mjs';
import { csvOf } from '../files.mjs';
import { alternate, here, median, startServer } from '../measure.mjs';
import { startPostgres } from '../postgres.mjs';
import { importOnce } from '../run.mjs';

const ROWS = 200_000;
/** Enough for 30 requests after each other of each of four. */
const DISTANT_ROWS = 60_000;
const [IN_FLIGHT, BATCH] = [4, 500];
/** The server adds up what it did not before this, in milliseconds. */
const STATISTICS_MS = 1500;

/** One process on PostgreSQL beside the same on SQLite, what it costs the database, and two processes beside one. */
export const fleet = async (rounds) => {
  const postgres = startPostgres();
  try {
    const beside = await besideSqlite(rounds, postgres);
    return { ...beside, ...(await twoBesideOne(rounds, postgres)) };
  } finally {
    postgres.remove();
  }
};

async function besideSqlite(rounds, postgres) {
  const file = await csvOf(ROWS);
  const server = await startServer(here('./accept-all.mjs'));
  const imported = async (extra = []) =>
    (await importOnce(file, server.port, IN_FLIGHT, BATCH, extra)).summary.rowsPerSecond;
  try {
    const pairs = await alternate(
      rounds,
      async () => {
        const { ledger, ask } = await postgres.database();
        const before = await ask('SELECT pg_current_wal_lsn() AS lsn');
        const rate = await imported(['--ledger', ledger]);
        return { rate, ...(await costs(ask, before.lsn)) };
      },
      async () => ({ rate: await imported() }),
    );
    const mid = (what) => median(pairs.map(({ a }) => a[what]));
    return {
      besideSqlite: figure(
        pairs.map(({ a, b }) => a.rate / b.rate),
        0.8,
        'at least',
      ),
      rowsPerSecond: mid('rate'),
      sqliteRowsPerSecond: median(pairs.map(({ b }) => b.rate)),
      databaseMicrosPerRow: mid('micros'),
      bytesPerRow: mid('bytes'),
      logBytesPerRow: mid('log'),
    };
  } finally {
    server.stop();
  }
}

/** What a database spent on a run of all rows: its time, its tables with their indexes, and its write-ahead log. */
async function costs(ask, lsn) {
  await sleep(STATISTICS_MS);
  const found = await ask(
    `SELECT active_time AS ms, pg_wal_lsn_diff(pg_current_wal_lsn(), '${lsn}') AS log,
       (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
        WHERE relnamespace = 'cardline'::regnamespace AND relkind = 'r') AS bytes
     FROM pg_stat_database WHERE datname = current_database()`,
  );
  return {
    micros: (Number(found.ms) * 1000) / ROWS,
    bytes: Number(found.bytes) / ROWS,
    log: Number(found.log) / ROWS,
  };
}

/** Two processes with a half each, at a contact center that is 100 ms away, beside one with all of it. */
async function twoBesideOne(rounds, postgres) {
  const folder = mkdtempSync(join(tmpdir(), 'cardline-bench-fleet-'));
  const whole = await csvOf(DISTANT_ROWS);
  const halves = halvesOf(whole, folder);
  const imported = async (files) => {
    const { ledger } = await postgres.database();
    const server = await startServer(
      here('./limited-server.mjs'),
      JSON.stringify({ workers: 1000, queue: 0, latency: 100 }),
    );
    try {
      const runs = await Promise.all(
        files.map((file) => importOnce(file, server.port, IN_FLIGHT, BATCH, ['--ledger', ledger])),
      );
      const seconds = Math.max(...runs.map(({ summary }) => summary.seconds));
      return runs.reduce((sum, { summary }) => sum + summary.outcomes.created, 0) / seconds;
    } finally {
      server.stop();
    }
  };
  try {
    const pairs = await alternate(
      rounds,
      () => imported(halves),
      () => imported([whole]),
    );
    return {
      twoBesideOne: figure(
        pairs.map(({ a, b }) => a / b),
        1.9,
        'at least',
      ),
      twoRowsPerSecond: median(pairs.map(({ a }) => a)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** No cell of a generated file has a line break. */
function halvesOf(file, folder) {
  const [header, ...rows] = readFileSync(file, 'utf8').trimEnd().split(/\r?\n/);
  const middle = Math.ceil(rows.length / 2);
  return [rows.slice(0, middle), rows.slice(middle)].map((half, at) => {
    const path = join(folder, `half-${at}.csv`);
    writeFileSync(path, [header, ...half, ''].join('\n'));
    return path;
  });
}
