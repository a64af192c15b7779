import { figure } from '../figures.mjs';
import { INSTALLATION, MAPPING, csvOf } from '../files.mjs';
import { alternate, here, median, runNode, startServer } from '../measure.mjs';
import { importOnce } from '../run.mjs';

export const importRate = async (rounds) => {
  const [rows, concurrency, batchSize] = [200_000, 4, 200];
  const file = await csvOf(rows);
  const server = await startServer(here('./accept-all.mjs'));
  try {
    const pairs = await alternate(
      rounds,
      () => importOnce(file, server.port, concurrency, batchSize),
      async () => {
        const loop = [
          here('./reference-loop.mjs'),
          file,
          MAPPING,
          INSTALLATION,
          server.port,
          concurrency,
          batchSize,
        ];
        const { milliseconds, clients } = JSON.parse((await runNode(loop.map(String))).output);
        return { rowsPerSecond: (clients * 1000) / milliseconds };
      },
    );
    const ratio = (rate) => pairs.map(({ a, b }) => rate(a) / b.rowsPerSecond);
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
      referenceRowsPerSecond: median(pairs.map(({ b }) => b.rowsPerSecond)),
      cpuMicrosecondsPerRow: median(pairs.map(({ a }) => (a.cpuSeconds * 1e6) / rows)),
      megabytes: median(pairs.map(({ a }) => a.megabytes)),
    };
  } finally {
    server.stop();
  }
};

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

export const ledger = async (rounds) => {
  const rows = 200_000;
  const file = await csvOf(rows);
  const server = await startServer(here('./accept-all.mjs'));
  const rate = ({ summary }) => summary.rowsPerSecond;
  try {
    const pairs = await alternate(
      rounds,
      () => importOnce(file, server.port, 4, 200),
      () => importOnce(file, server.port, 4, 200, ['--ledger', ':memory:']),
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
  }
};
