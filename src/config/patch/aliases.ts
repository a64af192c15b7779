import { isCollection, isNode, isScalar, visit, type Document, type Node } from 'yaml';
import type { Change } from './difference.js';
import type { Splice } from './lines.js';
import { endOf, plainOf, startOf } from './nodes.js';
import { inFlow } from './write.js';

/**
 * A reference (`*name`) to something that a change concerns, written out: the change is meant for one place, and the
 * other keeps what it had. `null` where there is none.
 */
export function referenceTo(document: Document, change: Change): Splice | null {
  const anchored = anchorsAt(change);
  if (anchored.size === 0) return null;
  let found: Splice | null = null;
  visit(document, {
    Alias(_key, alias) {
      const source = alias.resolve(document);
      if (!source || !anchored.has(source)) return undefined;
      found = { from: startOf(alias), to: endOf(alias), text: inFlow(plainOf(document, alias)) };
      return visit.BREAK;
    },
  });
  return found;
}

/** The nodes with an anchor whose text a change touches. */
function anchorsAt(change: Change): ReadonlySet<Node> {
  const anchored = new Set<Node>();
  const add = (node: Node): void => {
    if ((isScalar(node) || isCollection(node)) && node.anchor !== undefined) anchored.add(node);
  };
  if (change.kind !== 'replaceRoot')
    for (const node of [...change.inside.above, change.inside.node]) add(node);
  for (const gone of goneWith(change))
    if (isNode(gone)) visit(gone, { Node: (_key, node) => add(node) });
  return anchored;
}

function goneWith(change: Change): unknown[] {
  switch (change.kind) {
    case 'replaceRoot':
      return [change.node];
    case 'replacePair':
    case 'removePair':
      return [change.pair.key, change.pair.value];
    case 'replaceValue':
    case 'removeItem':
      return [change.node];
    case 'addPair':
    case 'addItem':
      return [];
  }
}
