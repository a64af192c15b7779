import { jsonOf, unquoted } from '../text/json-text.js';

/** Who the clients of a chunk are: their uuids, and their synchronization identifiers. */
export interface Identities {
  /** Names of the identifiers, in the installation's order. */
  readonly names: readonly string[];
  /** UTF-8 in which `"<uuid>",[<value>,…]` stands of each client, as in a `RowRecord`; what is between is not read. */
  readonly texts: Uint8Array;
  /** Of each client, in order: where its uuid begins, where that ends, and where each value ends; quotes left out. */
  readonly marks: Uint32Array;
}

/** Whatever has clients that can be identified by their index. */
export interface Identified {
  readonly identities: Identities;
}

/** What stands between a uuid and the first value. */
const BETWEEN = '",[';
const BACKSLASH = '\\';

/** Marks of a client before the ends of its values: where its uuid begins and ends. */
const UUID_MARKS = 2;

/** Where marks are gathered. */
export interface Marks {
  push(place: number): void;
}

/**
 * JSON of a client's uuid and identifiers as `texts` holds it, without the quote that it begins with; `begin` is its
 * place there. `uuid` is JSON without its quotes. `isAscii`: whether everything is taken to have one byte a character.
 * Whoever writes it sees whether it has.
 */
export function identityJson(
  uuid: string,
  values: readonly (string | number)[],
  begin: number,
  isAscii: boolean,
  marks: Marks,
): string {
  let text = uuid;
  let end = begin + (isAscii ? text.length : Buffer.byteLength(text));
  marks.push(begin);
  marks.push(end);
  end += BETWEEN.length - 1;
  text += BETWEEN;
  let place = 0;
  for (const value of values) {
    const json = jsonOf(value);
    end += 1 + (isAscii ? json.length : Buffer.byteLength(json));
    marks.push(end);
    text = place++ === 0 ? text + json : `${text},${json}`;
  }
  return `${text}]`;
}

/** The identities of clients that are at hand as texts and values. */
export function identitiesOf(
  names: readonly string[],
  clients: readonly { readonly uuid: string; readonly values: readonly (string | number)[] }[],
): Identities {
  const marks: number[] = [];
  const texts: Buffer[] = [];
  let begin = 0;
  for (const { uuid, values } of clients) {
    const text = Buffer.from(identityJson(unquoted(uuid), values, begin, false, marks));
    texts.push(text);
    begin += text.length;
  }
  return { names, texts: Buffer.concat(texts), marks: Uint32Array.from(marks) };
}

export const NO_IDENTITIES: Identities = {
  names: [],
  texts: new Uint8Array(),
  marks: new Uint32Array(),
};

/** The uuid of client `index`. */
export function uuidOf({ identities }: Identified, index: number): string {
  const first = firstMark(identities, index);
  const text = textBetween(identities, markAt(identities, first), markAt(identities, first + 1));
  return text.includes(BACKSLASH) ? (JSON.parse(`"${text}"`) as string) : text;
}

/** JSON text of the synchronization identifiers of client `index`. */
export function identifiersOf({ identities }: Identified, index: number): string {
  const first = firstMark(identities, index) + UUID_MARKS;
  let begin = markAt(identities, first - 1) + BETWEEN.length;
  let text = '';
  for (const [place, name] of identities.names.entries()) {
    const end = markAt(identities, first + place);
    const value = textBetween(identities, begin, end);
    text += `${place === 0 ? '' : ','}${JSON.stringify(name)}:${value}`;
    begin = end + 1;
  }
  return `{${text}}`;
}

/**
 * Whether a text is the uuid of a client, for members in ascending order: their uuids are read as one text.
 * `undefined` where they are not in plain ASCII, or do not stand in their order.
 */
export function uuidTest(
  { identities }: Identified,
  members: readonly number[],
): ((index: number, text: string) => boolean) | undefined {
  const begin = markAt(identities, firstMark(identities, members[0] ?? 0));
  const end = markAt(identities, firstMark(identities, members.at(-1) ?? 0) + 1);
  if (end < begin) return undefined;
  const all = textBetween(identities, begin, end);
  if (all.length !== end - begin || all.includes(BACKSLASH)) return undefined;
  return (index, text) => {
    const mark = firstMark(identities, index);
    const from = markAt(identities, mark) - begin;
    const isWhole = markAt(identities, mark + 1) - begin === from + text.length;
    return from >= 0 && isWhole && all.startsWith(text, from);
  };
}

function firstMark({ names }: Identities, index: number): number {
  return index * (UUID_MARKS + names.length);
}

function markAt({ marks }: Identities, at: number): number {
  return marks[at] ?? 0;
}

/** A third of the time of a TextDecoder, for texts as short as these. */
function textBetween({ texts }: Identities, from: number, to: number): string {
  return Buffer.from(texts.buffer, texts.byteOffset + from, to - from).toString();
}
