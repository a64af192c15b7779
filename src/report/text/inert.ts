/**
 * What a spreadsheet program may take for a formula: a text whose first visible character is one of these, their
 * full-width variants, which some programs fold into the plain ones, or a text that begins with a control character.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－﹢﹣＠﹦﹫−])/u;

/** A signed number, such as -5 or +79161234567, is harmless, and an apostrophe would spoil it. */
const NUMBER = /^[+-]\d+(?:[.,]\d+)?$/;

/**
 * The text in a form that no spreadsheet program takes for a formula: with a leading apostrophe where it might. Signed
 * numbers and everything harmless stay as they are.
 */
export function inert(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
