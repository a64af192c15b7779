import type { JSX } from 'preact';
import type { ImportPlan, Campaign, ImportChoice } from '../../../shared/run.js';
import { CANARY } from '../../../shared/in-browser.js';
import { StepFrame, type PrimaryAction } from '../../frame/step-frame.js';
import { stepText } from '../../messages/frame.js';
import { blockerText, deedText, importText } from '../../messages/import.js';
import {
  Link,
  ProblemNote,
  UnsavedMapping,
  Waiting,
  type Choice,
  Select,
} from '../../parts/parts.js';
import { about } from '../../state/about.js';
import { go } from '../../state/address.js';
import { t, calendarDay, weekday } from '../../state/language.js';
import { numberIn, type OnRun, usePlan } from './plan-state.js';
import { type Signal, useSignal } from '@preact/signals';
import type { PageProblem } from '../../../shared/route.js';
import { call, type Loaded, useLoaded } from '../../state/call.js';

interface PlanProps {
  readonly list: string;
  readonly onRun: OnRun;
}

/** What will happen, and the button that has it happen. */
export function PlanView({ list, onRun }: PlanProps): JSX.Element {
  const { plan, problem, typed, isStarting, change, start } = usePlan(list, onRun);
  const campaigns = useCampaigns();
  const shown = plan.value;
  if (!shown)
    return (
      <StepFrame title={t(stepText.import)}>
        {problem.value ? <ProblemNote problem={problem.value} /> : <Waiting />}
      </StepFrame>
    );
  const name = campaigns.nameOf(shown);
  const deed = deedOf(shown, name);
  return (
    <StepFrame
      title={shown.list.name}
      command={shown.list.command}
      back={() => go({ kind: 'list', list, step: 'check' })}
      primary={{
        label: isStarting.value ? t(importText.starting) : deed,
        run: () => start(false),
        blocked: blockedBy(shown, typed.value),
      }}
    >
      {problem.value && (
        <StartProblem problem={problem.value} onAgain={() => start(true)} onRun={onRun} />
      )}
      {shown.problem && (
        <ProblemNote problem={shown.problem}>
          <p>
            <Link to={{ kind: 'list', list, step: 'columns' }}>{t(stepText.columns)}</Link>
          </p>
        </ProblemNote>
      )}
      <UnsavedMapping list={list} />
      <RowFacts plan={shown} />
      {shown.campaignNeeded !== 'unused' && (
        <CampaignField plan={shown} campaigns={campaigns} onChange={change} />
      )}
      <Pace plan={shown} onChange={change} />
      {shown.confirm && <Confirm plan={shown} deed={deed} typed={typed} />}
    </StepFrame>
  );
}

function deedOf(plan: ImportPlan, campaign: string | null): string {
  const { mode, clients: count, estimated } = plan;
  const at = about.value?.center?.address ?? '';
  return t(deedText[mode ?? 'create'], { count, estimated, campaign, at });
}

function blockedBy(
  { blocker, confirm, clients }: ImportPlan,
  typed: string,
): PrimaryAction['blocked'] {
  if (blocker !== null) return t(blockerText[blocker]);
  return confirm && numberIn(typed) !== clients ? t(importText.notTyped) : null;
}

/** What is known of the rows: how many cannot be sent, and what was corrected. */
function RowFacts({ plan }: { readonly plan: ImportPlan }): JSX.Element | null {
  const { clients, estimated, rejected, corrections, list } = plan;
  const isCounting = clients === null || estimated;
  if (!isCounting && rejected === 0 && corrections === 0) return null;
  return (
    <p class="facts">
      {isCounting && <span role="status">{t(importText.counting)} </span>}
      {rejected > 0 && (
        <span>
          {t(importText.rejected, rejected)} (
          <Link to={{ kind: 'list', list: list.id, step: 'check' }}>{t(stepText.check)}</Link>
          ).{' '}
        </span>
      )}
      {corrections > 0 && <span>{t(importText.corrections, corrections)}.</span>}
    </p>
  );
}

interface ConfirmProps {
  readonly plan: ImportPlan;
  /** What the button will do. */
  readonly deed: string;
  readonly typed: Signal<string>;
}

/** What deletes is confirmed by the number of rows. */
const Confirm = ({ plan: { clients }, deed, typed }: ConfirmProps): JSX.Element => (
  <div class="notice confirm">
    <p>
      <strong>{deed}.</strong> {t(importText.cannotUndo)}
    </p>
    {clients !== null && (
      <label class="field">
        <span>{t(importText.typeNumber, clients)}</span>
        <input
          inputMode="numeric"
          autoComplete="off"
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
      </label>
    )}
  </div>
);

interface StartProblemProps {
  readonly problem: PageProblem;
  /** Begins anew, whatever an earlier run has sent. */
  readonly onAgain: () => void;
  readonly onRun: (run: string) => void;
}

/** Why it did not start, with what can be done about it here. */
function StartProblem({ problem, onAgain, onRun }: StartProblemProps): JSX.Element {
  const { code, values } = problem;
  const run = typeof values?.run === 'string' ? values.run : null;
  if (code !== 'changed_since') return <ProblemNote problem={problem} />;
  return (
    <ProblemNote problem={problem}>
      <p class="buttons">
        {run !== null && (
          <button type="button" onClick={() => onRun(run)}>
            {t(importText.showRun)}
          </button>
        )}
        <button type="button" onClick={onAgain}>
          {t(importText.startAnew)}
        </button>
      </p>
    </ProblemNote>
  );
}

