import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** In place of a name: whatever a file exports. */
const ALL = Symbol('all');

/**
 * The types of the library: of the declarations that `tsc` made, those that `index.d.ts` leads to, name by name. Nine
 * tenths are of functions and schemas that no program can import.
 */
export function declarations({ from, to }) {
  return {
    name: 'declarations',
    writeBundle() {
      rmSync(to, { recursive: true, force: true });
      for (const [file, text] of reachable(join(from, 'index.d.ts'))) {
        const target = join(to, relative(from, file));
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, text);
      }
    },
  };
}

/** Texts of the files that are needed, by their paths. */
function reachable(entry) {
  const files = new Map();
  const open = (path) => {
    if (!files.has(path)) files.set(path, openFile(path));
    return files.get(path);
  };
  const wanted = [];
  const want = (path, statements) => {
    for (const statement of statements) wanted.push({ path, statement });
  };
  // Everything of the entry is public.
  want(entry, open(entry).statements);
  for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
    const { path, statement } = next;
    const file = open(path);
    if (file.kept.has(statement)) continue;
    file.kept.add(statement);
    for (const [from, name] of namesIn(statement, file)) {
      const { statements, declared, forwards } = open(from);
      want(from, name === ALL ? statements : [...(declared.get(name) ?? []), ...forwards]);
    }
  }
  return [...files].map(([path, file]) => [path, printed(file)]);
}

/** A file of declarations: its statements by what they declare, and where its other names come from. */
function openFile(path) {
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imported = new Map();
  const declared = new Map();
  const forwards = [];
  const declare = (name, statement) =>
    declared.set(name, [...(declared.get(name) ?? []), statement]);
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) addImports(statement, path, imported);
    else if (ts.isExportDeclaration(statement)) {
      if (statement.exportClause === undefined) forwards.push(statement);
      else for (const { name } of statement.exportClause.elements) declare(name.text, statement);
    } else for (const name of declaredBy(statement)) declare(name, statement);
  }
  const statements = source.statements.filter((statement) => !ts.isImportDeclaration(statement));
  return { path, source, statements, imported, declared, forwards, kept: new Set() };
}

function addImports(statement, path, imported) {
  const { importClause: clause, moduleSpecifier } = statement;
  const from = target(path, moduleSpecifier.text);
  const bindings = clause?.namedBindings;
  if (clause?.name || !bindings || ts.isNamespaceImport(bindings))
    throw new Error(`${path}: only imports of names can be followed: ${statement.getText()}`);
  for (const { name, propertyName } of bindings.elements)
    imported.set(name.text, { from, name: (propertyName ?? name).text, statement });
}

function declaredBy(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.text);
  if (statement.name) return [statement.name.text];
  throw new Error(`A declaration without a name: ${statement.getText()}`);
}

/** What a statement refers to: names, each with its file. */
function namesIn(statement, file) {
  const found = [];
  if (ts.isExportDeclaration(statement)) found.push(...exportedBy(statement, file));
  const visit = (node) => {
    if (ts.isImportTypeNode(node)) found.push(importedType(node, file));
    else if (ts.isIdentifier(node)) found.push(named(node.text, file));
    ts.forEachChild(node, visit);
  };
  if (!ts.isExportDeclaration(statement)) visit(statement);
  // What packages declare is in their own files.
  return found.filter(([from]) => from !== undefined);
}

function importedType({ argument, qualifier }, { path }) {
  let first = qualifier;
  while (first && ts.isQualifiedName(first)) first = first.left;
  return [target(path, argument.literal.text), first ? first.text : ALL];
}

function named(name, { path, imported, declared }) {
  const from = imported.get(name);
  if (from) return [from.from, from.name];
  return [declared.has(name) ? path : undefined, name];
}

function exportedBy({ exportClause, moduleSpecifier }, file) {
  if (exportClause === undefined) return [[target(file.path, moduleSpecifier.text), ALL]];
  return exportClause.elements.map(({ name, propertyName = name }) =>
    moduleSpecifier
      ? [target(file.path, moduleSpecifier.text), propertyName.text]
      : named(propertyName.text, file),
  );
}

/** The declarations behind an import, or `undefined` where a package has them. */
const target = (path, specifier) =>
  specifier.startsWith('.') ? join(dirname(path), specifier.replace(/\.js$/, '.d.ts')) : undefined;

/** The statements that are kept, and the imports that they need. */
function printed({ source, imported, kept }) {
  const used = new Set();
  const visit = (node) => {
    if (ts.isIdentifier(node)) used.add(node.text);
    ts.forEachChild(node, visit);
  };
  kept.forEach(visit);
  const imports = new Map();
  for (const [local, { statement, name }] of imported) {
    if (!used.has(local)) continue;
    const { text } = statement.moduleSpecifier;
    const one = name === local ? local : `${name} as ${local}`;
    imports.set(text, [...(imports.get(text) ?? []), one]);
  }
  const lines = [...imports].map(
    ([from, names]) => `import type { ${names.join(', ')} } from '${from}';\n`,
  );
  const statements = source.statements.filter((statement) => kept.has(statement));
  const texts = statements.map((statement) => statement.getFullText().trimStart());
  return `${lines.join('')}${texts.join('\n')}\nexport {};\n`;
}
