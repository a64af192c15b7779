import type { JSX } from 'preact';
import type { Campaign, ImportChoice, ImportPlan } from '../../../shared/run.js';
import { importText } from '../../messages/import.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { type Choice, Select } from '../../parts/select.js';
import { about } from '../../state/about.js';
import { t } from '../../state/language.js';
import { type Campaigns, namedBy } from './campaigns.js';
import { scheduleOf } from './schedule.js';

/** Stands for what the mapping says. */
const MAPPED = '';

interface CampaignFieldProps {
  readonly plan: ImportPlan;
  readonly campaigns: Campaigns;
  readonly onChange: (change: Partial<ImportChoice>) => void;
}

/** The campaign, by its name, with when it calls. */
export function CampaignField({ plan, campaigns, onChange }: CampaignFieldProps): JSX.Element {
  const { found } = campaigns;
  const chosen = campaigns.of(plan);
  return (
    <section aria-label={t(importText.campaign)}>
      <div class="fields wide">
        <Select
          label={t(importText.campaign)}
          value={plan.choice.campaign === null ? MAPPED : String(plan.choice.campaign)}
          choices={choicesOf(plan, found.state === 'ready' ? found.value : [])}
          disabled={about.value?.readOnly ?? true}
          onChoose={(value) => onChange({ campaign: value === MAPPED ? null : Number(value) })}
        />
      </div>
      {found.state === 'loading' && (
        <p class="soft" role="status">
          {t(importText.campaignsLoading)}
        </p>
      )}
      {found.state === 'failed' && (
        <ProblemNote problem={found.problem}>
          <button type="button" onClick={campaigns.askAgain}>
            {t(importText.again)}
          </button>
        </ProblemNote>
      )}
      {chosen && <p class="soft">{scheduleOf(chosen)}</p>}
    </section>
  );
}

function choicesOf(plan: ImportPlan, all: readonly Campaign[]): Choice[] {
  const { mapped, campaignNeeded, choice } = plan;
  const ofMapping = namedBy({ ...plan, choice: { ...choice, campaign: null } });
  const first = mapped
    ? t(importText.asMapped, ofMapping ?? '')
    : t(campaignNeeded === 'required' ? importText.chooseCampaign : importText.noCampaign);
  const twice = new Set(
    all.map(({ name }) => name).filter((name, at, names) => names.indexOf(name) !== at),
  );
  const listed = all.map(({ id, name }) => ({
    value: String(id),
    label: twice.has(name) ? `${name} (${id})` : name,
  }));
  const isListed = choice.campaign === null || all.some(({ id }) => id === choice.campaign);
  const unlisted = isListed ? [] : [{ value: String(choice.campaign), label: namedBy(plan) ?? '' }];
  return [{ value: MAPPED, label: first }, ...unlisted, ...listed];
}
