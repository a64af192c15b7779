import { isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import { ConfigurationError, type ConfigMistake } from '../core/errors.js';
import { NotRegularError, readSmallFile, TooLargeError } from '../files/regular-file.js';
import { tooDeepAt } from './nesting.js';
import { keyOffset, offsetOf, startOf } from './offsets.js';
import type { Path } from './path.js';
import { syntaxMistakes } from './syntax-mistakes.js';

/** Where something stands in a file, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A YAML or JSON file as plain values, which still knows where each of them stands. */
export interface PlacedDocument {
  readonly file: string;
  readonly value: unknown;
  /** The file as it is written. */
  readonly text: string;
  /**
   * Place of the value at a path, or of its key when it holds further keys; of the nearest parent when the path leads
   * nowhere.
   */
  placeOf(path: Path): Place;
  /** Place of the key itself, for keys that should not be there. */
  placeOfKey(path: Path): Place;
}

/** A mapping is written by hand; more than this is some other file. */
const MAX_BYTES = 4 * 1024 * 1024;
/** References that may be followed in all, so that a few lines cannot unfold into gigabytes. */
const MAX_ALIASES = 100;

/**
 * Reads a YAML or JSON file.
 * @throws ConfigurationError when there is no such file, or it is not YAML; it lists every syntax error.
 */
export async function readDocument(file: string): Promise<PlacedDocument> {
  return parsePlaced(file, await readText(file));
}

/**
 * The text of a YAML or JSON file, whatever is wrong in it.
 * @throws ConfigurationError when there is no such file, or it is no text
 */
export async function readText(file: string): Promise<string> {
  const fail = (message: string, suggestion: string): ConfigurationError =>
    new ConfigurationError([{ file, message, suggestion }]);
  try {
    const bytes = await readSmallFile(file, MAX_BYTES);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw readFailure(error, fail);
  }
}

function readFailure(
  error: unknown,
  fail: (message: string, suggestion: string) => ConfigurationError,
): unknown {
  if (error instanceof TypeError) {
    return fail('the file is not text in UTF-8.', 'Save it as UTF-8.');
  }
  if (error instanceof NotRegularError) {
    return error.kind === 'folder'
      ? fail('this is a folder.', 'Name the file inside it.')
      : fail(`this is a ${error.kind}, not a file.`, 'Save what comes out of it, and name that.');
  }
  if (error instanceof TooLargeError)
    return fail(`${error.message}.`, 'Is it the spreadsheet? Name the YAML file.');
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    return fail('there is no such file.', 'Check the name and the folder.');
  }
  if (error.code === 'EACCES' || error.code === 'EPERM') {
    return fail('the file may not be read.', 'Check its permissions.');
  }
  return error;
}

/**
 * Reads YAML or JSON that is in memory already; `file` is what mistakes call it.
 * @throws ConfigurationError when it is not YAML; it lists every syntax error.
 */
export function parsePlaced(file: string, text: string): PlacedDocument {
  refuseDeep(file, text);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  if (document.errors.length > 0) {
    const mistakes = syntaxMistakes(document.errors, text, placeAt);
    throw new ConfigurationError(mistakes.map((mistake) => ({ file, ...mistake })));
  }
  if (document.contents === null) {
    throw new ConfigurationError([
      {
        file,
        message: 'the file is empty.',
        suggestion: 'See the samples for what belongs in it.',
      },
    ]);
  }
  refuseReserved(file, document, placeAt);
  return {
    file,
    value: plainValue(file, document),
    text,
    placeOf: (path) => placeAt(offsetOf(document, path)),
    placeOfKey: (path) => placeAt(keyOffset(document, path) ?? offsetOf(document, path)),
  };
}

function refuseDeep(file: string, text: string): void {
  const offset = tooDeepAt(text);
  if (offset === undefined) return;
  const before = text.slice(0, offset).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  const message = 'this is nested too deeply.';
  throw new ConfigurationError([
    {
      ...{ file, line: before.length, column, message },
      suggestion: 'Close brackets, and begin lines further left.',
    },
  ]);
}

/** A key that JavaScript takes for something else would vanish without a word. */
function refuseReserved(
  file: string,
  document: Document,
  placeAt: (offset: number) => Place,
): void {
  const mistakes: ConfigMistake[] = [];
  visit(document, {
    Pair: (_, { key }) => {
      if (!isScalar(key) || key.value !== '__proto__') return;
      const message = 'this name cannot be used.';
      mistakes.push({ file, ...placeAt(startOf(key) ?? 0), path: '__proto__', message });
    },
  });
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
}

function plainValue(file: string, document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new ConfigurationError([
      {
        file,
        message: /excessive/i.test(error.message)
          ? `the file refers to itself more than ${MAX_ALIASES} times.`
          : 'a reference ("*name") has no anchor ("&name") before it.',
        suggestion: 'Write the values out.',
      },
    ]);
  }
}
