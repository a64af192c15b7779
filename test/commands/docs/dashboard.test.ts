import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { METRICS } from '../../../src/metrics/table.js';
import { root } from '../../kit/cardline.js';
import { page } from './pages.js';

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
