import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { pageWords, withoutCommand } from '../../../src/web/server/problem.js';
import { root } from '../../kit/cardline.js';

/** Words of the sources: `{}` stands for what is put in. */
export interface FoundSentence {
  readonly text: string;
  /** Where it stands, such as `mapping/mapping.ts:98`. */
  readonly at: string;
}

const SRC = join(root, 'src');

/** The sentences, and parts of sentences, in a file of `src`. */
export const sentencesIn = (file: string): FoundSentence[] =>
  found(file).filter(({ text }) => isSentence(text));

/** All texts of a file, sentences or not. */
export const textsIn = (file: string): string[] => found(file).map(({ text }) => text);

const known = new Map<string, readonly FoundSentence[]>();

function found(file: string): readonly FoundSentence[] {
  const texts = known.get(file) ?? read(file);
  known.set(file, texts);
  return texts;
}

function read(file: string): FoundSentence[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(SRC, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: FoundSentence[] = [];
  const visit = (node: ts.Node): void => {
    if (isNotShown(node)) return;
    const text = textOf(node);
    if (text !== undefined) {
      const at = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
      for (const sentence of sentencesOf(text)) found.push({ text: sentence, at });
    }
    if (ts.isBinaryExpression(node) && text !== undefined) holesOf(node).forEach(visit);
    else if (!ts.isStringLiteralLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return found;
}

/** Files of a folder of `src` and of those in it, or the file itself. */
export const filesIn = (folder: string): string[] =>
  folder.endsWith('.ts')
    ? [folder]
    : readdirSync(join(SRC, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);

/** Imports and types; errors of the program itself, whose words the page never shows; help texts, and SQL. */
function isNotShown(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node))
    return true;
  if (ts.isNewExpression(node))
    return /^(Type|Range|Reference)?Error$/.test(node.expression.getText());
  const { parent } = node;
  return ts.isCallExpression(parent) && node !== parent.expression && isForProgram(parent);
}

const isForProgram = ({ expression }: ts.CallExpression): boolean =>
  ts.isPropertyAccessExpression(expression) &&
  /^(describe|meta|prepare|exec|pragma)$/.test(expression.name.text);

/** A text with `{}` for each part that is put in; `undefined` for all that is none. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken)
    return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  if (left === undefined && right === undefined) return undefined;
  return `${left ?? '{}'}${right ?? '{}'}`;
}

/** What is put into a text that is written in several pieces. */
function holesOf(node: ts.Expression): ts.Node[] {
  if (ts.isStringLiteralLike(node)) return [];
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression);
  if (ts.isBinaryExpression(node) && textOf(node) !== undefined)
    return [...holesOf(node.left), ...holesOf(node.right)];
  return [node];
}

/** The sentences of a text, in the form of the catalogue. */
function sentencesOf(text: string): string[] {
  // A statement over several lines, of which some have no word by which it is known.
  if (text.includes('\n') && SQL.test(text)) return [];
  // Some of them have other words on the page.
  const plain = withoutCommand(text);
  return [...new Set([plain, pageWords(plain)])]
    .join('\n')
    .split(/(?<=[.?!]) (?=[A-Z"{(])|\n/)
    .map((part) =>
      part
        .replaceAll(/(?:\{\}){2,}/g, '{}')
        .replace(/(?<=[.?!])\{\}$/, '')
        .trim(),
    );
}

const SQL =
  /\b(CREATE|VACUUM|SELECT|INSERT|UPDATE|DELETE|GRANT|VALUES|NULL|WHERE|FROM|ORDER BY|PRIMARY KEY|SAVEPOINT|TRANSACTION|CONFLICT|AND|ALTER|CASE|AS)\b|::|->>|\binterval '|\$\d|\w_\w+\(/;

/** Two words, or one that is a sentence with what is put in. */
function isSentence(text: string): boolean {
  const words = text.match(/\p{L}{2,}/gu)?.length ?? 0;
  if (SQL.test(text) || /^(GET|POST|PUT|PATCH|DELETE) /.test(text)) return false;
  return (words > 1 && text.includes(' ')) || (words === 1 && /\{\}.*[.?!]$/.test(text));
}
