import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { csv, installation, leads, useBench, twice } from '../kit/bench.js';

const LIBRARY = new URL('../../dist/command/index.mjs', import.meta.url).href;

/** Two imports at the same time in one process, as a program would start them. */
const PROGRAM = `
  import { importFiles } from ${JSON.stringify(LIBRARY)};
  const [folder, ...names] = process.argv.slice(2);
  const at = (name) => folder + '/' + name;
  const results = await Promise.all(
    names.map((name) =>
      importFiles({
        files: [at(name + '.csv')],
        mapping: at('mapping.yaml'),
        installation: at('center.yaml'),
        ledger: at(name + '.db'),
        out: at(name),
        concurrency: 4,
        batchSize: 50,
      }),
    ),
  );
  process.exitCode = Math.max(...results.map(({ exitCode }) => exitCode));
`;

const bench = useBench();

const ROWS = 400;

it('what an installation permits holds for all imports of a process together', async () => {
  const limits = '{ concurrency: 2, requestsPerSecond: 10 }';
  await bench.write('center.yaml', installation(bench.center.url, limits));
  bench.center.behave = () => ({ delay: 300 });
  const all = leads(2 * ROWS);
  await bench.write('first.csv', csv(all.slice(0, ROWS)));
  await bench.write('second.csv', csv(all.slice(ROWS)));
  const program = spawn(
    process.execPath,
    [await bench.write('program.mjs', PROGRAM), bench.at('.'), 'first', 'second'],
    { env: { ...process.env, ...bench.environment }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  expect((await once(program, 'close'))[0]).toBe(0);
  const { requests, creations } = bench.center;
  expect(creations.size).toBe(2 * ROWS);
  expect(twice(creations)).toEqual([]);
  expect(bench.center.mostInFlight()).toBe(2);
  const spanned = (requests.at(-1)?.at ?? 0) - (requests[0]?.at ?? 0);
  expect(requests.length / (spanned / 1000)).toBeLessThanOrEqual(11);
});
