import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { root } from '../../kit/cardline.js';

/** Rooms whose functions other rooms and programs call. */
const ROOMS = ['library', 'suggest', 'source'];

it.each(ROOMS)('every exported function of src/%s has a docstring', (room) => {
  const folder = join(root, 'src', room);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const functions = files.flatMap((name) => functionsOf(join(folder, name)));
  expect(functions.length).toBeGreaterThan(files.length / 2);
  expect(functions.filter(({ hasDoc }) => !hasDoc).map(({ place }) => place)).toEqual([]);
});

function functionsOf(path: string): { place: string; hasDoc: boolean }[] {
  const source = ts.createSourceFile(
    path,
    readFileSync(path, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  return source.statements.filter(isExportedFunction).map((statement) => ({
    place: `${path.slice(root.length)}: ${statement.getText().split('\n')[0]}`,
    hasDoc: ts.getJSDocCommentsAndTags(statement).length > 0,
  }));
}

function isExportedFunction(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return false;
  if (ts.isFunctionDeclaration(statement)) return true;
  return (
    ts.isVariableStatement(statement) &&
    statement.declarationList.declarations.some(
      ({ initializer }) => initializer && ts.isArrowFunction(initializer),
    )
  );
}
