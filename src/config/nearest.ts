import { distance } from 'fastest-levenshtein';
import { printableLine } from '../core/text.js';
import { headerName } from '../core/table.js';

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
  const shown = candidates.slice(0, SHOWN).map((candidate) => `"${beginning(candidate)}"`);
  if (candidates.length > SHOWN) shown.push(`and ${candidates.length - SHOWN} more`);
  return `There is: ${shown.join(', ')}.`;
}

const SHOWN = 12;

/** Letters of a candidate that are shown: a file that is read in a wrong way has headers of thousands. */
const SHOWN_LETTERS = 60;

function beginning(candidate: string): string {
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
export function difference(one: string, other: string): string {
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
