/**
 * How well several machines keep one pace: `node test/bench/figures/pace.mjs [requests a second] [seconds]`, after
 * `npm run build`. Two shared runs of one contact center and four workers, each a process of its own, on a PostgreSQL of
 * its own; every request has one client. The contact center notes when a request came. Default: 1,000 for 30 seconds.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { INSTALLATION, MAPPING, csvOf } from '../files.mjs';
import { MAIN, runNode, startServer } from '../measure.mjs';
import { startPostgres } from '../postgres.mjs';

const WORKERS = 4;
const RUNS = 2;
/** Beginning and end, in which not all have joined or work, in milliseconds. */
const EDGE_MS = 5000;

if (process.argv[2] === 'serve') serve(process.argv[3]);
else await measure(Number(process.argv[2] ?? 1000), Number(process.argv[3] ?? 30));

/** Writes the times of all requests to a file when it is asked, and says how many there are. */
function serve(file) {
  const times = [];
  let nextId = 1;
  const answerTo = ({ method, url }, body) => {
    if (method !== 'POST' || url !== '/api/v1/clients/exec.do') return [];
    const results = body.clients.map(({ uuid }) => ({
      ...{ uuid, result: 'Success', createdClientId: nextId++ },
    }));
    return { createResult: results };
  };
  const server = createServer((request, response) => {
    times.push(performance.now());
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const answer = answerTo(request, JSON.parse(Buffer.concat(parts).toString() || 'null'));
      const headers = { 'content-type': 'application/json' };
      response.writeHead(answer.createResult ? 201 : 200, headers).end(JSON.stringify(answer));
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
  process.on('SIGUSR2', () => {
    writeFileSync(file, JSON.stringify(times));
    console.log(times.length);
  });
  process.on('SIGTERM', () => process.exit(0));
}

async function measure(limit, seconds) {
  const folder = mkdtempSync(join(tmpdir(), 'cardline-figures-'));
  const postgres = startPostgres();
  const center = await startServer(import.meta.filename, 'serve', join(folder, 'times.json'));
  const workers = [];
  try {
    const { ledger } = await postgres.database();
    const installation = join(folder, 'installation.yaml');
    const address = readFileSync(INSTALLATION, 'utf8').replace(
      '127.0.0.1:1',
      `127.0.0.1:${center.port}`,
    );
    writeFileSync(
      installation,
      `${address}\nlimits: { requestsPerSecond: ${limit}, concurrency: 64 }\n`,
    );
    const rows = limit * seconds;
    const [header, ...lines] = readFileSync(await csvOf(rows), 'utf8')
      .trimEnd()
      .split('\n');
    const share = Math.ceil(rows / RUNS);
    for (let run = 0; run < RUNS; run++) {
      const file = join(folder, `part-${run}.csv`);
      writeFileSync(
        file,
        `${[header, ...lines.slice(run * share, (run + 1) * share)].join('\n')}\n`,
      );
      const words = ['import', file, '-m', MAPPING, '-i', installation, '--ledger', ledger];
      await runNode([MAIN, ...words, '--batch-size', '1', '--shared', '--detach'], { cwd: folder });
    }
    for (let at = 0; at < WORKERS; at++)
      workers.push(
        spawn(process.execPath, [MAIN, 'worker', '--ledger', ledger], {
          cwd: folder,
          stdio: 'ignore',
        }),
      );
    let requests = 0;
    for (let left = 10 * seconds; left > 0 && requests < rows; left--) {
      await sleep(1000);
      requests = await center.counts();
    }
    show(limit, JSON.parse(readFileSync(join(folder, 'times.json'), 'utf8')));
  } finally {
    for (const worker of workers) worker.kill('SIGTERM');
    center.stop();
    postgres.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

function show(limit, times) {
  const [from, to] = [times[0] + EDGE_MS, times.at(-1) - EDGE_MS];
  const between = times.filter((at) => at >= from && at < to).length;
  const perSecond = (between * 1000) / (to - from);
  // By the clock of the contact center, and in any span of a second at all.
  const byClock = new Map();
  for (const at of times)
    byClock.set(Math.floor(at / 1000), (byClock.get(Math.floor(at / 1000)) ?? 0) + 1);
  let [first, fullest] = [0, 0];
  for (const [last, at] of times.entries()) {
    while (at - times[first] >= 1000) first++;
    fullest = Math.max(fullest, last - first + 1);
  }
  console.table({
    requests: times.length,
    'a second': Math.round(perSecond),
    'of the limit, %': ((100 * perSecond) / limit).toFixed(1),
    'fullest second by the clock': Math.max(...byClock.values()),
    'fullest span of a second': fullest,
  });
}
