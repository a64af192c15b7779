/** What no text file holds: control characters, unassigned and private ones, halves of pairs. */
const NO_TEXT = /[\p{Cc}\p{Cn}\p{Co}\p{Surrogate}]/u;
const ALLOWED_CONTROLS = /[\t\n\v\f\r]/g;
/** Alphabets and signs of the files that people bring; ASCII read in the wrong byte order is far above. */
const USUAL = /[\t-\u07ff\u2000-\u2bff]/g;
/** Minimum share of usual characters. */
const MAJORITY = 0.8;

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
  const whole = text.replace(/[\ud800-\udbff]$/, '').replace(ALLOWED_CONTROLS, ' ');
  if (NO_TEXT.test(whole)) return 0;
  return (whole.match(USUAL)?.length ?? 0) / whole.length;
}
