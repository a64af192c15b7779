import { isDeepStrictEqual } from 'node:util';
import { parseDocument, type Document } from 'yaml';
import { referenceTo } from './aliases.js';
import { firstDifference } from './difference.js';
import { spliced } from './lines.js';
import { spliceOf } from './splice.js';

/** Changes that are made one after the other; an edit of a mapping needs a few. */
const MAX_CHANGES = 2000;

const parse = (text: string): Document =>
  parseDocument(text, { keepSourceTokens: true, prettyErrors: false });

/**
 * Changes a YAML text so that it has another value. Whatever is the same in both stays as it is written: comments,
 * order, quotes, indentation, line ends. References to what changes are written out.
 * @param text YAML without mistakes
 * @returns the text; `null` where a place is written in a way that cannot be changed without writing all of it anew
 */
export function patchYaml(text: string, wanted: unknown): string | null {
  let patched = text;
  for (let turn = 0; turn < MAX_CHANGES; turn++) {
    const document = parse(patched);
    if (document.errors.length > 0) return null;
    const change = firstDifference(document, wanted);
    if (change === null) return hasValue(document, wanted) ? patched : null;
    const next = spliced(patched, referenceTo(document, change) ?? spliceOf(patched, change));
    if (next === patched) return null;
    patched = next;
  }
  return null;
}

const hasValue = (document: Document, wanted: unknown): boolean =>
  isDeepStrictEqual(document.toJS({ maxAliasCount: 100 }), wanted);
