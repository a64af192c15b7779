/**
 * What many machines cost, and what becomes the limit first: `node test/bench/figures/fleet.mjs [rows]`, after `npm run build`.
 * Measures on a PostgreSQL of its own what a shared run asks of it, and runs 1 to 100 workers with these costs in virtual
 * time, beside the arithmetic. Default: 1,000,000,000 rows. It fails where the two are more than a tenth apart.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionsTo } from '../../../dist/ledger/database.js';
import { prepareTables } from '../../../dist/ledger/postgres.js';
import { postgresAddress } from '../../../dist/ledger/port.js';
import { appenderOfShared } from '../../../dist/ledger/shared.js';
import { openPace } from '../../../dist/fleet/pace.js';
import { INSTALLATION, MAPPING, csvOf } from '../files.mjs';
import { MAIN, here, runNode, startServer } from '../measure.mjs';
import { startPostgres } from '../postgres.mjs';

const rows = Number(process.argv[2] ?? 1_000_000_000);
/** A contact center 100 ms away that takes 40 ms for a request and 0.5 ms for a client, and 4 requests of each worker. */
const [BATCH, IN_FLIGHT, ANSWER_MS] = [500, 4, 390];
const WORKERS = [1, 2, 5, 10, 20, 50, 100];
const MEMBERS = 100;
/** Processes that append at once, each for a piece of its own. */
const SIDES = 4;
const SUBMITTED_ROWS = 200_000;
/** Bytes of the facts of a batch: what is to be sent, and what came of it, by what the bench `fleet` finds for a row. */
const FACT_BYTES = [[60], [60 * BATCH]];
const CORES = availableParallelism();

const server = startPostgres();
try {
  const { ledger, ask } = await server.database();
  const connections = connectionsTo(postgresAddress(ledger));
  await prepareTables(connections);
  const measured = {
    ...(await measureAppends(connections, ask)),
    beatMs: await measureBeats(ledger),
    submittedPerSecond: await measureSubmit((await server.database()).ledger),
  };
  await connections.close();
  show(measured);
} finally {
  server.remove();
}

/** How long one statement keeps the others of its run waiting, alone and from many sides at once. */
async function measureAppends(connections, ask) {
  const place = await beginRun(connections);
  const tally = { mode: 'create', unknown: () => 0, onStop: () => undefined };
  const facts = FACT_BYTES.map(([bytes]) => [
    { kind: 'results', data: randomBytes(bytes / 2).toString('hex') },
  ]);
  const append = async (times, number) => {
    const piece = { place, number, epoch: 1 };
    const appender = appenderOfShared(connections, 'r', place, { kind: 'piece', piece, tally });
    for (let at = 0; at < times; at++) await appender.append(at, facts[at % facts.length]);
  };
  await append(50, 0);
  const before = await ask('SELECT pg_current_wal_lsn() AS lsn');
  const began = performance.now();
  const [sides, times] = [SIDES, 200];
  await Promise.all(Array.from({ length: sides }, (_, number) => append(times, number)));
  const appendMs = (performance.now() - began) / (sides * times);
  const { log } = await ask(`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '${before.lsn}') AS log`);
  return { appendMs, logBytesPerRow: Number(log) / ((sides * times * BATCH) / facts.length) };
}

async function beginRun(connections) {
  const [{ place }] = await connections.rows(
    `INSERT INTO cardline.run (id, inputs, content, mapping, installation, settings, out, created_at, opened_at, cluster)
     VALUES ('r', '[]', '', '', '', '{}', '', 0, 0, '') RETURNING place`,
  );
  await connections.run(
    `INSERT INTO cardline.lease (run, epoch, until) VALUES ('r', 1, now() + interval '1 hour')`,
  );
  await connections.run(
    `INSERT INTO cardline.shared (run, epoch, plan, facts, failed) VALUES ($1, 1, '{}', 0, 0)`,
    [place],
  );
  await connections.run(
    `INSERT INTO cardline.piece (run, number, chunks, rows, epoch)
     SELECT $1::bigint, at, 1, 1, 1 FROM generate_series(0, ${SIDES - 1}) AS at`,
    [place],
  );
  return place;
}

