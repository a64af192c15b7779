import ts from 'typescript';

/** What stands in place of an operator, or of a method of which its opposite is a method, too. */
const OTHER = {
  ...{ '===': '!==', '!==': '===', '==': '!=', '!=': '==' },
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '+=': '-=', '-=': '+=' },
  ...{ '&&': '||', '||': '&&', '??': '&&', '++': '--', '--': '++' },
  ...{ some: 'every', every: 'some', min: 'max', max: 'min', floor: 'ceil', ceil: 'floor' },
};
/** What only says something, in which nobody looks for a changed number. */
const SAYS = /(?:Error|Problem|Stop|log|trace|debug|warn)$/;

/**
 * All mutants of a source: what stands between `start` and `end` `becomes` something else. A statement becomes nothing.
 * `isOfAll`: evaluated when the module is loaded, and thus for whoever loads it; calls of functions then show later.
 */
export function mutantsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  const found = [];
  const textOf = (node) => node.getText(source);
  const visit = (node, isOfAll) => {
    if (isOfNoInterest(node, textOf)) return;
    for (const [place, becomes] of changesOf(node, textOf)) {
      const start = place.getStart(source);
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      const [end, was, on] = [place.getEnd(), textOf(place), lines[line - 1].trim()];
      found.push({ file, line, on, start, end, was, becomes, isOfAll });
    }
    ts.forEachChild(node, (child) => visit(child, isOfAll && !ts.isFunctionLike(node)));
  };
  visit(source, true);
  return found;
}

function isOfNoInterest(node, textOf) {
  if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node)) return true;
  if (ts.isThrowStatement(node) || ts.isTemplateExpression(node)) return true;
  const isCall = ts.isCallExpression(node) || ts.isNewExpression(node);
  return isCall && SAYS.test(textOf(node.expression));
}

/** The places of a node that change, each with its other text. */
function* changesOf(node, textOf) {
  if (ts.isBinaryExpression(node)) {
    const other = OTHER[textOf(node.operatorToken)];
    const [left, right] = [textOf(node.left), textOf(node.right)];
    if (other)
      yield [
        node,
        other.endsWith('=') && !/^[!=<>]/.test(other)
          ? `${left} ${other} ${right}`
          : `(${left}) ${other} (${right})`,
      ];
  } else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const operand = textOf(node.operand);
    if (node.operator === ts.SyntaxKind.ExclamationToken) yield [node, operand];
    else if (node.operator === ts.SyntaxKind.PlusPlusToken) yield [node, `${operand}--`];
    else if (node.operator === ts.SyntaxKind.MinusMinusToken) yield [node, `${operand}++`];
  } else if (ts.isIfStatement(node)) {
    yield [node.expression, 'true'];
    yield [node.expression, 'false'];
  } else if (ts.isConditionalExpression(node)) {
    yield [node.condition, 'true'];
    yield [node.condition, 'false'];
  } else if (ts.isWhileStatement(node)) {
    yield [node.expression, 'false'];
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) {
    yield [node, 'false'];
  } else if (node.kind === ts.SyntaxKind.FalseKeyword) {
    yield [node, 'true'];
  } else if (ts.isNumericLiteral(node) && node.parent.name !== node) {
    // One more of many is hardly ever to be noticed.
    const number = Number(node.text);
    yield [node, String(number < 50 ? number + 1 : 2 * number)];
  } else if (ts.isContinueStatement(node) || (ts.isBreakStatement(node) && !isOfSwitch(node))) {
    yield [node, ''];
  } else if (ts.isExpressionStatement(node) && hasEffect(node.expression, textOf)) {
    yield [node, ''];
  } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression;
    const other = OTHER[textOf(name)];
    const rest = textOf(node).slice(textOf(node.expression).length);
    if (other && !ts.isOptionalChain(node)) yield [node, `${textOf(expression)}.${other}${rest}`];
  }
}

const isOfSwitch = (node) => ts.isCaseOrDefaultClause(node.parent);

function hasEffect(expression, textOf) {
  const { expression: called } = ts.isAwaitExpression(expression)
    ? expression.expression
    : expression;
  return !called || !(called.kind === ts.SyntaxKind.SuperKeyword || SAYS.test(textOf(called)));
}

/** The whole text with one mutant in it. */
export const mutated = (text, { start, end, becomes }) =>
  text.slice(0, start) + becomes + text.slice(end);

/**
 * The text with all these mutants in it, each asleep until `MUTANT` names it. While `MUTANTS_REACHED` is a file, no one
 * wakes, and each says there when it is come by, once for a test file (`reached.ts`).
 */
export function switched(text, mutants) {
  const sorted = mutants.toSorted((a, b) => a.start - b.start || b.end - a.end);
  return `${HEAD}${between(text, 0, text.length, sorted)}\n__loads = false;`;
}

/** What is come by while the module is loaded is said as such: of many tests in one process, the first alone loads it. */
const HEAD = `let __loads = true; const __say = globalThis.__sayMutant ??= (() => {
  const chosen = Number(process.env.MUTANT ?? -1);
  if (chosen >= 0 || !process.env.MUTANTS_REACHED) return (id) => id === chosen;
  const { appendFileSync } = process.getBuiltinModule('node:fs');
  globalThis.__reachedMutants ??= [];
  return (id, loads) => {
    if (!globalThis.__reachedMutants[id])
      appendFileSync(process.env.MUTANTS_REACHED, id + (loads ? ' loads' : '') + '\\n');
    globalThis.__reachedMutants[id] = true;
    return false;
  };
})(); const __is = (id) => __say(id, __loads);`.replaceAll('\n', ' ');

function between(text, from, to, mutants) {
  let [done, made, rest] = [from, '', mutants];
  while (rest[0]) {
    const [{ start, end, becomes, id }] = rest;
    const inner = rest.slice(1).filter((mutant) => mutant.start < end);
    const was = between(text, start, end, inner);
    made += text.slice(done, start);
    made +=
      becomes === '' ? `{ if (!__is(${id})) ${was} }` : `(__is(${id}) ? (${becomes}) : (${was}))`;
    done = end;
    rest = rest.slice(1 + inner.length);
  }
  return made + text.slice(done, to);
}
