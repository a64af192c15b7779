import { figure } from '../figures.mjs';
import { csvOf } from '../files.mjs';
import { alternate, here, median, startServer } from '../measure.mjs';
import { check, importOnce } from '../run.mjs';

export const memory = async (rounds) => {
  const [small, large] = [await csvOf(100_000), await csvOf(1_000_000)];
  const server = await startServer(here('./accept-all.mjs'));
  try {
    const checks = await alternate(
      Math.min(rounds, 3),
      () => check(large),
      () => check(small),
    );
    const imports = await alternate(
      1,
      () => importOnce(large, server.port, 4, 200),
      () => importOnce(small, server.port, 4, 200),
    );
    const grow = (pairs) => pairs.map(({ a, b }) => a.megabytes / b.megabytes);
    return {
      checkGrowth: figure(grow(checks), 1.1, 'at most'),
      importGrowth: figure(grow(imports), 1.1, 'at most'),
      checkMegabytes: median(checks.map(({ a }) => a.megabytes)),
      importMegabytes: median(imports.map(({ a }) => a.megabytes)),
    };
  } finally {
    server.stop();
  }
};
