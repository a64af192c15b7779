/**
 * Signs that a terminal or a page obeys rather than shows: those that move the cursor and change colors (C0 but for a new
 * line and a tab, DEL, C1), and those that turn the direction of text, so that it reads as something else.
 */
const OBEYED = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text for a person: names from files and what a server says may hold anything. Each such sign becomes U+FFFD. */
export function printable(text: string): string {
  return text.replace(OBEYED, '\ufffd');
}

/** The same in one line. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, ' ');
}

/** JSON that holds the same data, with each such sign escaped. Outside of its texts JSON has none. */
export function printableJson(json: string): string {
  return json.replace(OBEYED, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
