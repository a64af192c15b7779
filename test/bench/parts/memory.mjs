import { figure } from '../figures.mjs';
import { csvOf } from '../files.mjs';
import { alternate, here, median, startServer } from '../measure.mjs';
import { check, importOnce } from '../run.mjs';

/**
 * Peak memory of 1,000,000 rows beside that of 200,000: of fewer than 131,072, keys stay in memory and the filter before
 * those on the disk is not made, which is 12 MB that an import has or has not.
 */
export const memory = (rounds) => growth(200_000, 1_000_000, 1.1, Math.min(rounds, 3));

/** Of 10,000,000 rows beside 1,000,000: a few minutes a round, and a file of 1.7 GB. */
export const memoryLarge = (rounds) => growth(1_000_000, 10_000_000, 1.05, Math.min(rounds, 3));

async function growth(fewRows, manyRows, limit, rounds) {
  const [small, large] = [await csvOf(fewRows), await csvOf(manyRows)];
  const server = await startServer(here('./accept-all.mjs'));
  try {
    const beside = (run) =>
      alternate(
        rounds,
        () => run(large),
        () => run(small),
      );
    const checks = await beside(check);
    const imports = await beside((file) => importOnce(file, server.port, 4, 500));
    const grow = (pairs) => pairs.map(({ a, b }) => a.megabytes / b.megabytes);
    return {
      checkGrowth: figure(grow(checks), limit, 'at most'),
      importGrowth: figure(grow(imports), limit, 'at most'),
      checkMegabytes: median(checks.map(({ a }) => a.megabytes)),
      importMegabytes: median(imports.map(({ a }) => a.megabytes)),
      importMicrosPerRow: median(imports.map(({ a }) => (a.cpuSeconds * 1e6) / manyRows)),
    };
  } finally {
    server.stop();
  }
}
