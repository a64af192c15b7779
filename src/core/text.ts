import { platform } from 'node:process';
import { distance } from 'fastest-levenshtein';
import { headerName } from './table.js';

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

/** Words that no shell changes. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** A word as a person pastes it into the shell of this system. */
export function shellWord(word: string, system: string = platform): string {
  if (PLAIN_WORD.test(word) || (system === 'win32' && /^[\w@+=:,./\\-]+$/.test(word))) return word;
  return system === 'win32'
    ? `"${word.replaceAll('"', '""')}"`
    : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A command as a person pastes it, in one line that a terminal can show. */
export const commandLine = (words: readonly string[]): string =>
  ['cardline', ...words].map((word) => shellWord(printableLine(word))).join(' ');

/** The same for a command on what is in a ledger, which need not be the one that is taken without a word. */
export const ledgerCommand = (ledger: string, ...words: readonly string[]): string =>
  commandLine([...words, '--ledger', ledger]);

const THREE_DIGITS = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, '0'));

/** Whole numbers below this fit into the engine's small integers, and have at most three groups of digits. */
const THREE_GROUPS = 1_000_000_000;

/**
 * A number as text, as `String` gives it. The engine keeps what that gave for some ten thousand numbers: where none
 * comes again, this is half of what its collector of garbage has to copy. So whole numbers are put together.
 */
export function numberText(value: number): string {
  const whole = value | 0;
  if (whole === value && whole >= 0 && whole < THREE_GROUPS) return grouped(whole);
  if (value < THREE_GROUPS || !Number.isSafeInteger(value)) return String(value);
  const above = Math.floor(value / THREE_GROUPS);
  return numberText(above) + String(value - above * THREE_GROUPS).padStart(9, '0');
}

/** One way for numbers of any length: what a longer one did for the first time would have to be compiled again. */
function grouped(whole: number): string {
  let digits = '';
  let above = whole;
  while (above >= 1000) {
    const next = (above / 1000) | 0;
    digits = (THREE_DIGITS[above - next * 1000] ?? '') + digits;
    above = next;
  }
  return String(above) + digits;
}

/** Signs that JSON writes in their own way, and halves of pairs. */
// eslint-disable-next-line no-control-regex -- JSON escapes them
const UNCOMMON = /["\\\u0000-\u001f\ud800-\udfff]/;

/** JSON of a text, without the quotes around it. Hardly any text needs an escape, and asking first takes a third of the time. */
export function unquoted(text: string): string {
  return UNCOMMON.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}

/** JSON of a value that holds no others. */
export function jsonOf(value: string | number | boolean | null): string {
  if (typeof value === 'string') return `"${unquoted(value)}"`;
  if (typeof value !== 'number') return String(value);
  return Number.isFinite(value) ? numberText(value) : 'null';
}

/** As many whole characters of a text as fit into so many bytes of UTF-8. */
export function firstBytes(text: string, bytes: number): string {
  let short = '';
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    short += character;
  }
  return short;
}

/** A text of at most `width` characters: what is left out of a longer one is its middle. */
export function shortenedInMiddle(text: string, width: number): string {
  const signs = Array.from(text);
  if (signs.length <= width) return text;
  const kept = Math.max(0, width - 1);
  const end = Math.floor(kept / 2);
  const last = end === 0 ? [] : signs.slice(-end);
  return [...signs.slice(0, kept - end), '…', ...last].join('');
}

/**
 * A whole number with commas between thousands. Not by the engine's words for languages: their tables are read into
 * memory when they are asked for the first time, 6 MB of them.
 */
