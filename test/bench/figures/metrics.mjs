/**
 * Measures what metrics cost: `node test/bench/figures/metrics.mjs [rows] [pairs]`, after `npm run build`. Default: 1,000,000
 * rows, five pairs. Each pair is an import without and one with metrics, in turns, into a server that accepts all; while
 * the second goes, its metrics are asked for once a second. Fails where the median pair is more than 5 % slower by the
 * processor time of a row.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { csvOf } from '../files.mjs';
import { here, median, startServer } from '../measure.mjs';
import { importOnce } from '../run.mjs';

const [rows = 1_000_000, pairs = 5] = process.argv.slice(2).map(Number);
const MAX_SLOWER = 0.05;
const PORT = 19_464;

const file = await csvOf(rows);
const folder = mkdtempSync(join(tmpdir(), 'cardline-metrics-'));
const server = await startServer(here('./accept-all.mjs'));
const metricsFile = join(folder, 'cardline.prom');
const METRICS = ['--metrics-file', metricsFile, '--metrics-listen', `127.0.0.1:${PORT}`];
const ratios = [];
let scrapes = 0;

/** Asks for the metrics once a second until it is stopped. */
function scraping() {
  const timer = setInterval(() => {
    fetch(`http://127.0.0.1:${PORT}/metrics`)
      .then((answer) => answer.text())
      .then((text) => (scrapes += text.includes('cardline_rows_total') ? 1 : 0))
      .catch(() => undefined);
  }, 1000);
  return () => clearInterval(timer);
}

/** Processor time of a row, in microseconds. */
const costOf = ({ cpuSeconds }) => (cpuSeconds * 1e6) / rows;

async function withMetrics() {
  const stop = scraping();
  try {
    return costOf(await importOnce(file, server.port, 8, 500, METRICS));
  } finally {
    stop();
  }
}

const withoutMetrics = async () => costOf(await importOnce(file, server.port, 8, 500));

try {
  for (let pair = 0; pair < pairs; pair++) {
    const isFirst = pair % 2 === 0;
    const [a, b] = isFirst
      ? [await withoutMetrics(), await withMetrics()]
      : [await withMetrics(), await withoutMetrics()].reverse();
    ratios.push(b / a);
    console.log(`without ${a.toFixed(2)} us a row, with ${b.toFixed(2)}: ${(b / a).toFixed(3)} x`);
  }
  const counted = /^cardline_rows_total\{outcome="created"\} (\d+)$/m.exec(
    readFileSync(metricsFile, 'utf8'),
  );
  if (!(Number(counted?.[1]) > 0) || scrapes === 0) throw new Error('The metrics were not taken.');
  console.log(`median ${median(ratios).toFixed(3)} x, of ${scrapes} scrapes`);
  if (median(ratios) > 1 + MAX_SLOWER) process.exitCode = 1;
} finally {
  server.stop();
  rmSync(folder, { recursive: true, force: true });
}
