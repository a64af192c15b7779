// How cells of the usual forms look in the bytes of a sheet. See `CellShortcut`.

export const SPACE = 0x20;
export const SLASH = 0x2f;
export const LESS = 0x3c;
export const GREATER = 0x3e;
export const POINT = 0x2e;
export const ZERO = 0x30;
const CARRIAGE_RETURN = 0x0d;
const AMPERSAND = 0x26;
const C = 0x63;
const V = 0x76;
/** Stands for a place that is not there. */
export const NO = -1;

/** A text that stands in the cell itself, at the type's end and behind the text. */
const INLINE = Buffer.from('inlineStr"><is><t>');
const INLINE_SPACES = Buffer.from('inlineStr"><is><t xml:space="preserve">');
export const INLINE_END = Buffer.from('</t></is></c>');
/** Maximum length of such a text in bytes. */
const MAX_TEXT = 1024;
/** Digits of a value that are surely shown as they are stored. */
const SAFE_DIGITS = 15;

/** The number that so many digits are. */
export function numberAt(buffer: Buffer, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = number * 10 + (buffer[at] ?? 0) - ZERO;
  return number;
}

/** Where the text of a cell begins whose type begins at `at`; `NO` when it has none of its own. */
export function startOfInline(buffer: Buffer, at: number): number {
  if (hasBytesAt(INLINE, buffer, at)) return at + INLINE.length;
  return hasBytesAt(INLINE_SPACES, buffer, at) ? at + INLINE_SPACES.length : NO;
}

/** Where a text ends, at its `<`; `NO` when it is too long to be taken here, or holds what must be decoded. */
export function endOfText(buffer: Buffer, from: number): number {
  const end = Math.min(from + MAX_TEXT, buffer.length);
  for (let at = from; at < end; at++) {
    const byte = buffer[at];
    if (byte === LESS) return at;
    if (byte === AMPERSAND || byte === CARRIAGE_RETURN) return NO;
  }
  return NO;
}

/** Whether these bytes are at this place. */
export function hasBytesAt(bytes: Buffer, buffer: Buffer, at: number): boolean {
  if (at + bytes.length > buffer.length) return false;
  for (let index = 0; index < bytes.length; index++)
    if (buffer[at + index] !== bytes[index]) return false;
  return true;
}

/** Whether so many bytes, so many of them no digits, are the number of a string. */
export function isIndex(length: number, noDigits: number): boolean {
  return length > 0 && length < 10 && noDigits === 0;
}

/** Whether a cell's tag begins there. */
export function isCell(buffer: Buffer, at: number): boolean {
  if (buffer[at] !== LESS || buffer[at + 1] !== C) return false;
  const next = buffer[at + 2];
  return next === SPACE || next === GREATER;
}

/** Whether `><v>` stands there. */
export function isValue(buffer: Buffer, at: number): boolean {
  return (
    buffer[at] === GREATER &&
    buffer[at + 1] === LESS &&
    buffer[at + 2] === V &&
    buffer[at + 3] === GREATER
  );
}

/** Whether `</v></c>` stands there. */
export function isEnd(buffer: Buffer, at: number): boolean {
  return (
    at + 8 <= buffer.length &&
    buffer[at + 1] === SLASH &&
    buffer[at + 2] === V &&
    buffer[at + 3] === GREATER &&
    buffer[at + 4] === LESS &&
    buffer[at + 5] === SLASH &&
    buffer[at + 6] === C &&
    buffer[at + 7] === GREATER
  );
}

/** Whether digits with at most one point are shown as stored: no zeros too many, at most 15 digits. */
export function isPlain(buffer: Buffer, from: number, to: number, points: number): boolean {
  const length = to - from;
  if (length === 0 || points > 1 || length - points > SAFE_DIGITS) return false;
  if (buffer[from] === POINT) return false;
  if (buffer[from] === ZERO && length > 1 && buffer[from + 1] !== POINT) return false;
  return points === 0 || (buffer[to - 1] !== ZERO && buffer[to - 1] !== POINT);
}
