/** What no text file holds: control characters, unassigned and private ones, halves of pairs. */
const NO_TEXT = /[\p{Cc}\p{Cn}\p{Co}\p{Surrogate}]/u;
const ALLOWED_CONTROLS = /[\t\n\v\f\r]/g;
const ASCII = /[\t\n\r -~]/g;

/**
 * UTF-16 without a byte order mark, told by its sample, which holds zero bytes.
 * Both byte orders are tried; the one that reads as text, with more ASCII (commas, digits, line ends) in it, is it.
 * @returns `undefined` when neither reads as text
 */
export function guessUtf16(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const even = head.subarray(0, head.length - (head.length % 2));
  const little = plausibility(even.toString('utf16le'));
  const big = plausibility(Buffer.from(even).swap16().toString('utf16le'));
  if (little === 0 && big === 0) return undefined;
  return little >= big ? 'utf-16le' : 'utf-16be';
}

function plausibility(text: string): number {
  // The sample may end in the middle of a pair.
  const whole = text.replace(/[\ud800-\udbff]$/, '').replace(ALLOWED_CONTROLS, ' ');
  if (NO_TEXT.test(whole)) return 0;
  return text.match(ASCII)?.length ?? 0;
}
