import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../../kit/cardline.js';
import type { FoundSentence } from './sentences.js';

const PAGE = join(root, 'src/web/page');

/**
 * The English templates of the page: whatever its `t` can be called with. The compiler knows it also where a table has them,
 * and refuses texts that are known only when the page runs.
 */
export function templatesOfPage(): FoundSentence[] {
  const config = ts.readConfigFile(join(PAGE, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { fileNames, options } = ts.parseJsonConfigFileContent(config.config, ts.sys, PAGE);
  const program = ts.createProgram(fileNames, options);
  const checker = program.getTypeChecker();
  const found: FoundSentence[] = [];
  for (const file of program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(PAGE))) {
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && node.expression.getText() === 't') {
        const [template] = node.arguments;
        const { line } = file.getLineAndCharacterOfPosition(node.getStart());
        const at = `${file.fileName.slice(PAGE.length + 1)}:${line + 1}`;
        for (const text of textsOf(checker.getTypeAtLocation(template!))) found.push({ text, at });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return found;
}

const textsOf = (type: ts.Type): string[] => {
  if (type.isUnion()) return type.types.flatMap(textsOf);
  if (type.isStringLiteral()) return [type.value];
  throw new Error('This is no text that is known when the page is made.');
};
