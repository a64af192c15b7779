import { UsageError } from '../core/errors.js';
import type { Mode } from '../core/mode.js';
import type { CampaignSettings } from '../pipeline/batch/batch.js';
import type { ImportRequest } from './requests.js';

/** What a mode does with a campaign: it can do without one only where it adds to it afterwards. */
const USE: Readonly<Record<Mode, 'may' | 'must' | 'never'>> = {
  create: 'may',
  upsert: 'may',
  enqueue: 'must',
  dequeue: 'must',
  callbacks: 'must',
  update: 'never',
  contacts: 'never',
  rekey: 'never',
  delete: 'never',
};

/** Whether a mode has to do with campaigns at all. */
export function usesCampaign(mode: Mode): boolean {
  return USE[mode] !== 'never';
}

/** Refuses an import whose mode and wishes do not go together. @throws UsageError */
export function checkWishes(mode: Mode, { campaign, confirmed, recovery }: ImportRequest): void {
  if (mode === 'delete' && confirmed !== true)
    throw new UsageError(
      'Mode delete deletes the client of every row. If that is meant, say so with --yes.',
    );
  const isNamed = campaign?.id !== undefined || campaign?.name !== undefined;
  if (isNamed && USE[mode] === 'never')
    throw new UsageError(`Mode ${mode} has no use for a campaign; leave --campaign out.`);
  if (recovery === true && mode !== 'create' && mode !== 'upsert')
    throw new UsageError(`Mode ${mode} creates no clients, so there is nothing to recover.`);
}

/** Refuses an import that lacks the campaign that its mode needs. @throws UsageError */
export function checkCampaign(mode: Mode, campaign: CampaignSettings | null): void {
  if (campaign === null && USE[mode] === 'must')
    throw new UsageError(
      `Mode ${mode} needs a campaign: give --campaign, or a campaign section in the mapping.`,
    );
}
