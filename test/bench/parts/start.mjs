import { figure } from '../figures.mjs';
import { csvOf, xlsxOf } from '../files.mjs';
import { MAIN, here, runNode, startServer } from '../measure.mjs';
import { importOnce } from '../run.mjs';

/** Seconds, not ratios: a person waits for them. `firstRequest`: from the start of the process, whatever the file's size. */
export const start = async (rounds) => {
  const seconds = async (args) => {
    const runs = [];
    for (let round = 0; round < rounds; round++)
      runs.push((await runNode([MAIN, ...args])).seconds);
    return runs;
  };
  const firstRequest = async (file) => {
    const runs = [];
    for (let round = 0; round < rounds; round++) {
      const server = await startServer(here('./limited-server.mjs'), '{"perClient":0}');
      try {
        const { beganAt } = await importOnce(file, server.port, 'auto', 'auto');
        runs.push(((await server.counts()).first - beganAt) / 1000);
      } finally {
        server.stop();
      }
    }
    return runs;
  };
  return {
    version: figure(await seconds(['--version']), 0.15, 'at most', 's'),
    help: figure(await seconds(['--help']), 0.3, 'at most', 's'),
    firstRequestOf100Rows: figure(await firstRequest(await csvOf(100)), 0.5, 'at most', 's'),
    firstRequestOf1000000Rows: figure(
      await firstRequest(await csvOf(1_000_000)),
      0.5,
      'at most',
      's',
    ),
    firstRequestOfWorkbook: figure(await firstRequest(await xlsxOf(200_000)), 0.5, 'at most', 's'),
  };
};
