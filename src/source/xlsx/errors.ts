import { InputError, type InputPlace } from '../../core/errors.js';

/** What to do about a file that is broken, in the same words everywhere. */
export const SAVE_AGAIN = 'Open it in a spreadsheet program, save it as .xlsx and try again.';

const MAX_NAME = 80;

/** The name of a part as a message shows it: a file may call its parts as it likes. */
export function shownPart(name: string): string {
  const shown = name.replace(/\p{Cc}/gu, '\ufffd');
  return shown.length > MAX_NAME ? `${shown.slice(0, MAX_NAME)}…` : shown;
}

/** An error about one place of the workbook. */
export function workbookError(
  code: string,
  reason: string,
  place: InputPlace,
  cause?: unknown,
): InputError {
  return new InputError(code, reason, place, cause === undefined ? undefined : { cause });
}

/** Throws such an error. */
export function fail(code: string, reason: string, place: InputPlace, cause?: unknown): never {
  throw workbookError(code, reason, place, cause);
}

/** The XML of a part breaks the rules of XML. */
export function xmlError(what: string, part: string, place: InputPlace): InputError {
  const reason = `its part ${shownPart(part)} is not well-formed XML: ${what}. ${SAVE_AGAIN}`;
  return workbookError('malformed_xml', reason, place);
}
