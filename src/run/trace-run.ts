import {
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { operations } from '../contract/operations.js';
import { isErrorStatus } from '../core/errors.js';
import type { EndedRequest, RunObserver, Summary } from '../core/report.js';
import { occurring } from '../core/outcome.js';
import { defined } from '../core/text.js';

const templates = new Map(
  Object.entries(operations).map(([name, { method, path }]) => [name, { method, path }]),
);

/**
 * Spans of a run: one for the run, below it one for each of its phases, and below these one for each request. They
 * hold names and counts, and nothing of a client: addresses are those of the contract, without values.
 */
export function traceRun({ pickup }: { readonly pickup?: string | undefined }): RunObserver {
  const tracer = trace.getTracer('cardline');
  const root = tracer.startSpan('cardline run', {
    attributes: defined({ 'cardline.pickup': pickup }),
  });
  const inRun = trace.setSpan(context.active(), root);
  let isKnown = false;
  let phase: { readonly span: Span; readonly inside: Context } | undefined;
  return {
    onPhase: (name) => {
      phase?.span.end();
      const span = tracer.startSpan(`cardline ${name}`, {}, inRun);
      phase = { span, inside: trace.setSpan(inRun, span) };
    },
    onRun: ({ run, mode, continued }) => {
      // The removal of clients that a list lacks is a run within the run.
      if (isKnown) return;
      isKnown = true;
      root.setAttributes({
        'cardline.run': run,
        'cardline.mode': mode,
        'cardline.continued': continued,
      });
    },
    onRequest: (request) => {
      const end = Date.now();
      const { name, attributes } = describe(request);
      const startTime = end - request.milliseconds;
      const options = { kind: SpanKind.CLIENT, attributes, startTime };
      const span = tracer.startSpan(name, options, phase?.inside ?? inRun);
      if (request.status === undefined || isErrorStatus(request.status))
        span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(end);
    },
    onEnd: (end) => {
      phase?.span.end();
      if ('error' in end) root.setStatus({ code: SpanStatusCode.ERROR });
      else {
        const { exitCode, summary } = end.result;
        root.setAttributes({ 'cardline.exit_code': exitCode, ...countsOf(summary) });
        if (summary.state === 'stopped') root.setStatus({ code: SpanStatusCode.ERROR });
      }
      root.end();
    },
  };
}

function describe({ operation, status }: EndedRequest) {
  const { method, path } = templates.get(operation) ?? { method: 'HTTP', path: operation };
  return {
    name: `${method} ${path}`,
    attributes: defined({
      'http.request.method': method,
      'url.template': path,
      'http.response.status_code': status,
      'cardline.operation': operation,
    }),
  };
}

const countsOf = ({ rows, outcomes }: Summary): Record<string, number> => ({
  'cardline.rows': rows,
  ...Object.fromEntries(
    occurring(outcomes).map(([name, count]) => [`cardline.rows.${name}`, count]),
  ),
});
