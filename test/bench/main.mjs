import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  existsSync,
  statSync,
  writeFileSync,
  readFileSync,
} from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeCsv, writeXlsx } from './generate.mjs';
import { MAIN, alternate, here, median, runNode, startSandbox, startServer } from './measure.mjs';

/**
 * npm run bench [-- part …] [--json] [--rounds N]
 * Parts: check-csv, check-xlsx, import, plain, start, changes, reconcile, queue, overload, refusals, distance, ledger, memory. Every figure is a ratio against a reference that is measured in the
 * same run, in alternation; medians with the spread.
 */
const args = process.argv.slice(2);
const json = args.includes('--json');
const rounds = Number(valueOf('--rounds') ?? 5);
const named = args.filter((arg, index) => !arg.startsWith('--') && args[index - 1] !== '--rounds');

function valueOf(flag) {
  const index = args.indexOf(flag);
  return index < 0 ? undefined : args[index + 1];
}

const MAPPING = here('./mapping.yaml');
const INSTALLATION = here('./installation.yaml');
/** Generated files are the same each time, so they are kept between runs. */
const FILES = join(tmpdir(), 'cardline-bench-files');

async function csvOf(rows) {
  return fileOf(`leads-${rows}.csv`, (file) => writeCsv(file, rows));
}
async function xlsxOf(rows) {
  return fileOf(`leads-${rows}.xlsx`, (file) => writeXlsx(file, rows));
}
async function fileOf(name, write) {
  mkdirSync(FILES, { recursive: true });
  const file = join(FILES, name);
  if (!existsSync(file) || statSync(file).size === 0) await write(file);
  return file;
}

const check = (file) => runNode([MAIN, 'check', file, '-m', MAPPING, '-i', INSTALLATION]);

async function checkPart(file, reference, limits) {
  const pairs = await alternate(
    rounds,
    () => check(file),
    () => runNode([reference, file]),
  );
  const ratios = pairs.map(({ a, b }) => a.seconds / b.seconds);
  return {
    wall: figure(ratios, limits.wall, 'at most'),
    memory: figure(
      pairs.map(({ a }) => a.megabytes),
      limits.megabytes,
      'at most',
      'MB',
    ),
    seconds: median(pairs.map(({ a }) => a.seconds)),
    referenceSeconds: median(pairs.map(({ b }) => b.seconds)),
  };
}

const importOnce = (file, port, concurrency, batchSize, extra = [], mapping = MAPPING) =>
  runOnce('import', file, port, concurrency, batchSize, extra, mapping);

