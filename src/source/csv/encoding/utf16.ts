/** What no text file holds: control characters, unassigned and private ones, halves of pairs. */
const NO_TEXT = /[\p{Cc}\p{Cn}\p{Co}\p{Surrogate}]/u;
const ALLOWED_CONTROLS = /[\t\n\v\f\r]/g;
/** Alphabets and signs of the files that people bring; ASCII read in the wrong byte order is far above. */
const USUAL = /[\t-\u07ff\u2000-\u2bff]/g;
/** Minimum share of usual characters, or of those together with the ones of East Asia. */
const MAJORITY = 0.8;
const EAST_ASIAN = /[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9f]/g;
/** Line ends and delimiters: a table has some, and read in the wrong byte order there are hardly any. */
const STRUCTURE = /[\t\n,;|]/g;

/**
 * UTF-16 without a byte order mark, recognised by its sample, which holds zero bytes.
 * @returns `undefined` when it reads as text in neither byte order
 */
export function guessUtf16(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const even = head.subarray(0, head.length - (head.length % 2));
  const little = plausibility(even.toString('utf16le'));
  const big = plausibility(Buffer.from(even).swap16().toString('utf16le'));
  if (Math.max(little, big) < MAJORITY) return undefined;
  return little >= big ? 'utf-16le' : 'utf-16be';
}

function plausibility(text: string): number {
  // The sample may end in the middle of a pair.
  const whole = text.replace(/[\ud800-\udbff]$/, '');
  if (NO_TEXT.test(whole.replace(ALLOWED_CONTROLS, ' '))) return 0;
  const usual = count(whole, USUAL) / whole.length;
  if (usual >= MAJORITY || count(whole, STRUCTURE) * RARE_STRUCTURE < whole.length) return usual;
  return usual + count(whole, EAST_ASIAN) / whole.length;
}

/** A table has a line end or a delimiter at least once in so many characters. */
const RARE_STRUCTURE = 50;

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
