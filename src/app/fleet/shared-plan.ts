import { z } from 'zod';
import { USER_AGENT } from '../../client/user-agent.js';
import { defined } from '../../core/defined.js';
import type { DuplicateRule } from '../../core/duplicates.js';
import { MODES } from '../../core/mode.js';
import type { Installation } from '../../installation/installation.js';
import type { FailureLimit } from '../../pipeline/failures.js';
import type { RecoveryParts } from '../connect/recovery.js';
import type { RunOptions } from '../requests.js';
import type { RunPlan } from '../run/run-plan.js';

const countOrAuto = z.union([z.number(), z.literal('auto')]);
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** What workers need to know of a run. The same version has written it: what is inside of it is not checked again. */
const sharedPlan = z.object({
  version: z.string(),
  /** As its file describes it, with placeholders in place of secrets. */
  installation: z.custom<Installation>(isObject),
  mode: z.enum(MODES),
  campaign: z.custom<RunPlan['campaign']>(),
  duplicates: z.custom<DuplicateRule>(),
  identifierNames: z.array(z.string()),
  inputs: z.array(z.string()),
  recovery: z.custom<RecoveryParts>(isObject),
  /** When rows began to be mapped, in milliseconds since the epoch. */
  mappedAt: z.number(),
  options: z.object({
    batchSize: countOrAuto.optional(),
    concurrency: countOrAuto.optional(),
    giveUpAfterMs: z.number().optional(),
    requestsPerSecond: z.number().optional(),
    clientsPerSecond: z.number().optional(),
    priority: z.number().optional(),
  }),
  /** Clients that go first over all pieces, and how many rows may end badly. */
  canary: z.number(),
  maxFailures: z.custom<FailureLimit>(isObject).optional(),
});

export type SharedPlan = z.infer<typeof sharedPlan>;

const versionOnly = z.object({
  version: z.string(),
  installation: z.object({ name: z.string() }),
});

/** A plan, or, where another version has written it, which one that was. */
export type ReadPlan =
  | { readonly kind: 'own'; readonly plan: SharedPlan }
  | { readonly kind: 'other'; readonly version: string; readonly installation: string };

export function readSharedPlan(text: string): ReadPlan {
  const json: unknown = JSON.parse(text);
  const { version, installation } = versionOnly.parse(json);
  if (version !== USER_AGENT) return { kind: 'other', version, installation: installation.name };
  return { kind: 'own', plan: sharedPlan.parse(json) };
}

/** What workers need to know of a run, as it is kept with it. */
export function sharedPlanText(request: RunOptions, plan: RunPlan): string {
  const { installation, mode, campaign, duplicates, identifierNames, inputs, recovery } = plan;
  const { batchSize, concurrency, giveUpAfterMs, requestsPerSecond, clientsPerSecond } = request;
  const { priority, canary = 0, maxFailures } = request;
  return JSON.stringify({
    version: USER_AGENT,
    ...{ installation, mode, campaign, duplicates, identifierNames, inputs, recovery },
    ...{ mappedAt: Date.now(), canary, maxFailures },
    options: defined({
      ...{ batchSize, concurrency, giveUpAfterMs, requestsPerSecond, clientsPerSecond, priority },
    }),
  });
}
