import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Lines that are of one package alone, in a licence that many have word by word. */
const OF_ONE = /^[ \t]*(?:copyright[ :]*(?:\(c\)|©|\d)|©).*$/gim;

/** Puts the licences of the packages that a bundle holds beside it: a text that several share stands there once. */
export function licences() {
  return {
    name: 'licences',
    generateBundle(_options, bundle) {
      const fileName = 'THIRD-PARTY-LICENSES.txt';
      this.emitFile({ type: 'asset', fileName, source: licencesOf(bundle) });
    },
  };
}

function licencesOf(bundle) {
  const folders = new Set();
  for (const { moduleIds = [] } of Object.values(bundle))
    for (const id of moduleIds) {
      const found = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id);
      if (found) folders.add(found[0]);
    }
  const shared = new Map();
  for (const { packaged, holders, text } of [...folders].sort().map(licenceOf)) {
    // Where lines end differs, and means nothing.
    const words = text.replaceAll(/\s+/g, ' ').trim();
    const { text: first, of } = shared.get(words) ?? { text, of: [] };
    shared.set(words, { text: first, of: [...of, [packaged, ...holders].join('\n  ')] });
  }
  return [...shared.values()]
    .map(({ text, of }) => `${[...new Set(of)].join('\n')}\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** A package, who holds its rights, and its licence without them. */
function licenceOf(folder) {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const whole = file ? readFileSync(join(folder, file), 'utf8').trim() : namedLicence(about);
  const holders = (whole.match(OF_ONE) ?? []).map((line) => line.trim());
  const text = whole
    .replaceAll(OF_ONE, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return { packaged: `${about.name} ${about.version} (${about.license})`, holders, text };
}

/** A few packages hold no text of their licence and only say which it is: their author and homepage stand in its place. */
function namedLicence({ name, license, author, homepage }) {
  if (!license || !author) throw new Error(`${name} says nothing of its licence.`);
  return `${license}, by ${author.name ?? author}, ${homepage}`;
}