/** Rows a second of whoever reads, maps and hands over, from the start of the process to its end. */
async function measureSubmit(ledger) {
  const center = await startServer(here('./accept-all.mjs'));
  const folder = mkdtempSync(join(tmpdir(), 'cardline-figures-'));
  try {
    const installation = join(folder, 'installation.yaml');
    const text = readFileSync(INSTALLATION, 'utf8');
    writeFileSync(installation, text.replace('127.0.0.1:1', `127.0.0.1:${center.port}`));
    const file = await csvOf(SUBMITTED_ROWS);
    const words = ['import', file, '-m', MAPPING, '-i', installation, '--ledger', ledger];
    const { seconds } = await runNode([MAIN, ...words, '--shared', '--detach'], { cwd: folder });
    return SUBMITTED_ROWS / seconds;
  } finally {
    center.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How long a report of the pace takes while a hundred take part. */
async function measureBeats(ledger) {
  const beats = 300;
  const row = openPace(ledger, 'http://center');
  const ids = Array.from({ length: MEMBERS }, () => randomUUID());
  const amounts = (count) => ({ requests: count, clients: count, places: count });
  const beat = (id) =>
    row.beat({
      ...{ id, group: id, weight: 10, leaseMs: 60_000, leaves: false, held: {}, returned: {} },
      limits: { requestsPerSecond: 1000, clientsPerSecond: 100_000, concurrency: 400 },
      ...{ want: amounts(1e9), need: amounts(1), answers: 0, refused: 0, retryAfterMs: 0 },
    });
  for (const id of ids) await beat(id);
  const began = performance.now();
  for (let at = 0; at < beats; at++) await beat(ids[at % MEMBERS]);
  const ms = (performance.now() - began) / beats;
  await row.close();
  return ms;
}

/** Rows a second by what each part of the way takes: the smallest is the limit. */
function arithmetic(workers, { appendMs, submittedPerSecond }) {
  const cycleMs = ANSWER_MS + 2 * appendMs;
  const limits = {
    'requests in flight': (workers * IN_FLIGHT * BATCH * 1000) / cycleMs,
    'facts of one run': (BATCH * 1000) / (2 * appendMs),
    'whoever submits': submittedPerSecond,
  };
  const [first] = Object.entries(limits).toSorted(([, one], [, other]) => one - other);
  return { limit: first[0], rate: first[1] };
}

/**
 * Workers that take a batch once it was submitted, record, send, and record again, where one statement of the run waits for
 * the other. In virtual time.
 */
function simulate(workers, { appendMs, submittedPerSecond }) {
  const batches = Math.max(2000, workers * IN_FLIGHT * 50);
  // Each sender by the time at which it asks next, and for what.
  const senders = Array.from({ length: workers * IN_FLIGHT }, (_, at) => ({
    at: at / 10,
    sent: false,
  }));
  const queue = createHeap(senders);
  const submitMs = (BATCH * 1000) / submittedPerSecond;
  let [free, taken, ended, first, last] = [0, 0, 0, 0, 0];
  while (ended < batches) {
    const sender = queue.pop();
    if (!sender.sent && !sender.has) {
      sender.has = true;
      const submitted = ++taken * submitMs;
      if (submitted > sender.at) {
        queue.push({ ...sender, at: submitted });
        continue;
      }
    }
    free = Math.max(free, sender.at) + appendMs;
    if (sender.sent) {
      ended++;
      // What leads in is not counted.
      if (ended === Math.floor(batches / 4)) first = free;
      last = free;
    }
    sender.at = sender.sent ? free : free + ANSWER_MS;
    sender.sent = !sender.sent;
    if (!sender.sent) sender.has = false;
    queue.push(sender);
  }
  return ((batches - Math.floor(batches / 4)) * BATCH * 1000) / (last - first);
}

function createHeap(items) {
  const heap = items.toSorted((one, other) => one.at - other.at);
  const swap = (one, other) => ([heap[one], heap[other]] = [heap[other], heap[one]]);
  return {
    push: (item) => {
      heap.push(item);
      for (
        let at = heap.length - 1, up;
        at > 0 && heap[(up = (at - 1) >> 1)].at > heap[at].at;
        at = up
      )
        swap(at, up);
    },
    pop: () => {
      const top = heap[0];
      const end = heap.pop();
      if (heap.length === 0) return top;
      heap[0] = end;
      for (let at = 0; ;) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        let least = at;
        if (left < heap.length && heap[left].at < heap[least].at) least = left;
        if (right < heap.length && heap[right].at < heap[least].at) least = right;
        if (least === at) return top;
        swap(at, least);
        at = least;
      }
    },
  };
}

function show(measured) {
  const { appendMs, logBytesPerRow, beatMs, submittedPerSecond } = measured;
  console.log(
    `${CORES} cores; a statement with the facts of ${BATCH} rows ${appendMs.toFixed(2)} ms`,
  );
  console.log(`write-ahead log ${logBytesPerRow.toFixed(0)} bytes a row`);
  console.log(`a report of the pace with ${MEMBERS} members ${beatMs.toFixed(2)} ms`);
  console.log(`whoever submits ${Math.round(submittedPerSecond).toLocaleString('en-US')} rows/s`);
  for (const workers of WORKERS) {
    const { limit, rate } = arithmetic(workers, measured);
    const simulated = simulate(workers, measured);
    const hours = rows / simulated / 3600;
    console.log(
      [
        `${workers} workers: ${Math.round(simulated).toLocaleString('en-US')} rows/s`,
        `by arithmetic ${Math.round(rate).toLocaleString('en-US')} (${limit})`,
        `${rows.toLocaleString('en-US')} rows in ${hours.toFixed(1)} h`,
      ].join('; '),
    );
    if (Math.abs(simulated / rate - 1) > 0.1) process.exitCode = 1;
  }
}
