import type { Inspect } from './change-rule.js';
import type { Inspection } from '../core/center.js';
import type { Fact } from '../core/facts.js';
import { type Batch, rowsOf } from './batch.js';
import { subjectOf } from './change-rules.js';
import { type BatchContext, record } from './batch-context.js';
import { orRefusal, lookUp } from './settle.js';

const NOT_ASKED = 'The contact center could not be asked for this client.';

/** Compares every member with the contact center and records what was found. */
export async function inspectClients(
  context: BatchContext,
  batch: Batch,
  inspect: Inspect,
): Promise<void> {
  const { clients, members } = batch;
  const answers = await lookUp(context, members, (index) =>
    orRefusal(inspect(subjectOf(clients, index))),
  );
  const results: [at: number, found: Inspection][] = [];
  const unknown: [index: number, reason: string][] = [];
  for (const [place, index] of members.entries()) {
    const answer = answers[place];
    if (answer === undefined) unknown.push([index, NOT_ASKED]);
    else if ('refusal' in answer) unknown.push([index, answer.refusal]);
    else results.push([clients.at[index] ?? 0, answer]);
  }
  const facts: Fact[] = unknown.map(([index, reason]) => ({
    kind: 'change_unknown',
    rows: rowsOf(clients, [index]),
    reason,
  }));
  if (results.length > 0) facts.push({ kind: 'inspected', results });
  await record(context, batch, ...facts);
  for (const [, { verdict }] of results) context.onOutcome(verdict, 1);
  context.onOutcome('unknown', unknown.length);
}
