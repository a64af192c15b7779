import { context, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LIBRARY, built } from '../../kit/built.js';
import type * as Library from '../../../src/index.js';
import { csv, lead, leads, useBench } from '../../kit/bench.js';

const { importFiles } = await built<typeof Library>(LIBRARY);

const bench = useBench();
const exporter = new InMemorySpanExporter();
beforeEach(() => exporter.reset());
afterEach(() => {
  trace.disable();
  context.disable();
});

async function importLeads(name: string) {
  const file = await bench.write(`${name}.csv`, csv([...leads(20), lead(30, { Mobile: 'none' })]));
  return importFiles({
    files: [file],
    mapping: bench.at('mapping.yaml'),
    installation: bench.at('center.yaml'),
    ledger: bench.at('runs.db'),
    out: bench.at(name),
    campaign: { id: 42 },
    env: bench.environment,
    maxFailures: { count: 10 },
  });
}

const idOf = (span: ReadableSpan): string => span.spanContext().spanId;

it('spans of a run, its phases and its requests go to an SDK that is registered', async () => {
  const provider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  trace.setGlobalTracerProvider(provider);
  const { summary } = await importLeads('traced');
  const spans = exporter.getFinishedSpans();
  const [root, ...others] = spans.filter(({ parentSpanContext }) => !parentSpanContext);
  if (!root) throw new Error('There is no span of the run.');
  expect(others).toEqual([]);
  expect(root.name).toBe('cardline run');
  expect(root.attributes).toMatchObject({
    'cardline.run': summary.run,
    'cardline.rows.enqueued': 20,
    'cardline.exit_code': 2,
  });
  const below = (parent: ReadableSpan): ReadableSpan[] =>
    spans.filter((span) => span.parentSpanContext?.spanId === idOf(parent));
  const phases = below(root);
  expect(phases.map(({ name }) => name)).toEqual([
    'cardline open',
    'cardline count',
    'cardline send',
    'cardline report',
  ]);
  const requests = phases.flatMap(below);
  expect(requests).toHaveLength(bench.center.requests.length);
  expect(
    new Set(requests.map(({ attributes }) => attributes['http.response.status_code'])),
  ).toEqual(new Set([200, 201]));
  for (const { name } of requests) expect(name).toMatch(/^(GET|POST|PUT|DELETE) \//);
  const written = JSON.stringify(spans.map(({ name, attributes }) => ({ name, attributes })));
  expect(written).not.toMatch(/Fedor|7916\d|tok-5f2c/);
});

it('without one, there are none', async () => {
  await importLeads('untraced');
  expect(exporter.getFinishedSpans()).toEqual([]);
});
