import { InputError, type InputPlace } from '../../core/errors.js';

/** What to do about a file that is broken: said the same way everywhere. */
export const SAVE_AGAIN = 'Open it in a spreadsheet program, save it as .xlsx and try again.';

const LONGEST_NAME = 80;

/** The name of a part as a message shows it: a file may call its parts as it likes. */
export function shownPart(name: string): string {
  const shown = name.replace(/\p{Cc}/gu, '\ufffd');
  return shown.length > LONGEST_NAME ? `${shown.slice(0, LONGEST_NAME)}…` : shown;
}

/** An error about one place of the workbook. */
export function fault(
  code: string,
  reason: string,
  place: InputPlace,
  cause?: unknown,
): InputError {
  return new InputError(code, reason, place, cause === undefined ? undefined : { cause });
}

/** Raises it. */
export function fail(code: string, reason: string, place: InputPlace, cause?: unknown): never {
  throw fault(code, reason, place, cause);
}

/** The XML of a part breaks the rules of XML. */
export function xmlFault(what: string, part: string, place: InputPlace): InputError {
  const reason = `its part ${shownPart(part)} is not well-formed XML: ${what}. ${SAVE_AGAIN}`;
  return fault('malformed_xml', reason, place);
}
