import type { InputPlace } from '../../../core/errors.js';
import type { Archive } from '../zip/archive.js';
import { asUtf8 } from './encoding.js';
import { workbookError, SAVE_AGAIN, shownPart, xmlError } from '../errors.js';
import { LIMITS } from '../limits.js';
import type { PartKind } from '../zip/part.js';
import {
  type XmlScanner,
  DoctypeError,
  TOKEN,
  TooLongError,
  TooManyError,
  TruncatedError,
} from './scanner.js';
import { SpillError } from '../zip/spill.js';
import { TextError } from './text.js';

/** Something that takes tokens from a scanner until it says `more` or `end`, or until it is full. */
export interface Reader {
  readonly scanner: XmlScanner;
  run(): void;
  /** Whether what was read should be passed on before it runs again. */
  isFull?(): boolean;
  /** Where it has come to, closer than the part. */
  where?(): InputPlace;
}

/** Calls `opened` at each tag that opens, as far as the scanner has come: all that a reader without rows needs. */
export function atEachTag(scanner: XmlScanner, opened: () => void): void {
  for (let token = scanner.next(); token !== TOKEN.more; token = scanner.next()) {
    if (token === TOKEN.end) return;
    if (token === TOKEN.open) opened();
  }
}

/** A part of the workbook to be read as XML. */
export interface Document {
  readonly archive: Archive;
  readonly name: string;
  readonly kind: PartKind;
  readonly place: InputPlace;
  readonly onRead?: (bytes: number) => void;
}

/**
 * Feeds a part to a reader; yields after each piece and whenever the reader is full, so that what was read can be
 * passed on before there is more.
 * @throws InputError for whatever is wrong with the part; nothing ends silently before the root element does.
 */
export async function* feed(document: Document, reader: Reader): AsyncGenerator<undefined> {
  const { archive, name, kind, onRead } = document;
  const { scanner } = reader;
  scanner.maxMarks = Math.max(LIMITS.freeMarks, LIMITS.marksRatio * archive.compressedBytes(name));
  for await (const piece of asUtf8(archive.read(name, kind, onRead), name, document.place)) {
    explained(document, reader, () => {
      scanner.push(piece);
    });
    yield* runs(document, reader);
  }
  scanner.finish();
  yield* runs(document, reader);
}

/** Lets the reader take all that there is. */
function* runs(document: Document, reader: Reader): Generator<undefined> {
  let full = true;
  while (full) {
    explained(document, reader, () => {
      reader.run();
    });
    full = reader.isFull?.() ?? false;
    yield;
  }
}

/** Reads a part whole. */
export async function readAll(document: Document, reader: Reader): Promise<void> {
  for await (const _ of feed(document, reader));
}

function explained({ name, place }: Document, reader: Reader, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw explain(error, name, reader.where?.() ?? place);
  }
}

/** Turns what went wrong in the XML into an error that says where. */
function explain(error: unknown, part: string, place: InputPlace): unknown {
  if (error instanceof TextError) return xmlError(error.message, part, place);
  const known = KNOWN_ERRORS.find(([kind]) => error instanceof kind);
  if (error instanceof SpillError)
    return workbookError('no_space', error.message, place, error.cause);
  if (known === undefined) return error;
  const [, code, what] = known;
  return workbookError(code, `its part ${shownPart(part)} ${what}. ${SAVE_AGAIN}`, place);
}

const KNOWN_ERRORS = [
  [DoctypeError, 'doctype', 'holds a DOCTYPE, which no workbook needs'],
  [TruncatedError, 'truncated_xml', 'ends in the middle'],
  [
    TooManyError,
    'zip_bomb',
    'holds far more tags than the file has bytes for, as in files that are made to harm',
  ],
  [TooLongError, 'cell_too_long', 'holds a text or tag that does not end'],
] as const;