/** Stands for what the mapping says. */
const MAPPED = '';

interface CampaignFieldProps {
  readonly plan: ImportPlan;
  readonly campaigns: Campaigns;
  readonly onChange: (change: Partial<ImportChoice>) => void;
}

/** The campaign, by its name, with when it calls. */
function CampaignField({ plan, campaigns, onChange }: CampaignFieldProps): JSX.Element {
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

/** When a campaign begins, ends and calls, in words. The interface does not show more of its state. */
function scheduleOf(campaign: Campaign, today = new Date()): string {
  const { firstDay, lastDay, isAutomatic, weekdays, weekends, clientTime, days } = campaign;
  const now = today.toISOString().slice(0, 10);
  const parts: string[] = [];
  if (lastDay !== null && lastDay < now) parts.push(t(importText.ended, calendarDay(lastDay)));
  else {
    if (isAutomatic && firstDay !== null)
      parts.push(t(importText.automatic, calendarDay(firstDay)));
    else if (firstDay !== null) parts.push(t(importText.from, calendarDay(firstDay)));
    if (lastDay !== null) parts.push(t(importText.until, calendarDay(lastDay)));
  }
  if (days.length > 0 && days.length < 7) parts.push(days.map(weekday).join(' '));
  if (weekdays) parts.push(t(importText.calls, spanOf(weekdays)));
  if (weekends) parts.push(t(importText.weekends, spanOf(weekends)));
  if (clientTime) parts.push(t(importText.clientTime, spanOf(clientTime)));
  if (parts.length === 0) return t(importText.noSchedule);
  if (!isAutomatic) parts.push(t(importText.byHand));
  return parts.join(' · ');
}

const spanOf = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  `${from}–${to}`;

/** The campaigns of the contact center, which may be slow, or not there. */
interface Campaigns {
  readonly found: Loaded<readonly Campaign[]>;
  readonly askAgain: () => void;
  /** The one that the import would use; `undefined` while it is not known. */
  readonly of: (plan: ImportPlan) => Campaign | undefined;
  /** What it is called; `null` where there is none. */
  readonly nameOf: (plan: ImportPlan) => string | null;
}

function useCampaigns(): Campaigns {
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
function namedBy({ choice, mapped, campaignNeeded }: ImportPlan): string | null {
  if (campaignNeeded === 'unused') return null;
  const id = choice.campaign ?? mapped?.id ?? null;
  if (choice.campaign === null && mapped?.name != null) return mapped.name;
  return id === null ? null : t(importText.campaignNumber, id);
}

interface PaceProps {
  readonly plan: ImportPlan;
  readonly onChange: (change: Partial<ImportChoice>) => void;
}

/** A few rows first, whether deleted clients come back, and how fast the others follow. */
function Pace({ plan, onChange }: PaceProps): JSX.Element {
  const { choice, limits, canary, recovery } = plan;
  const disabled = about.value?.readOnly ?? true;
  return (
    <section aria-label={t(importText.limits)}>
      <label class="check">
        <input
          type="checkbox"
          checked={canary > 0}
          disabled={disabled}
          onChange={(event) => onChange({ canary: event.currentTarget.checked })}
        />
        <span>
          {t(importText.canary, CANARY)} <span class="soft">{t(importText.canaryWhy)}</span>
        </span>
      </label>
      {recovery !== null && (
        <label class="check">
          <input
            type="checkbox"
            checked={recovery}
            disabled={disabled}
            onChange={(event) => onChange({ recovery: event.currentTarget.checked })}
          />
          <span>
            {t(importText.recovery)} <span class="soft">{t(importText.recoveryWhy)}</span>
          </span>
        </label>
      )}
      <div class="fields">
        <Limit
          label={t(importText.requestsPerSecond)}
          value={choice.requestsPerSecond}
          permitted={limits.requestsPerSecond}
          disabled={disabled}
          onChange={(requestsPerSecond) => onChange({ requestsPerSecond })}
        />
        <Limit
          label={t(importText.clientsPerSecond)}
          value={choice.clientsPerSecond}
          permitted={limits.clientsPerSecond}
          disabled={disabled}
          onChange={(clientsPerSecond) => onChange({ clientsPerSecond })}
        />
      </div>
    </section>
  );
}

interface LimitProps {
  readonly label: string;
  readonly value: number | null;
  /** What the installation permits; `null`: anything. */
  readonly permitted: number | null;
  readonly disabled: boolean;
  readonly onChange: (value: number | null) => void;
}

const Limit = ({ label, value, permitted, disabled, onChange }: LimitProps): JSX.Element => (
  <label class="field">
    <span>{label}</span>
    <input
      type="number"
      min={1}
      max={permitted ?? undefined}
      step={1}
      value={value ?? ''}
      disabled={disabled}
      placeholder={permitted === null ? t(importText.anyPace) : t(importText.permitted, permitted)}
      onChange={({ currentTarget }) => {
        const { value: text } = currentTarget;
        const wanted = Math.floor(Number(text));
        if (text === '') onChange(null);
        else if (wanted >= 1) onChange(wanted);
        else currentTarget.value = String(value ?? '');
      }}
    />
  </label>
);
