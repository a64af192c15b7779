/**
 * Measures the search of duplicates: `node test/bench/figures/duplicates.mjs [rows …]`, after `npm run build`. Default: 1,000,000
 * and 10,000,000 rows with three phones each, of which every hundredth row repeats a phone. It needs 4 GB of disk in the
 * folder for temporary files. `ROUNDS`: how often each check is made; the median counts. Default: 1. `RULES`: the names of
 * the rules to measure, with commas between. Default: all.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAIN, runNode } from '../measure.mjs';

const sizes = process.argv.slice(2).map(Number);
const rounds = Number(process.env.ROUNDS ?? 1);
const folder = mkdtempSync(join(tmpdir(), 'cardline-duplicates-'));
const at = (name) => join(folder, name);

const RULES = {
  none: '{ by: none }',
  sync: '{ by: sync }',
  phone: '{ by: phone }',
  'sync and phone': '{ by: [sync, phone] }',
  'phone, last': '{ by: phone, keep: last }',
};
const wanted = process.env.RULES?.split(',') ?? Object.keys(RULES);

try {
  writeFileSync(
    at('center.yaml'),
    `name: figures\nbaseUrl: http://127.0.0.1:9\ncard: { id: { type: Number, sync: true } }\n`,
  );
  for (const rows of sizes.length > 0 ? sizes : [1_000_000, 10_000_000]) {
    generate(at('leads.csv'), rows);
    for (const name of wanted) report(rows, name, await medianOf(name));
    rmSync(at('leads.csv'));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Numbers in no order, each once: an odd factor visits every remainder. */
function phoneOf(row, kind) {
  return 79_000_000_000 + 3 * (Math.imul(row, 0x9e3779b1) & 0xfffffff) + kind;
}

function generate(file, rows) {
  const descriptor = openSync(file, 'w');
  let lines = ['Id,Name,Mobile,Home,Work'];
  for (let row = 0; row < rows; row++) {
    const home = row % 100 === 99 ? phoneOf(row >> 1, 1) : phoneOf(row, 1);
    lines.push(`${row + 1},Ann Lee ${row},+${phoneOf(row, 0)},+${home},+${phoneOf(row, 2)}`);
    if (lines.length < 100_000) continue;
    writeSync(descriptor, `${lines.join('\n')}\n`);
    lines = [];
  }
  writeSync(descriptor, `${lines.join('\n')}\n`);
  closeSync(descriptor);
}

async function medianOf(name) {
  writeFileSync(
    at('mapping.yaml'),
    `client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { id: Id }
  phones:
    - { column: Mobile, type: MOB, transform: [{ phone: { country: RU } }] }
    - { column: Home, type: HOME, transform: [{ phone: { country: RU } }] }
    - { column: Work, type: WORK, transform: [{ phone: { country: RU } }] }
duplicates: ${RULES[name]}
`,
  );
  const measured = [];
  for (let round = 0; round < rounds; round++) measured.push(await check());
  return measured.sort((a, b) => a.seconds - b.seconds)[Math.floor(rounds / 2)];
}

async function check() {
  const command = [MAIN, 'check', at('leads.csv')];
  const files = ['-m', at('mapping.yaml'), '-i', at('center.yaml'), '--out', at('out')];
  const { output, ...figures } = await runNode([
    ...command,
    ...files,
    '--show',
    '0',
    '--json',
    '--quiet',
  ]);
  return { ...figures, skipped: JSON.parse(output).skipped };
}

function report(rows, name, { seconds, cpuSeconds, mainSeconds, megabytes, skipped }) {
  const whole = (count) => count.toLocaleString('en');
  const main =
    mainSeconds === null ? '' : `, ${mainSeconds.toFixed(1)} s of them in the main thread`;
  console.log(
    `${whole(rows)} rows, ${name}: ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of the processors${main}, ${megabytes.toFixed(0)} MB, ${whole(skipped)} skipped`,
  );
}
