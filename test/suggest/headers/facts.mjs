import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (name) =>
  readFileSync(join(import.meta.dirname, name), 'utf8')
    .trimEnd()
    .split('\n');
const SIGNS = { n: '\n', r: '\r', t: '\t', '\\': '\\' };
const plain = (text) => text.replaceAll(/\\(.)/g, (_, sign) => SIGNS[sign] ?? sign);

/** Headers of real files and programs, one by one: `{ header, language, concepts, source }`. */
export function readHeaders() {
  return read('headers.tsv')
    .slice(1)
    .map((line) => {
      const [header = '', language, concepts = '', source] = line.split('\t');
      return { header: plain(header), language, concepts: concepts.split('|'), source };
    });
}

/** Whole header rows, each column with what it means, where it may go (`null`: nowhere) and invented cells. */
export function readLists() {
  const lists = [];
  for (const line of read('lists.tsv')) {
    const parts = line.split('\t');
    if (parts[0] === '=') {
      const [, id, source, language, kind] = parts;
      lists.push({ id, source, language, kind, columns: [] });
      continue;
    }
    const [header, concepts, targets, ...cells] = parts.map(plain);
    lists.at(-1).columns.push({
      header,
      concepts: concepts.split('|'),
      targets: targets.split('|').map((target) => (target === '-' ? null : target)),
      cells,
    });
  }
  return lists;
}

/** The same number for the same text, in all versions. */
export function hashOf(text) {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 16777619) >>> 0;
  return hash;
}

export const FOLDS = 5;
/** The part of five that a source or a wording belongs to. */
export const foldOf = (text) => (hashOf(`fold ${text}`) >>> 3) % FOLDS;
