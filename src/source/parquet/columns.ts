import type { SchemaElement, SchemaTree } from 'hyparquet';
import { asItIs, isJson, shownBy, type Shown } from './leaf.js';

/** A column of the table, be it nested. */
export interface ParquetColumn {
  readonly name: string;
  /** Whether its values have parts of their own. */
  readonly isNested: boolean;
  /** Gives what the library reads the form that a cell shows. */
  readonly shown: Shown;
}

/**
 * The columns of a file. Decimals are announced as plain numbers to the library, which would round them: their elements
 * are changed for that.
 */
export function columnsOf(tree: SchemaTree): ParquetColumn[] {
  return tree.children.map((node) => {
    const { element, children } = node;
    const isNested =
      children.length > 0 || element.repetition_type === 'REPEATED' || isJson(element);
    return { name: element.name, isNested, shown: shownIn(node) };
  });
}

/** Gives each value of a column its form, those in lists, maps and structures too. */
function shownIn({ element, children }: SchemaTree): Shown {
  if (element.logical_type?.type === 'VARIANT' || isJson(element)) return asItIs;
  const [first] = children;
  if (!first) return inLists(shownBy(element));
  if (isListLike(element, children))
    return shownIn(first.children.length === 1 ? (first.children[0] ?? first) : first);
  if (isMapLike(element, children)) return inLists(inMaps(first));
  const parts = new Map(children.map((child) => [child.element.name, shownIn(child)]));
  return inLists((value) => withEach(value, (name) => parts.get(name)));
}

/** Only the values of a map: its names are made into texts by the library. */
function inMaps({ children }: SchemaTree): Shown {
  const values = children.find(({ element }) => element.name === 'value');
  const shown = values && shownIn(values);
  return (value) => withEach(value, () => shown);
}

function inLists(shown: Shown): Shown {
  const each = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(each) : value === null ? null : shown(value);
  return each;
}

function withEach(value: unknown, shownOf: (name: string) => Shown | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]: [string, unknown]) => {
    const shown = shownOf(name);
    return [name, shown ? shown(one) : one] as const;
  });
  return Object.fromEntries(entries);
}

type Children = SchemaTree['children'];

/** As the library takes them: what it takes for a list, it gives as an array. */
function isListLike({ converted_type: type }: SchemaElement, [child, more]: Children): boolean {
  if (type !== 'LIST' || !child || more) return false;
  return child.children.length <= 1 && child.element.repetition_type === 'REPEATED';
}

function isMapLike({ converted_type: type }: SchemaElement, [child, more]: Children): boolean {
  if (type !== 'MAP' || !child || more) return false;
  return child.children.length === 2 && child.element.repetition_type === 'REPEATED';
}
