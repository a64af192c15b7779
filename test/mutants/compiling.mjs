import { dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * Says for each of these texts of files whether it compiles, all others as they are. It stands beside its file, so that what
 * they import is looked at once for all.
 */
export function compiling(root, texts) {
  const { options } = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, ts.sys);
  const nameOf = (at) => join(root, dirname(texts[at].file), `mutant-${at}.ts`);
  const byName = new Map(texts.map(({ text }, at) => [nameOf(at), text]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (name) => byName.has(name) || fileExists(name);
  host.readFile = (name) => byName.get(name) ?? readFile(name);
  const program = ts.createProgram([...byName.keys()], options, host);
  return texts.map((_, at) => {
    const source = program.getSourceFile(nameOf(at));
    const syntax = program.getSyntacticDiagnostics(source);
    return syntax.length === 0 && program.getSemanticDiagnostics(source).length === 0;
  });
}
