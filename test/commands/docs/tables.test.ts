import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MODES, OUTCOMES } from '../../../src/core/outcome.js';
import { installationSchema } from '../../../src/installation/installation.js';
import { METRICS } from '../../../src/metrics/open-metrics.js';
import { mappingSchema } from '../../../src/mapping/schema.js';
import { transformOptions } from '../../../src/mapping/transforms/registry.js';
import { REPORT_FORMATS } from '../../../src/report/formats.js';
import { INPUT_FORMATS } from '../../../src/source/source.js';
import { cardline, root } from '../../kit/cardline.js';
import { codesIn, markedTables, page, tableBeginning } from './pages.js';

/** What stands in tables of the code and in tables of the pages is the same. */
describe('the pages name', () => {
  it('every mode, in order', () => {
    expect(codesIn(tableBeginning(page('docs/modes.md'), '`mode:`'), 0)).toEqual([...MODES]);
  });

  it('every outcome and every verdict', () => {
    const outcomes = codesIn(tableBeginning(page('docs/reports.md'), 'outcome'), 0);
    const verdicts = codesIn(tableBeginning(page('docs/reconciliation.md'), 'verdict'), 0);
    expect([...new Set([...outcomes, ...verdicts])].sort()).toEqual([...OUTCOMES].sort());
  });

  it('every format of a report, in order', () => {
    const formats = codesIn(tableBeginning(page('docs/reports.md'), '`--format`'), 0);
    expect(formats).toEqual([...REPORT_FORMATS]);
  });

  it('every format of an input, in the order in which they are tried', () => {
    const formats = codesIn(tableBeginning(page('docs/getting-started.md'), 'format'), 0);
    expect(formats).toEqual(INPUT_FORMATS);
  });

  it('every transform, with an example', () => {
    const [, table] = markedTables(page('docs/mapping.md'), 'values');
    const examples = table === undefined ? '' : codesIn(table, 0).join('\n');
    const missing = Object.keys(transformOptions).filter(
      (name) => !new RegExp(`[ [{]${name}\\b`).test(examples),
    );
    expect(missing).toEqual([]);
  });

  it('every option of a mapping', () => {
    const names = ['docs/mapping.md', 'docs/modes.md', 'docs/calling.md'];
    const text = names.map((name) => page(name).text).join('\n');
    // Transforms without options are written as bare names, and stand in the table above.
    const options = optionsOf(mappingSchema).filter((key) => !(key in transformOptions));
    expect(options.filter((key) => !isNamed(text, key))).toEqual([]);
  });

  it('every option of an installation', () => {
    const { text } = page('docs/installation.md');
    expect(optionsOf(installationSchema).filter((key) => !isNamed(text, key))).toEqual([]);
  });

  it('every command', async () => {
    const { stdout } = await cardline(['--help']);
    const commands = [...stdout.matchAll(/^ {2}cardline (\w+)/gm)].map(([, name]) => name);
    const named = codesIn(tableBeginning(page('README.md'), 'command'), 0);
    expect(named.toSorted()).toEqual([...new Set(commands)].sort());
  });

  it('every room, and why it is one', () => {
    const [, list = ''] = page('docs/architecture.md').text.split('<!-- rooms -->\n\n');
    const documented = (/^(?:- .*\n)+/.exec(list)?.[0] ?? '').trimEnd().split('\n');
    expect(documented, 'node docs/make-rooms.mjs writes the list anew').toEqual(rooms());
  });
});

function rooms(): string[] {
  interface Rule {
    readonly name: string;
    readonly comment: string;
  }
  const load = createRequire(import.meta.url);
  const { forbidden } = load(join(root, '.dependency-cruiser.cjs')) as { forbidden: Rule[] };
  return forbidden
    .filter(({ name }) => name.endsWith('-layer'))
    .map(({ name, comment }) => `- \`${name.replace(/-layer$/, '')}\`: ${comment}.`);
}

/** Every key of a schema, however deep. */
function optionsOf(schema: z.ZodType): string[] {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('properties' in node)
      for (const name of Object.keys(node.properties ?? {})) found.add(name);
    for (const inner of Object.values(node)) walk(inner);
  };
  walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return [...found];
}

/** Whether a page shows the option, in an example or in backticks. */
const isNamed = (text: string, key: string): boolean =>
  text.includes(`\`${key}\``) || new RegExp(`['{ ]?${key.replace('$', '\\$')}'?:`).test(text);

const NAMES = Object.keys(METRICS);
const dashboard = readFileSync(join(root, 'docs/grafana-dashboard.json'), 'utf8');

it('the dashboard names every metric, and no other', () => {
  const named = new Set(
    Array.from(dashboard.matchAll(/\bcardline_\w+/g), ([name]) => name.replace(/_bucket$/, '')),
  );
  expect([...named].sort()).toEqual(NAMES.toSorted());
});

it('the dashboard groups and filters by labels that its metrics have', () => {
  const { panels } = JSON.parse(dashboard) as {
    panels: { targets: { expr: string; legendFormat: string }[] }[];
  };
  for (const { expr, legendFormat } of panels.flatMap(({ targets }) => targets)) {
    const names = expr.match(/\bcardline_\w+/g) ?? [];
    expect(names).toHaveLength(1);
    const name = (names[0] ?? '').replace(/_bucket$/, '') as keyof typeof METRICS;
    const known = new Set<string>([...METRICS[name].labels, 'pickup', 'le', 'instance']);
    const shown = Array.from(legendFormat.matchAll(/\{\{(\w+)\}\}/g), ([, label = '']) => label);
    const grouped = /by \(([^)]*)\)/.exec(expr)?.[1]?.split(', ') ?? [];
    for (const label of [...shown, ...grouped]) expect(known, expr).toContain(label);
  }
});

it('the page names every metric, in order', () => {
  const lines = page('docs/unattended.md').text.matchAll(/^- `(cardline_\w+)`: /gm);
  expect(Array.from(lines, ([, name]) => name)).toEqual(NAMES);
});

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

it('src uses the words of the glossary, or says why it does not', () => {
  const listed = execFileSync(process.execPath, [join(root, 'test/commands/docs/left-words.mjs')], {
    encoding: 'utf8',
  });
  expect(listed.split('\n').filter((line) => line.endsWith('no reason'))).toEqual([]);
});
