import { distance } from 'fastest-levenshtein';
import { difference, looksAlike, printableLine } from '../core/text.js';

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
