import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { figure } from '../figures.mjs';
import { INSTALLATION, MAPPING, csvOf } from '../files.mjs';
import { alternate, here, median, runNode, startSandbox, startServer } from '../measure.mjs';
import { importOnce, runOnce } from '../run.mjs';

const SINGLE = { rows: 20_000, concurrency: 8 };
/** A run asks once whether the contact center answers as one. */
const FIRST = 1;
/** One request a row: more rows, so that the start counts as little as where rows have several. */
const COMPARED_ROWS = 50_000;

/** Requests/s of a run that has requests for every single client, beside a loop that sends the same. */
async function singlePart({
  rounds,
  run,
  mapping,
  isWhole,
  wanted,
  mode = '',
  rows = SINGLE.rows,
}) {
  const file = await csvOf(rows);
  const against = async (server) => {
    try {
      await importOnce(file, server.port, 4, 200);
      const loop = [file, mapping, INSTALLATION, server.port, SINGLE.concurrency, mode];
      const pairs = await alternate(
        rounds,
        () => run(file, server.port),
        async () => {
          const { output } = await runNode([here('./reference-loop.mjs'), ...loop.map(String)]);
          const { milliseconds, requests } = JSON.parse(output);
          return { requests, perSecond: (requests * 1000) / milliseconds };
        },
      );
      for (const { a, b } of pairs)
        if (a.summary.requests !== b.requests + FIRST || !isWhole(a.summary))
          throw new Error(`${a.summary.requests} requests, and ${b.requests} in the loop`);
      const rate = ({ summary }) => summary.requests / summary.seconds;
      return {
        ratios: pairs.map(({ a, b }) => rate(a) / b.perSecond),
        perSecond: median(pairs.map(({ a }) => rate(a))),
        cpuMicroseconds: median(pairs.map(({ a }) => (a.cpuSeconds * 1e6) / a.summary.requests)),
      };
    } finally {
      server.stop();
    }
  };
  const sandbox = await against(await startSandbox());
  const quick = await against(await startServer(here('./accept-all.mjs'), 'remember'));
  return {
    rate: figure(sandbox.ratios, wanted, 'at least'),
    requestsPerSecond: sandbox.perSecond,
    rateAtQuickServer: median(quick.ratios),
    requestsPerSecondAtQuickServer: quick.perSecond,
    cpuMicroseconds: quick.cpuMicroseconds,
  };
}

/** A mapping that changes every card, however often it is used: what is there already is not sent. */
function changingMapping(mapping, use) {
  const text = readFileSync(mapping, 'utf8');
  return text.replace(/^ {4}city: .*$/m, `    city: { value: City ${use} }`);
}

/** The sandbox in a process of its own is the server; beside it, without a limit, one that does next to nothing. */
export const changes = async (rounds) => {
  const results = {};
  const folder = mkdtempSync(join(tmpdir(), 'cardline-bench-'));
  let uses = 0;
  for (const mode of ['update', 'contacts']) {
    const mapping = here(`./mapping-${mode}.yaml`);
    const run = (file, port) => {
      const used = join(folder, 'mapping.yaml');
      writeFileSync(used, changingMapping(mapping, ++uses));
      return importOnce(file, port, SINGLE.concurrency, 200, [], used);
    };
    const isWhole = ({ outcomes }) => outcomes.updated === SINGLE.rows;
    const figures = await singlePart({ rounds, run, mapping, isWhole, wanted: 0.6 });
    for (const [name, value] of Object.entries(figures)) results[`${mode} ${name}`] = value;
  }
  rmSync(folder, { recursive: true });
  return results;
};

/** The cards are there as they were sent: every row matches. */
export const reconcile = (rounds) =>
  singlePart({
    rounds,
    run: (file, port) => runOnce('reconcile', file, port, SINGLE.concurrency, 200, [], MAPPING),
    mapping: MAPPING,
    isWhole: ({ outcomes }) => outcomes.match === COMPARED_ROWS,
    wanted: 0.7,
    rows: COMPARED_ROWS,
    mode: 'reconcile',
  });