export const whole = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** A count with the word for what is counted: `1 row`, `2,000 rows`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${whole(count)} ${count === 1 ? one : several}`;

/** A part of all in percent, with two digits: `0.25 %`, `40 %`. */
export const shareText = (part: number, all: number): string =>
  `${all === 0 ? 0 : Number(((part / all) * 100).toPrecision(2))} %`;

/** Longest part of a value that is repeated where the row itself holds it whole, in characters. */
const VALUE_LENGTH = 200;

/** Longest text of a contact center that is kept, in characters; its own messages have at most a few hundred. */
const MESSAGE_LENGTH = 4096;

/** The beginning of a value, with `…` where it goes on. */
export function shortened(value: string): string {
  return value.length <= VALUE_LENGTH ? value : `${beginning(value, VALUE_LENGTH)}…`;
}

/**
 * What a contact center says, of which one line is shown and every row keeps a copy. Of more than 4,096 characters, the
 * beginning and how many there were.
 */
export function shortenedMessage(text: string): string {
  return text.length <= MESSAGE_LENGTH
    ? text
    : `${beginning(text, MESSAGE_LENGTH)} … (${whole(text.length)} characters)`;
}

/** Half of a surrogate pair at the end would become a replacement character. */
function beginning(text: string, length: number): string {
  const end = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(end) ? end.slice(0, -1) : end;
}

/** Room for words that there is in any case: a column of single letters helps nobody. */
const NARROWEST = 24;

/**
 * A prefix and a text broken at its blanks, so that no line is wider than `width`. Lines after the first are indented by the
 * prefix. A word that is wider stays whole, since it may be a path or an id.
 */
export function wrapped(prefix: string, text: string, width: number | undefined): string {
  if (width === undefined) return prefix + text;
  const room = Math.max(NARROWEST, width - prefix.length);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length > room) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return prefix + [...lines, line].join(`\n${' '.repeat(prefix.length)}`);
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The object without its undefined properties: an option that was not given is absent. */
export function defined<T extends object>(options: T): Defined<T> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  // Object.fromEntries forgets the names; no check can bring them back.
  return Object.fromEntries(given) as Defined<T>;
}

/** Whether a value is an object of keys and values. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The candidate that `name` was most likely meant to be; `undefined` when none is near. Case, spaces and the like
 * weigh nothing, so that `e-mail` finds `E-Mail`. The beginning of a single candidate counts for it.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  const wanted = bare(name);
  let best: { candidate: string; far: number } | undefined;
  for (const candidate of candidates) {
    const far = distance(wanted, bare(candidate));
    if (far <= tolerance(wanted) && (best === undefined || far < best.far)) {
      best = { candidate, far };
    }
  }
  return best?.candidate ?? onlyOneBeginningWith(wanted, candidates);
}

function onlyOneBeginningWith(start: string, candidates: Iterable<string>): string | undefined {
  if (start.length < SHORTEST_START) return undefined;
  const found = [...candidates].filter((candidate) => bare(candidate).startsWith(start));
  return found.length === 1 ? found[0] : undefined;
}

/** One letter begins too many names to mean one of them. */
const SHORTEST_START = 2;

/**
 * The likely candidate as a question, with what differs where that cannot be seen, or the whole choice when it is short enough to be
 * read.
 */
export function suggestion(name: string, candidates: readonly string[]): string | undefined {
  const twin = candidates.find((candidate) => looksAlike(candidate, name));
  if (twin !== undefined)
    return `Did you mean "${twin}"? It looks the same: ${difference(name, twin)}.`;
  const near = nearest(name, candidates);
  if (near !== undefined) return `Did you mean "${near}"?`;
  if (candidates.length === 0) return undefined;
  const shown = candidates.slice(0, SHOWN).map((candidate) => `"${shownPart(candidate)}"`);
  if (candidates.length > SHOWN) shown.push(`and ${candidates.length - SHOWN} more`);
  return `There is: ${shown.join(', ')}.`;
}

const SHOWN = 12;

/** Letters of a candidate that are shown: a file that is read in a wrong way has headers of thousands. */
const SHOWN_LETTERS = 60;

function shownPart(candidate: string): string {
  const name = printableLine(candidate);
  return name.length > SHOWN_LETTERS ? `${name.slice(0, SHOWN_LETTERS)}…` : name;
}

/** A longer text is no misspelt name, and comparing it would take its time. */
const LONGEST = 100;

function bare(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]+/g, '');
}

/** A third of the letters may be wrong, at most four; two letters that changed places count as two. */
function tolerance(name: string): number {
  return name.length < 4 ? 1 : Math.min(4, Math.max(2, Math.floor(name.length / 3)));
}

/** The first sign in which two texts differ, by its code point in each, such as `U+0041 … U+0410`. */
function difference(one: string, other: string): string {
  const [own, others] = [Array.from(one), Array.from(other)];
  const at = own.findIndex((letter, index) => letter !== others[index]);
  const place = at < 0 ? own.length : at;
  return `sign ${place + 1} is ${codePoint(others[place])} and not ${codePoint(own[place])}`;
}

function codePoint(letter: string | undefined): string {
  const code = letter?.codePointAt(0);
  return code === undefined ? 'missing' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Letters of other scripts, each before the Latin one that it looks like in most fonts. */
const TWINS =
  'аa вb еe кk мm нh оo рp сc тt уy хx іi јj ѕs ԁd ԛq ԝw һh ӏl ѵv ' +
  'АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS ԌG ԚQ ԜW ҺH ӀI ѴV ' +
  'αa βb εe ηn κk νv οo ρp τt υu χx γy ' +
  'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ' +
  'ıi ɑa ɡg օo ցg հh սu ' +
  "‐- ‑- ‒- –- —- −- ﹣- ‘' ’' ‚' ´' `' ʼ' ′' “\" ”\" „\" «\" »\" ″\" ․. ‧. ·. ∙. ⁄/ ∕/ ꞉:";

const LETTERS = new Map(TWINS.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]));

/** Whether two different texts can hardly be told apart on a screen, such as a Latin and a Cyrillic `A`. */
function looksAlike(one: string, other: string): boolean {
  return one !== other && look(one) === look(other);
}

function look(text: string): string {
  const plain = headerName(text).normalize('NFKC');
  return Array.from(plain, (letter) => LETTERS.get(letter) ?? letter).join('');
}
