import { figure } from '../figures.mjs';
import { csvOf } from '../files.mjs';
import { alternate, here, median, startServer } from '../measure.mjs';
import { importOnce } from '../run.mjs';

const LIMITED_ROWS = 200_000;
/** Enough to tell good from bad. */
const TRIED_ROWS = 50_000;

/** An import into a contact center of its own with these limits: the run's rows/s, and what the server counted. */
async function importLimited(
  limits,
  concurrency = 'auto',
  batchSize = 'auto',
  rows = LIMITED_ROWS,
) {
  const file = await csvOf(rows);
  const server = await startServer(here('./limited-server.mjs'), JSON.stringify(limits));
  try {
    const { summary } = await importOnce(file, server.port, concurrency, batchSize);
    if (summary.outcomes.created !== rows)
      throw new Error(`${summary.outcomes.created} of ${rows} were created`);
    return { rate: summary.rowsPerSecond, ...(await server.counts()) };
  } finally {
    server.stop();
  }
}

/** What one kind of limits makes of an import, beside the same import under others. */
async function limitedPart(rounds, limits, reference, wanted) {
  const pairs = await alternate(
    rounds,
    () => importLimited(limits),
    () => importLimited(reference),
  );
  return {
    rate: figure(
      pairs.map(({ a, b }) => a.rate / b.rate),
      wanted,
      'at least',
    ),
    ...shown(pairs.map(({ a }) => a)),
    referenceRowsPerSecond: median(pairs.map(({ b }) => b.rate)),
  };
}

const shown = (runs) => ({
  rowsPerSecond: median(runs.map(({ rate }) => rate)),
  requests: median(runs.map(({ requests }) => requests)),
  refusedPercent: median(runs.map(({ requests, refused }) => (100 * refused) / requests)),
  mostInFlight: median(runs.map(({ most }) => most)),
});

/** Clients a second of so many workers at the largest batches. */
const bestOf = (workers) => (workers * 500 * 1000) / (40 + 0.5 * 500);

/** 8 workers, 40 ms a request and 0.5 ms a client, a queue of 16, then 503; nothing is set. */
export const queue = async (rounds) => {
  const runs = [];
  for (let round = 0; round < rounds; round++) runs.push(await importLimited({}));
  const refused = runs.map((run) => (100 * run.refused) / run.requests);
  return {
    rate: figure(
      runs.map(({ rate }) => rate / bestOf(8)),
      0.9,
      'at least',
    ),
    refusals: figure(refused, 1, 'at most', '%'),
    ...shown(runs),
  };
};

/** Slower by the square beyond 8 in flight. The reference: the best of all fixed concurrencies from 1 to 32. */
export const overload = async (rounds) => {
  const limits = { workers: 1000, queue: 0, bearable: 8 };
  const tried = [];
  for (let concurrency = 1; concurrency <= 32; concurrency++)
    tried.push({
      concurrency,
      ...(await importLimited(limits, concurrency, 500, TRIED_ROWS)),
    });
  // Of few rows, the last requests are a good part: the best ones show with all rows which of them is the best.
  const fixed = [];
  for (const { concurrency } of fastest(tried).slice(0, 4))
    fixed.push({ concurrency, ...(await importLimited(limits, concurrency, 500)) });
  const [best] = fastest(fixed);
  const runs = [];
  for (let round = 0; round < rounds; round++) runs.push(await importLimited(limits));
  return {
    rate: figure(
      runs.map(({ rate }) => rate / best.rate),
      0.9,
      'at least',
    ),
    bestFixedConcurrency: best.concurrency,
    bestFixedRowsPerSecond: best.rate,
    ...shown(runs),
  };
};

const fastest = (runs) => runs.toSorted((one, other) => other.rate - one.rate);

/** One request in ten is refused at random. */
export const refusals = (rounds) =>
  limitedPart(rounds, { queue: 1000, refusals: 0.1 }, { queue: 1000 }, 0.8);

/** 100 ms of latency on every request. */
export const distance = (rounds) => limitedPart(rounds, { latency: 100 }, {}, 0.9);
