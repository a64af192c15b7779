import { isAlias, isCollection, isMap, isNode, isPair, isScalar, type Document } from 'yaml';
import type { Path } from './path.js';

/** Offset of the value at `path`, or of the nearest parent that there is. */
export function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const step of path) {
    const child = childOf(document, node, step);
    if (child === undefined) return offset;
    const [first, second] = isCollection(child.value)
      ? [child.key, child.value]
      : [child.value, child.key];
    offset = startOf(first) ?? startOf(second) ?? offset;
    node = child.value;
  }
  return offset;
}

/** Offset of the key at the end of `path`, when there is one. */
export function keyOffset(document: Document, path: Path): number | undefined {
  let node: unknown = document.contents;
  let key: unknown;
  for (const step of path) {
    const child = childOf(document, node, step);
    if (child === undefined) return undefined;
    ({ key, value: node } = child);
  }
  return startOf(key);
}

function childOf(
  document: Document,
  parent: unknown,
  step: string | number,
): { key: unknown; value: unknown } | undefined {
  const node = isAlias(parent) ? parent.resolve(document) : parent;
  if (!isCollection(node)) return undefined;
  if (!isMap(node)) {
    const value: unknown = typeof step === 'number' ? node.items[step] : undefined;
    return value === undefined ? undefined : { key: value, value };
  }
  const pair = node.items.find((item) => isPair(item) && keyText(item.key) === String(step));
  return pair && { key: pair.key, value: pair.value };
}

function keyText(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

/** Offset of a node of the document. */
export function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
