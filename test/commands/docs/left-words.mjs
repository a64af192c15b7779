/**
 * Words that the glossary has better ones for, wherever `src` still has them: in names, comments and texts.
 * `node test/commands/docs/left-words.mjs` lists them, each with the reason why it may stay, or none.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** `names`: looked for in identifiers; `prose`: in comments and texts as well, where it would puzzle a reader. */
const WORDS = [
  { word: /judge|judging|judgement/i, in: ['names', 'prose'] },
  { word: /reading/i, in: ['names'] },
  { word: /(?<!de)faults?(?!s?\w*injection)|faulty/i, in: ['names', 'prose'] },
  { word: /complain/i, in: ['names', 'prose'] },
  { word: /findings/i, in: ['names', 'prose'] },
  { word: /deliver/i, in: ['names', 'prose'] },
  { word: /carryOut|carriedOut/, in: ['names'] },
  { word: /(?<![a-z])said(?![a-z])|Said|(?<![a-z])SAID/, in: ['names'] },
  { word: /wish/i, in: ['names', 'prose'] },
  { word: /(?<![a-z])(told|tells?)(?![a-z])|Told|Tells?(?![a-z])|TOLD/, in: ['names'] },
  { word: /steady/i, in: ['names', 'prose'] },
  { word: /glance/i, in: ['names', 'prose'] },
  { word: /(?<![a-z])beyond|Beyond|BEYOND/, in: ['names'] },
  {
    word: /(?<![a-z])(least|most)(?![a-z])|Least|Most(?![a-z])|LEAST|(?<![A-Z])MOST(?![A-Z])/,
    in: ['names'],
  },
  { word: /standing(?!s)/i, in: ['names'] },
  { word: /nursery/i, in: ['names', 'prose'] },
];

/** What may stay, and why. */
const REASONS = [
  { text: /^mostFrequent$/, why: 'statistics call the mode of a list so' },
  { text: /^prefault$/, why: "zod's name for a value that is filled in before a check" },
  { text: /^address\|full address\|/, why: 'names that people give their columns' },
];

/** Every such word in `src`, with its place, what it stands in, and why it may stay. */
export function leftWords() {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return files.sort().flatMap(wordsOfFile);
}

function wordsOfFile(path) {
  const file = path.slice(root.length);
  const source = ts.createSourceFile(
    file,
    readFileSync(path, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found = [];
  const look = (text, at, kind) => {
    for (const { word, in: kinds } of WORDS)
      if (kinds.includes(kind) && word.test(text)) {
        const line = source.getLineAndCharacterOfPosition(at).line + 1;
        const why = REASONS.find((reason) => reason.text.test(text))?.why ?? null;
        found.push({ place: `${file}:${line}`, text: text.replace(/\s+/g, ' '), why });
      }
  };
  const comments = new Set();
  const visit = (node) => {
    for (const { pos, end } of ts.getLeadingCommentRanges(source.text, node.pos) ?? [])
      if (!comments.has(pos)) {
        comments.add(pos);
        look(source.text.slice(pos, end), pos, 'prose');
      }
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) look(node.text, node.pos, 'names');
    else if (
      isText(node) &&
      !ts.isImportDeclaration(node.parent) &&
      !ts.isExportDeclaration(node.parent)
    )
      look(node.text, node.pos, 'prose');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isText = (node) =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddle(node) ||
  ts.isTemplateTail(node);

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { place, text, why } of leftWords())
    console.log(`${place}: ${text} — ${why ?? 'no reason'}`);
