/**
 * Measures how deep the rooms of `src` are, and fails where a figure is above its limit: `node test/house/house.mjs`.
 * `npm run check` ends with it. A limit only goes down: `--lower` writes each figure that got smaller to `limits.json`.
 *
 * Rooms are the folders of `src`, those of `src/web` each for itself. A *door* is a file that another room imports, a
 * *name* is what it imports from there. Workers and what is loaded when needed count as doors, too.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');
const LIMITS = join(import.meta.dirname, 'limits.json');
const SQL = /\b(?:SELECT\s|INSERT (?:OR \w+ )?INTO|CREATE TABLE|DELETE FROM|UPDATE \w+ SET)/;
const CARRIER = /(?:Parts|Ports|Context|Setup)$/;

const rooms = measure();
const figures = sums(rooms);
print();
compare();

function measure() {
  const files = sourceFiles('src').map(read);
  const known = new Map(files.map((file) => [file.path, file]));
  for (const file of files) {
    for (const [specifier, names] of file.imports) {
      const target = [specifier.replace(/\.jsx?$/, '.ts'), specifier.replace(/\.jsx?$/, '.tsx')]
        .map((name) => known.get(resolve(dirname(file.path), name)))
        .find(Boolean);
      if (!target || target === file) continue;
      target.importers.add(file);
      if (target.room !== file.room) for (const name of names) target.taken.add(name);
    }
  }
  return grouped(files);
}

function grouped(files) {
  const groups = new Map();
  for (const file of files) groups.set(file.room, [...(groups.get(file.room) ?? []), file]);
  return groups;
}

function sourceFiles(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|mjs)$/.test(name))
    .map((name) => join(ROOT, folder, name));
}

function read(path) {
  const text = readFileSync(path, 'utf8');
  const parts = relative(join(ROOT, 'src'), path).split('/');
  const room = parts.length === 1 ? 'src' : parts.slice(0, parts[0] === 'web' ? 2 : 1).join('/');
  const file = {
    path,
    room,
    lines: linesOf(text),
    imports: [],
    importers: new Set(),
    taken: new Set(),
  };
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const functions = [];
  const carriers = [];
  const visit = (node) => {
    const imported = importOf(node);
    if (imported) file.imports.push(imported);
    if (ts.isFunctionLike(node) && node.body && ts.isBlock(node.body))
      functions.push(lineOf(tree, node.body.end) - lineOf(tree, node.getStart()) + 1);
    if (
      (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) &&
      CARRIER.test(node.name.text)
    )
      carriers.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return Object.assign(file, { functions, carriers, hasSql: SQL.test(text) });
}

function lineOf(tree, position) {
  return tree.getLineAndCharacterOfPosition(position).line;
}

function linesOf(text) {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** The file that a node imports, and which names of it: `*` for all of them. */
function importOf(node) {
  const named = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
  if (named && node.moduleSpecifier?.text.startsWith('.')) {
    const bindings = node.importClause?.namedBindings ?? node.exportClause;
    const names = (bindings?.elements ?? []).map(
      ({ propertyName, name }) => (propertyName ?? name).text,
    );
    return [node.moduleSpecifier.text, names.length > 0 ? names : ['*']];
  }
  const [argument] =
    (ts.isCallExpression(node) || ts.isNewExpression(node)) && node.arguments ? node.arguments : [];
  const loads =
    argument &&
    ts.isStringLiteral(argument) &&
    argument.text.startsWith('.') &&
    (node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === 'URL');
  if (loads) return [argument.text, ['*']];
  const type = ts.isImportTypeNode(node) && node.argument.literal?.text;
  return type && type.startsWith('.') ? [type, [node.qualifier?.getText() ?? '*']] : undefined;
}

function sums(byRoom) {
  const files = [...byRoom.values()].flat();
  const doors = files.filter((file) => file.taken.size > 0 && file.room !== 'src');
  const functions = files.flatMap((file) => file.functions);
  const tests = sourceFiles('test').map((path) => linesOf(readFileSync(path, 'utf8')));
  return {
    'files of src': files.length,
    'lines of src': total(files.map((file) => file.lines)),
    'longest file of src': Math.max(...files.map((file) => file.lines)),
    'files with one importer': files.filter((file) => file.importers.size === 1).length,
    'doors of rooms': doors.length,
    'names over the borders of rooms': total(doors.map((file) => file.taken.size)),
    'files with SQL': files.filter((file) => file.hasSql).length,
    'types named Parts, Ports, Context or Setup': total(files.map((file) => file.carriers.length)),
    'lines of the longest function': Math.max(...functions),
    'lines that one function in ten is above': quantile(functions, 0.9),
    'files of test': tests.length,
    'lines of test': total(tests),
  };
}

function print() {
  const cells = (row) =>
    [row[0].padEnd(14), ...row.slice(1).map((cell) => String(cell).padStart(8))].join('');
  console.log(cells(['room', 'files', 'lines', 'doors', 'names', 'single', 'median']));
  const byLines = [...rooms].map(([room, files]) => {
    const lines = files.map((file) => file.lines);
    const doors = files.filter((file) => file.taken.size > 0);
    const names = total(doors.map((file) => file.taken.size));
    const single = files.filter((file) => file.importers.size === 1).length;
    return [room, files.length, total(lines), doors.length, names, single, quantile(lines, 0.5)];
  });
  for (const row of byLines.sort((a, b) => b[2] - a[2])) console.log(cells(row));
}

function compare() {
  const limits = JSON.parse(readFileSync(LIMITS, 'utf8'));
  const isLowered = process.argv.includes('--lower');
  console.log(
    `\n${'figure'.padEnd(46)}${'now'.padStart(8)}${'limit'.padStart(8)}${'goal'.padStart(8)}`,
  );
  for (const [name, now] of Object.entries(figures)) {
    const { limit, goal } = limits[name];
    const isWorse = now > limit;
    if (isWorse) process.exitCode = 1;
    if (isLowered && !isWorse) limits[name].limit = now;
    const cells = [now, limit, goal].map((cell) => cell.toLocaleString('en').padStart(8)).join('');
    console.log(`${name.padEnd(46)}${cells}${isWorse ? '  above its limit' : ''}`);
  }
  if (isLowered) writeFileSync(LIMITS, `${JSON.stringify(limits, null, 2)}\n`);
  if (process.exitCode)
    console.log(
      '\nThe house got larger or wider. Make less of it elsewhere, or say in the commit why the limit is raised.',
    );
}

function total(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function quantile(numbers, share) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0;
}
