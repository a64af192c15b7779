import { useSignal } from '@preact/signals';
import type { Campaign, ImportPlan } from '../../../shared/run.js';
import { importText } from '../../messages/import.js';
import { call } from '../../state/call.js';
import { t } from '../../state/language.js';
import { type Loaded, useLoaded } from '../../state/loaded.js';

/** The campaigns of the contact center, which may be slow, or not there. */
export interface Campaigns {
  readonly found: Loaded<readonly Campaign[]>;
  readonly askAgain: () => void;
  /** The one that the import would use; `undefined` while it is not known. */
  readonly of: (plan: ImportPlan) => Campaign | undefined;
  /** What it is called; `null` where there is none. */
  readonly nameOf: (plan: ImportPlan) => string | null;
}

export function useCampaigns(): Campaigns {
  const version = useSignal(0);
  const load = async (signal: AbortSignal): Promise<readonly Campaign[]> =>
    (await call('GET /api/campaigns', { signal })).campaigns;
  const found = useLoaded(load, String(version.value)).value;
  const all = found.state === 'ready' ? found.value : [];
  const of: Campaigns['of'] = ({ choice, mapped }) =>
    choice.campaign === null
      ? all.find(({ id, name }) => (mapped?.id == null ? name === mapped?.name : id === mapped.id))
      : all.find(({ id }) => id === choice.campaign);
  return {
    found,
    askAgain: () => version.value++,
    of,
    nameOf: (plan) => of(plan)?.name ?? namedBy(plan),
  };
}

/** As the plan itself names it. */
export function namedBy({ choice, mapped, campaignNeeded }: ImportPlan): string | null {
  if (campaignNeeded === 'unused') return null;
  const id = choice.campaign ?? mapped?.id ?? null;
  if (choice.campaign === null && mapped?.name != null) return mapped.name;
  return id === null ? null : t(importText.campaignNumber, id);
}
