import { cpus } from 'node:os';
import { show } from './figures.mjs';
import { checkCalling } from './parts/calling.mjs';
import { checkCsv, checkDirty, checkXlsx } from './parts/check.mjs';
import { fleet } from './parts/fleet.mjs';
import { importLarge, importRate, ledger, plain } from './parts/import.mjs';
import { distance, overload, queue, refusals } from './parts/limits.mjs';
import { memory, memoryLarge } from './parts/memory.mjs';
import { changes, reconcile } from './parts/single.mjs';
import { start } from './parts/start.mjs';

const parts = {
  'check-csv': checkCsv,
  dirty: checkDirty,
  'check-xlsx': checkXlsx,
  'check-calling': checkCalling,
  import: importRate,
  'import-large': importLarge,
  plain,
  start,
  changes,
  reconcile,
  queue,
  overload,
  refusals,
  distance,
  ledger,
  fleet,
  memory,
  'memory-large': memoryLarge,
};

/** Parts that take so long that they run only when they are named. */
const BY_NAME = ['memory-large'];

/**
 * npm run bench [-- part …] [--json] [--rounds N]
 * Every figure is a ratio against a reference that is measured in the same run, in alternation; medians with the spread.
 */
const args = process.argv.slice(2);
const flag = args.find((arg) => arg.startsWith('--') && !['--json', '--rounds'].includes(arg));
if (flag !== undefined) {
  console.error(
    `npm run bench [-- part …] [--json] [--rounds N]\nParts: ${Object.keys(parts).join(', ')}`,
  );
  process.exit(flag === '--help' ? 0 : 64);
}
const json = args.includes('--json');
const rounds = Number(valueOf('--rounds') ?? 5);
const named = args.filter((arg, index) => !arg.startsWith('--') && args[index - 1] !== '--rounds');

function valueOf(flag) {
  const index = args.indexOf(flag);
  return index < 0 ? undefined : args[index + 1];
}

const unknown = named.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}.`);
  process.exit(64);
}
const results = {
  machine: { node: process.version, cores: cpus().length, model: cpus()[0]?.model },
};
if (!json) console.log(`Node ${process.version}, ${cpus().length} cores, ${rounds} rounds`);
const usual = Object.keys(parts).filter((name) => !BY_NAME.includes(name));
for (const name of named.length > 0 ? named : usual) {
  results[name] = await parts[name](rounds);
  if (!json) show(name, results[name]);
}
if (json) console.log(JSON.stringify(results, null, 2));