async function runOnce(command, file, port, concurrency, batchSize, extra, mapping) {
  const folder = mkdtempSync(join(tmpdir(), 'cardline-bench-import-'));
  try {
    const installation = join(folder, 'installation.yaml');
    writeFileSync(
      installation,
      readFileSync(INSTALLATION, 'utf8').replace('127.0.0.1:1', `127.0.0.1:${port}`),
    );
    const run = await runNode(
      [
        MAIN,
        command,
        file,
        '-m',
        mapping,
        '-i',
        installation,
        '--out',
        join(folder, 'out'),
        ...(concurrency === 'auto' ? [] : ['--concurrency', String(concurrency)]),
        ...(batchSize === 'auto' ? [] : ['--batch-size', String(batchSize)]),
        ...extra,
      ],
      { cwd: folder },
    );
    return {
      ...run,
      summary: JSON.parse(readFileSync(join(folder, 'out', 'summary.json'), 'utf8')),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const LIMITED_ROWS = 200_000;

/** An import into a contact center of its own with these limits: the run's rows/s, and what the server counted. */
async function importLimited(limits, concurrency = 'auto', batchSize = 'auto') {
  const file = await csvOf(LIMITED_ROWS);
  const server = await startServer(here('./limited-server.mjs'), JSON.stringify(limits));
  try {
    const { summary } = await importOnce(file, server.port, concurrency, batchSize);
    if (summary.outcomes.created !== LIMITED_ROWS)
      throw new Error(`${summary.outcomes.created} of ${LIMITED_ROWS} were created`);
    return { rate: summary.rowsPerSecond, ...(await server.counts()) };
  } finally {
    server.stop();
  }
}

/** What one kind of limits makes of an import, beside the same import under others. */
async function limitedPart(limits, reference, wanted) {
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

const SINGLE = { rows: 20_000, concurrency: 8 };
/** One request a row: more rows, so that the start counts as little as where rows have several. */
const COMPARED_ROWS = 50_000;

/** Requests/s of a run that has requests for every single client, beside a loop that sends the same. */
async function singlePart({ run, mapping, isWhole, wanted, mode = '', rows = SINGLE.rows }) {
  const file = await csvOf(rows);
  const against = async (server) => {
    try {
      await importOnce(file, server.port, 4, 200);
      const loop = [file, mapping, INSTALLATION, server.port, SINGLE.concurrency, mode];
      const pairs = await alternate(
        rounds,
        () => run(file, server.port),
        async () => {
          const { output } = await runNode([here('./reference-changes.mjs'), ...loop.map(String)]);
          const { milliseconds, requests } = JSON.parse(output);
          return { requests, perSecond: (requests * 1000) / milliseconds };
        },
      );
      for (const { a, b } of pairs)
        if (a.summary.requests !== b.requests || !isWhole(a.summary))
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

const parts = {
  'check-csv': async () =>
    checkPart(await csvOf(1_000_000), here('./reference-csv.mjs'), { wall: 1.6, megabytes: 250 }),

  'check-xlsx': async () =>
    checkPart(await xlsxOf(200_000), here('./reference-xlsx.mjs'), { wall: 0.6, megabytes: 350 }),

  import: async () => {
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
          0.2,
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
  },

  // A script as people write it, which keeps no ledger and writes no report: both from the start of the process.
  plain: async () => {
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
      for (const { b } of pairs)
        if (JSON.parse(b.output).clients !== rows) throw new Error(b.output);
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
  },

  // The sandbox in a process of its own is the server; beside it, without a limit, one that does next to nothing.
  changes: async () => {
    const results = {};
    for (const mode of ['update', 'contacts']) {
      const mapping = here(`./mapping-${mode}.yaml`);
      const run = (file, port) => importOnce(file, port, SINGLE.concurrency, 200, [], mapping);
      const isWhole = ({ outcomes }) => outcomes.updated === SINGLE.rows;
      const figures = await singlePart({ run, mapping, isWhole, wanted: 0.6 });
      for (const [name, value] of Object.entries(figures)) results[`${mode} ${name}`] = value;
    }
    return results;
  },

  // The cards are there as they were sent: every row matches.
  reconcile: () =>
    singlePart({
      run: (file, port) => runOnce('reconcile', file, port, SINGLE.concurrency, 200, [], MAPPING),
      mapping: MAPPING,
      isWhole: ({ outcomes }) => outcomes.match === COMPARED_ROWS,
      wanted: 0.7,
      rows: COMPARED_ROWS,
      mode: 'reconcile',
    }),

  // Seconds, not ratios: a person waits for them. `firstRequest`: from the start of the process, whatever the file's size.
  start: async () => {
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
      firstRequestOfWorkbook: figure(
        await firstRequest(await xlsxOf(200_000)),
        0.5,
        'at most',
        's',
      ),
    };
  },

  // 8 workers, 40 ms a request and 0.5 ms a client, a queue of 16, then 503; nothing is set.
  queue: async () => {
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
  },

  // Slower by the square beyond 8 in flight. The reference: the best of fixed concurrencies; fewer and more are worse.
  overload: async () => {
    const limits = { workers: 1000, queue: 0, bearable: 8 };
    const fixed = [];
    for (const concurrency of [4, 6, 7, 8, 9, 10, 12, 16])
      fixed.push({ concurrency, ...(await importLimited(limits, concurrency, 500)) });
    const best = fixed.reduce((one, other) => (other.rate > one.rate ? other : one));
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
  },

  // One request in ten is refused at random.
  refusals: () => limitedPart({ queue: 1000, refusals: 0.1 }, { queue: 1000 }, 0.8),

  // 100 ms of latency on every request.
  distance: () => limitedPart({ latency: 100 }, {}, 0.9),

  ledger: async () => {
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
  },

  memory: async () => {
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
        checkGrowth: figure(grow(checks), 1.15, 'at most'),
        importGrowth: figure(grow(imports), 1.15, 'at most'),
        checkMegabytes: median(checks.map(({ a }) => a.megabytes)),
        importMegabytes: median(imports.map(({ a }) => a.megabytes)),
      };
    } finally {
      server.stop();
    }
  },
};

function figure(values, limit, direction, unit = 'x') {
  const value = median(values);
  const reached = direction === 'at most' ? value <= limit : value >= limit;
  return {
    value,
    least: Math.min(...values),
    most: Math.max(...values),
    unit,
    direction,
    limit,
    reached,
  };
}

function show(name, result) {
  console.log(`\n${name}`);
  for (const [key, value] of Object.entries(result)) {
    if (typeof value === 'number') console.log(`  ${key.padEnd(24)} ${round(value)}`);
    else
      console.log(
        `  ${key.padEnd(24)} ${round(value.value)} ${value.unit} (${round(value.least)} to ${round(value.most)}), wanted ${value.direction} ${value.limit}: ${value.reached ? 'reached' : 'NOT reached'}`,
      );
  }
}

const round = (value) =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2);

const unknown = named.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}.`);
  process.exit(64);
}
const results = {
  machine: { node: process.version, cores: cpus().length, model: cpus()[0]?.model },
};
if (!json) console.log(`Node ${process.version}, ${cpus().length} cores, ${rounds} rounds`);
for (const name of named.length > 0 ? named : Object.keys(parts)) {
  results[name] = await parts[name]();
  if (!json) show(name, results[name]);
}
if (json) console.log(JSON.stringify(results, null, 2));
