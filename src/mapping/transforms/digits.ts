/** Digits of other scripts, the signs of Arabic between them, and full-width signs. */
const FOREIGN = /[^\P{Nd}0-9]|[\u066b\u066c\uff01-\uff0f\uff1a\uff20]/gu;

/** The text with the digits 0 to 9 in place of those of other scripts: `٢٠٢٦` is 2026. */
export function asciiDigits(text: string): string {
  return text.replace(FOREIGN, (sign) => {
    if (sign === '\u066b') return '.';
    if (sign === '\u066c') return "'";
    const code = sign.codePointAt(0) ?? 0;
    if (code >= 0xff01 && code <= 0xff20 && (code < 0xff10 || code > 0xff19))
      return String.fromCharCode(code - 0xfee0);
    return String(digitOf(code));
  });
}

/** Mathematical digits stand five times in a row. */
const MATHEMATICAL = 0x1d7ce;

/** Digits of a script stand in order, from a zero before which there is none. */
function digitOf(code: number): number {
  if (code >= MATHEMATICAL && code < MATHEMATICAL + 50) return (code - MATHEMATICAL) % 10;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return code - zero;
}
