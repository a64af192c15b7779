import { z } from 'zod';
import { listCampaigns } from '../../../app/campaigns/list-campaigns.js';
import type { Campaign } from '../../shared/run.js';
import { runOptions } from '../runs/run-options.js';
import type { Site } from '../site.js';

/** How long a person waits for a list, in milliseconds. */
const PATIENCE_MS = 5_000;

const text = z.string().nullish().catch(null);

/** What of a listed campaign is shown; it may lack any of it, or have it in another form. */
const listed = z.object({
  id: z.number(),
  name: z.string(),
  automaticStart: z.boolean().nullish().catch(null),
  weekDays: z.array(z.string()).nullish().catch(null),
  ...{ startDate: text, endDate: text, startTime: text, endTime: text },
  ...{ weekendsStartTime: text, weekendsEndTime: text },
  limitTimeCalls: z.boolean().nullish().catch(null),
  ...{ startCallsTime: text, endCallsTime: text },
});

/** The campaigns of the page's contact center, by name. @throws Refusal without one; and as `listCampaigns` does */
export async function shownCampaigns(site: Site, signal: AbortSignal): Promise<Campaign[]> {
  const options = { ...runOptions(site), signal, giveUpAfterMs: PATIENCE_MS };
  return (await listCampaigns(options)).map((campaign) => shown(listed.parse(campaign)));
}

function shown(campaign: z.output<typeof listed>): Campaign {
  const { id, name, startDate = null, endDate = null, weekDays } = campaign;
  return {
    ...{ id, name, firstDay: startDate, lastDay: endDate, days: weekDays ?? [] },
    isAutomatic: campaign.automaticStart === true,
    weekdays: span(campaign.startTime, campaign.endTime),
    weekends: span(campaign.weekendsStartTime, campaign.weekendsEndTime),
    clientTime:
      campaign.limitTimeCalls === true
        ? span(campaign.startCallsTime, campaign.endCallsTime)
        : null,
  };
}

function span(from: string | null | undefined, to: string | null | undefined) {
  return from == null || to == null ? null : { from, to };
}
