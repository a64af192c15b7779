import type { Change } from './difference.js';
import { addItemLine, addPairLines, removeItemLines, removePairLines } from './block.js';
import { addToFlow, removeFromFlow } from './brackets.js';
import type { Splice } from './lines.js';
import { isFlow, itemsOf } from './nodes.js';
import { replacedItem, replacedPair, replacedRoot, replacedValue } from './replace.js';
import { inFlow, pairInFlow } from './write.js';

/** The place of the text that a change replaces, and by what. */
export function spliceOf(text: string, change: Change): Splice {
  if (change.kind === 'replaceRoot') return replacedRoot(text, change);
  const { node } = change.inside;
  const isBracketed = isFlow(node);
  switch (change.kind) {
    case 'replaceValue':
      return typeof change.at === 'number'
        ? replacedItem(text, node, change.at, change.value)
        : replacedValue(text, node, change.at, change.value);
    case 'replacePair':
      return replacedPair(text, node, change.pair, change);
    case 'addPair':
      return isBracketed
        ? addToFlow(node, itemsOf(node).length, pairInFlow(change.key, change.value))
        : addPairLines(text, node, change);
    case 'addItem':
      return isBracketed
        ? addToFlow(node, change.index, inFlow(change.value))
        : addItemLine(text, node, change);
    case 'removePair':
      return isBracketed
        ? removeFromFlow(text, node, itemsOf(node).indexOf(change.pair))
        : removePairLines(text, node, change.pair);
    case 'removeItem':
      return isBracketed
        ? removeFromFlow(text, node, change.index)
        : removeItemLines(text, node, change.index);
  }
}
