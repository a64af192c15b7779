import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../kit/cardline.js';

/** A program of somebody else's: its files, and the settings that differ from those of the others. */
export interface Program {
  readonly files: readonly string[];
  /** As in `tsconfig.json`, such as `ES2022`. */
  readonly lib: readonly string[];
  readonly types: readonly string[];
  /** Whether the declarations of all packages are checked, too. */
  readonly checksPackages: boolean;
}

const COMMON: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noEmit: true,
  typeRoots: [join(root, 'node_modules/@types')],
};

/** What the compiler says of each program. Files that several have are read once, which is most of its work. */
export function typeErrors(programs: readonly Program[]): string[] {
  const host = ts.createCompilerHost(COMMON);
  const read = new Map<string, ts.SourceFile | undefined>();
  const reading = host.getSourceFile.bind(host);
  host.getSourceFile = (name, settings) => {
    if (!read.has(name)) read.set(name, reading(name, settings));
    return read.get(name);
  };
  return programs.map(({ files, lib, types, checksPackages }) => {
    const options = {
      ...COMMON,
      lib: lib.map((name) => `lib.${name.toLowerCase()}.d.ts`),
      types: [...types],
      skipLibCheck: !checksPackages,
    };
    const program = ts.createProgram({ rootNames: files, options, host });
    return ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), host);
  });
}

/** The JavaScript of a text whose types are checked elsewhere. */
export const withoutTypes = (code: string): string =>
  ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  }).outputText;

/** The examples of the page about the library. */
export function pageExamples(): string[] {
  const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
  return [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
}
