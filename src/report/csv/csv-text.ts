/**
 * Makes the function that turns a text into a CSV field by RFC 4180: quoted when it holds the delimiter, a quote or a
 * line break, or begins or ends with white space, which some readers trim off an unquoted field.
 */
export function csvField(delimiter: string): (text: string) => string {
  const special = new RegExp(`[${escapeForClass(delimiter)}"\\r\\n]|^\\s|\\s$`);
  return (text) => (special.test(text) ? quoted(text) : text);
}

/** The text as a quoted CSV field. */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

const escapeForClass = (character: string): string => character.replace(/[\\\]^-]/g, '\\$&');
