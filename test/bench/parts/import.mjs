import { mkdtemp, rm } from 'node:fs/promises';
import { figure } from '../figures.mjs';
import { INSTALLATION, MAPPING, csvOf } from '../files.mjs';
import { alternate, here, median, runNode, startServer } from '../measure.mjs';
import { importOnce } from '../run.mjs';

/**
 * Most processor time a row, in microseconds, of all threads and of the one that sends; and what csv-parse takes for a row
 * of 14 cells where these were set. A microsecond is worth twice as much on one machine as on another, and in one hour
 * half as much again as in the next: beside csv-parse it is worth the same.
 */
const MOST_CPU = { all: 15, main: 7, csvParse: 6.5 };

/** Into a server that accepts all, beside a loop that only posts: rows/s of so many rows, and processor time a row. */
const besideLoop = async (rounds, rows) => {
  // Of clients, as many as the import takes by itself where nothing is refused; the loop gets the same.
  const [concurrency, batchSize] = [4, 500];
  const file = await csvOf(rows);
  // The loop holds all of its bodies in memory.
  const loopFile = await csvOf(200_000);
  const server = await startServer(here('./accept-all.mjs'));
  const settings = [loopFile, MAPPING, INSTALLATION, server.port, concurrency, batchSize];
  const loop = [here('./reference-loop.mjs'), ...settings].map(String);
  try {
    const pairs = await alternate(
      rounds,
      () => importOnce(file, server.port, concurrency, batchSize),
      async () => ({
        ...JSON.parse((await runNode(loop)).output),
        csvParse: JSON.parse((await runNode([here('./reference-csv.mjs'), file])).output),
      }),
    );
    const ofLoop = ({ clients, milliseconds }) => (clients * 1000) / milliseconds;
    const ratio = (rate) => pairs.map(({ a, b }) => rate(a) / ofLoop(b));
    const microseconds = (perRow) => pairs.map((pair) => perRow(pair) * 1e6);
    const besideCsvParse = (seconds, most) =>
      figure(
        pairs.map(({ a, b }) => seconds(a) / b.csvParse.cpuSeconds),
        Number((most / MOST_CPU.csvParse).toFixed(2)),
        'at most',
      );
    const hasMain = pairs.every(({ a }) => a.mainSeconds !== null);
    return {
      // The run's own rows/s, from its first row to its last answer, as the loop is measured.
      rate: figure(
        ratio(({ summary }) => summary.rowsPerSecond),
        0.45,
        'at least',
      ),
      // From the start of the process to its end, report included.
      wholeProcess: median(ratio(({ seconds }) => rows / seconds)),
      rowsPerSecond: median(pairs.map(({ a }) => a.summary.rowsPerSecond)),
      referenceRowsPerSecond: median(pairs.map(({ b }) => ofLoop(b))),
      cpu: figure(
        microseconds(({ a }) => a.cpuSeconds / rows),
        MOST_CPU.all,
        'at most',
        'us a row',
      ),
      cpuBesideCsvParse: besideCsvParse(({ cpuSeconds }) => cpuSeconds, MOST_CPU.all),
      // Told on Linux alone.
      ...(hasMain && {
        mainThreadCpu: figure(
          microseconds(({ a }) => a.mainSeconds / rows),
          MOST_CPU.main,
          'at most',
          'us a row',
        ),
        mainThreadBesideCsvParse: besideCsvParse(({ mainSeconds }) => mainSeconds, MOST_CPU.main),
      }),
      // What a microsecond is worth on this machine in this hour.
      csvParseCpu: median(microseconds(({ b }) => b.csvParse.cpuSeconds / rows)),
      referenceCpu: median(microseconds(({ b }) => b.cpuSeconds / b.clients)),
      megabytes: median(pairs.map(({ a }) => a.megabytes)),
    };
  } finally {
    server.stop();
  }
};

export const importRate = (rounds) => besideLoop(rounds, 200_000);

/** Starting, compiling and the report are shared by more rows. */
export const importLarge = (rounds) => besideLoop(rounds, 1_000_000);

/** A script as people write it, which keeps no ledger and writes no report: both from the start of the process. */
export const plain = async (rounds) => {
  const [rows, concurrency, batchSize] = [200_000, 4, 200];
  const file = await csvOf(rows);
  const server = await startServer(here('./accept-all.mjs'));
  const script = [here('./reference-plain.mjs'), file, server.port, concurrency, batchSize];
  try {
    const pairs = await alternate(
      rounds,
      () => importOnce(file, server.port, concurrency, batchSize),
      () => runNode(script.map(String)),
    );
    for (const { b } of pairs) if (JSON.parse(b.output).clients !== rows) throw new Error(b.output);
    return {
      rate: figure(
        pairs.map(({ a, b }) => b.seconds / a.seconds),
        1.2,
        'at least',
      ),
      rowsPerSecond: median(pairs.map(({ a }) => rows / a.seconds)),
      referenceRowsPerSecond: median(pairs.map(({ b }) => rows / b.seconds)),
    };
  } finally {
    server.stop();
  }
};

/** The ledger on a disk beside one in memory. */
export const ledger = async (rounds) => {
  const rows = 200_000;
  const file = await csvOf(rows);
  let round = 0;
  const inMemory = await mkdtemp('/dev/shm/cardline-bench-');
  const server = await startServer(here('./accept-all.mjs'));
  const rate = ({ summary }) => summary.rowsPerSecond;
  try {
    const pairs = await alternate(
      rounds,
      () => importOnce(file, server.port, 4, 200),
      () => importOnce(file, server.port, 4, 200, ['--ledger', `${inMemory}/${round++}.db`]),
    );
    return {
      rate: figure(
        pairs.map(({ a, b }) => rate(a) / rate(b)),
        0.85,
        'at least',
      ),
      rowsPerSecond: median(pairs.map(({ a }) => rate(a))),
      inMemoryRowsPerSecond: median(pairs.map(({ b }) => rate(b))),
    };
  } finally {
    server.stop();
    await rm(inMemory, { recursive: true });
  }
};
