import { CST, Lexer } from 'yaml';

/** Brackets within each other, and columns before the first word of a line. */
const [MAX_BRACKETS, MAX_INDENT] = [100, 500];

const INDENTED = new RegExp(`^[ \\-?:]{${MAX_INDENT}}`, 'm');

/**
 * Where a text is nested deeper than anybody writes it: its offset. Parsing goes as deep as the text does, which takes
 * seconds, or all of the stack.
 */
export function tooDeepAt(text: string): number | undefined {
  return mayBeDeep(text) ? deepToken(text) : undefined;
}

/** Most texts have too few brackets to begin with, and need no second look. */
const mayBeDeep = (text: string): boolean =>
  text.split(/[[{]/, MAX_BRACKETS + 2).length > MAX_BRACKETS + 1 || INDENTED.test(text);

function deepToken(text: string): number | undefined {
  let [offset, brackets, indent, isLineStart, isScalar] = [0, 0, 0, true, false];
  for (const token of new Lexer().lex(text)) {
    const type = isScalar ? null : CST.tokenType(token);
    isScalar = type === 'scalar';
    // These stand for something else, and are not in the text.
    if (type === 'scalar' || type === 'doc-mode' || type === 'flow-error-end') continue;
    if (type === 'newline') [indent, isLineStart] = [0, true];
    else if (isLineStart && INDENTS.has(type)) indent += token.length;
    else isLineStart = false;
    if (type === 'flow-seq-start' || type === 'flow-map-start') brackets++;
    if (type === 'flow-seq-end' || type === 'flow-map-end') brackets--;
    if (brackets > MAX_BRACKETS || (brackets === 0 && indent > MAX_INDENT)) return offset;
    offset += token.length;
  }
  return undefined;
}

const INDENTS = new Set<CST.TokenType | null>([
  ...(['space', 'explicit-key-ind', 'map-value-ind', 'seq-item-ind'] as const),
]);
