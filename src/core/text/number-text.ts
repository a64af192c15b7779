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
