import { createWriteStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { figure } from '../figures.mjs';
import { csvOf, FILES, INSTALLATION, MAPPING } from '../files.mjs';
import { randomInts } from '../generate.mjs';
import { alternate, MAIN, median, runNode } from '../measure.mjs';
import { check } from '../run.mjs';

const LIST_NUMBERS = 10_000_000;

/** A check with zones by the phone, two lists of 10,000,000 numbers and duplicates by phone, beside the same without. */
export async function checkCalling(rounds) {
  const file = await csvOf(1_000_000);
  const { mapping, installation } = await callingFiles();
  const calling = () => runNode([MAIN, 'check', file, '-m', mapping, '-i', installation]);
  // Lists are compiled once.
  await runNode([MAIN, 'suppress', 'build', '-i', installation]);
  const pairs = await alternate(rounds, calling, () => check(file));
  return {
    processor: figure(
      pairs.map(({ a, b }) => a.cpuSeconds / b.cpuSeconds),
      1.25,
      'at most',
    ),
    wall: figure(
      pairs.map(({ a, b }) => a.seconds / b.seconds),
      1.25,
      'at most',
    ),
    megabytes: median(pairs.map(({ a }) => a.megabytes)),
    cpuSeconds: median(pairs.map(({ a }) => a.cpuSeconds)),
    referenceCpuSeconds: median(pairs.map(({ b }) => b.cpuSeconds)),
  };
}

/** The mapping and the installation of all benches, with the rules of who may be called. */
async function callingFiles() {
  const lists = [await listOf('mobiles', 1), await listOf('others', 2)];
  const [mapping, installation] = [
    join(FILES, 'calling.yaml'),
    join(FILES, 'calling-installation.yaml'),
  ];
  const zones = 'timeZone: { phone: true, default: Europe/Moscow }';
  const mapped = readFileSync(MAPPING, 'utf8').replace(/timeZone: .*/, zones);
  writeFileSync(mapping, `${mapped}duplicates: { by: phone }\n`);
  const suppress = lists.map(
    (list, at) => `  - { name: list${at}, file: ${list}, format: numbers }`,
  );
  writeFileSync(
    installation,
    `${readFileSync(INSTALLATION, 'utf8')}suppress:\n${suppress.join('\n')}\n`,
  );
  return { mapping, installation };
}

/** Russian mobiles at random, as those of the leads: one row in a hundred has a number on the list. */
async function listOf(name, seed) {
  const file = join(FILES, `${name}-${LIST_NUMBERS}.txt`);
  if (existsSync(file) && statSync(file).size > 0) return file;
  const [stream, pick] = [createWriteStream(file), randomInts(seed)];
  let chunk = '';
  for (let number = 0; number < LIST_NUMBERS; number++) {
    chunk += `+79${10 + pick(80)}${String(pick(1e7)).padStart(7, '0')}\n`;
    if (chunk.length < 1 << 20) continue;
    if (!stream.write(chunk)) await once(stream, 'drain');
    chunk = '';
  }
  stream.end(chunk);
  await finished(stream);
  return file;
}
