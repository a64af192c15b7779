import { EXIT, UsageError } from '../../../core/errors.js';
import { MODE_TRAITS } from '../../../core/mode.js';
import { allCampaigns, idNamed, type ListedCampaign } from '../../../operations/campaigns.js';
import { failed, ok } from '../finding.js';
import { type Check, known, type CheckContext } from '../check.js';

/** The campaign that clients would be added to is there. */
export const campaign: Check = {
  needs: ['credentials'],
  isAsked: (context) => wantedOf(context) !== undefined || needsCampaign(context),
  run: async (context) => {
    const wanted = wantedOf(context);
    if (wanted === undefined)
      return failed(
        `mode ${context.mapping?.mode ?? ''} needs a campaign. Name it with ${keyOf(context)} or in the mapping.`,
        EXIT.usage,
      );
    const campaigns = await allCampaigns(known(context.center));
    const { id, name, typeProcessing } = chosen(campaigns, wanted, keyOf(context));
    return ok(`${id} "${name}", ${typeProcessing}`);
  },
};

const keyOf = ({ request }: CheckContext): string => request.campaignKey ?? '--campaign';

interface Wanted {
  readonly id?: number | undefined;
  readonly name?: string | undefined;
}

function wantedOf({ request, mapping }: CheckContext): Wanted | undefined {
  const isNamed = (one: Wanted | undefined): boolean =>
    one?.id !== undefined || one?.name !== undefined;
  return [request.campaign, mapping?.campaign].find(isNamed);
}

const needsCampaign = ({ mapping }: CheckContext): boolean =>
  mapping !== undefined && MODE_TRAITS[mapping.mode].campaign === 'required';

/** @throws UsageError when there is none, or more than one of that name */
function chosen(
  campaigns: readonly ListedCampaign[],
  { id, name }: Wanted,
  key: string,
): ListedCampaign {
  const wantedId = id ?? idNamed(campaigns, name ?? '');
  const found = campaigns.find((one) => one.id === wantedId);
  if (found) return found;
  throw new UsageError(
    `The contact center has no campaign ${wantedId} among its ${campaigns.length}; check ${key} or the mapping.`,
  );
}
