import type { Mode } from '../../../../core/outcome.js';
import type { ComponentChildren, JSX } from 'preact';
import { CANARY } from '../../../shared/page.js';
import type { CallingMode, ImportChoice } from '../../../shared/routes.js';
import type { ImportPlan, Campaign } from '../../state/answers.js';
import { StepFrame } from '../../frame/step-frame.js';
import {
  Line,
  Link,
  ProblemNote,
  UnsavedMapping,
  Waiting,
  choicesIn,
  Select,
  TextField,
  Button,
} from '../../parts/parts.js';
import { about } from '../../state/about.js';
import { go } from '../../state/address.js';
import { t, calendarDay, listOf, weekday } from '../../state/language.js';
import { numberIn, type OnRun, usePlan } from './plan-state.js';
import { useSignal } from '@preact/signals';
import { call, useAsked, useAttempt } from '../../state/call.js';
import { useRef } from 'preact/hooks';

interface PartProps {
  readonly plan: ImportPlan;
  readonly onChange: (change: Partial<ImportChoice>) => void;
}

/** What will happen, and the button that has it happen. */
export function PlanView({ list, onRun }: { readonly list: string; readonly onRun: OnRun }) {
  const { plan, problem, typed, isStarting, change, start } = usePlan(list, onRun);
  const campaigns = useCampaigns();
  const shown = plan.value;
  if (!shown)
    return (
      <StepFrame title={t('Import')}>
        {problem.value ? <ProblemNote problem={problem.value} /> : <Waiting />}
      </StepFrame>
    );
  const { blocker, clients, confirm } = shown;
  const name = campaigns.nameOf(shown);
  const words = deedText[shown.mode ?? 'create'];
  const at = about.value?.center?.address ?? '';
  const deed =
    name === null || !('inCampaign' in words)
      ? t(words.alone, whom(shown), at)
      : t(words.inCampaign, whom(shown), name, at);
  const done = shown.before?.kind === 'done' ? shown.before.run : null;
  const isUntyped = confirm && numberIn(typed.value) !== clients;
  const untyped = isUntyped ? t('Type the number of rows to confirm.') : null;
  const blocked = blocker === null ? untyped : t(blockerText[blocker]);
  // An earlier run has sent other rows than these.
  const isChanged = problem.value?.code === 'changed_since';
  const earlier = problem.value?.values?.run;
  return (
    <StepFrame
      title={t('Import {1}', whom(shown))}
      facts={[shown.list.name]}
      command={shown.list.command}
      back={() => go({ kind: 'list', list, step: 'check' })}
      primary={{
        // Its width stays: under the second click of a double one would be another button.
        label: done === null ? deed : t('See the result'),
        run: () => (done === null ? start(false) : go({ kind: 'run', run: done })),
        isFinal: true,
        blocked: isStarting.value ? t('Starting…') : blocked,
      }}
    >
      {problem.value && (
        <ProblemNote problem={problem.value}>
          {isChanged && (
            <p class="buttons">
              {typeof earlier === 'string' && (
                <Button onClick={() => onRun(earlier)} label={t('Show that run')} />
              )}
              <Button onClick={() => start(true)} label={t('Begin anew: send all rows again')} />
            </p>
          )}
        </ProblemNote>
      )}
      {shown.problem && (
        <ProblemNote problem={shown.problem}>
          {shown.blocker !== 'not_set' && (
            <p>
              <Link to={{ kind: 'list', list, step: 'columns' }}>{t('Columns')}</Link>
            </p>
          )}
        </ProblemNote>
      )}
      <UnsavedMapping list={list} />
      <div class="plan">
        <div>
          {shown.campaignNeeded !== 'unused' && (
            <CampaignField plan={shown} campaigns={campaigns} onChange={change} />
          )}
          <Pace plan={shown} onChange={change} />
          {/* What deletes is confirmed by the number of rows. */}
          {confirm && (
            <div class="notice confirm">
              <p>
                <strong>{deed}.</strong> {t('This cannot be taken back.')}
              </p>
              {clients !== null && (
                <TextField
                  label={t('Type {1} to confirm', String(clients))}
                  text={typed}
                  inputMode="numeric"
                  autoComplete="off"
                />
              )}
            </div>
          )}
        </div>
        <WhatWillHappen plan={shown} campaign={name} onChange={change} />
      </div>
    </StepFrame>
  );
}

function whom(plan: ImportPlan): string {
  const { mode, estimated, confirm, clients, before } = plan;
  // Those that were imported before are left out, but of a number that is typed: the server compares it.
  const leftOut = confirm ? 0 : (before?.leftOut ?? 0);
  const count = clients === null ? null : Math.max(0, clients - leftOut);
  if (mode === 'callbacks') {
    if (count === null) return t('the callbacks');
    return estimated
      ? t('about {1:callback|callbacks}', count)
      : t('{1:callback|callbacks}', count);
  }
  if (count === null) return t('the clients');
  return estimated ? t('about {1:client|clients}', count) : t('{1:client|clients}', count);
}

const deedText = {
  create: { alone: 'Create {1} at {2}', inCampaign: 'Create {1} in “{2}” at {3}' },
  upsert: {
    alone: 'Create or change {1} at {2}',
    inCampaign: 'Create or change {1} in “{2}” at {3}',
  },
  update: { alone: 'Change {1} at {2}' },
  enqueue: { alone: 'Add {1} at {2}', inCampaign: 'Add {1} to “{2}” at {3}' },
  dequeue: { alone: 'Remove {1} at {2}', inCampaign: 'Remove {1} from “{2}” at {3}' },
  contacts: { alone: 'Change contacts of {1} at {2}' },
  callbacks: { alone: 'Create {1} at {2}', inCampaign: 'Create {1} in “{2}” at {3}' },
  rekey: { alone: 'Change the identifiers of {1} at {2}' },
  delete: { alone: 'Delete {1} at {2}' },
} as const satisfies Record<Mode, { readonly alone: string; readonly inCampaign?: string }>;

/** What becomes of all rows of the list, in one sentence with true numbers, and what there is to know besides. */
function WhatWillHappen({
  plan,
  campaign,
  onChange,
}: PartProps & { readonly campaign: string | null }): JSX.Element {
  const { clients, estimated, rejected, corrections, list, mode, canary, before } = plan;
  const isCounting = clients === null || estimated;
  const isDone = before?.kind === 'done';
  return (
    <section class="side" aria-label={t('What will happen')}>
      <h2>{t('What will happen')}</h2>
      {isCounting && <p role="status">{t('The rows are being counted.')}</p>}
      {clients !== null && <p class="will-happen">{sentenceOf(plan, clients, campaign)}</p>}
      {rejected > 0 && (
        <p>
          <Link to={{ kind: 'list', list: list.id, step: 'check' }}>
            {t('Mend the rejected rows')}
          </Link>
        </p>
      )}
      {before !== null && before.deleted > 0 && (
        <p>
          {plan.recovery
            ? t('{1:client was|clients were} deleted, as by an undo, and restored.', before.deleted)
            : t(
                '{1:client was|clients were} deleted, as by an undo: a contact center that keeps deleted clients refuses them. Restore them, or give them other identifiers.',
                before.deleted,
              )}{' '}
          {!plan.recovery && about.value?.readOnly === false && (
            <Button
              class="plain"
              onClick={() => onChange({ recovery: true })}
              label={t('Restore deleted clients')}
            />
          )}
        </p>
      )}
      {corrections > 0 && <p>{t('{1:cell was|cells were} corrected by hand.', corrections)}</p>}
      {before?.kind === 'continue' && (
        <p>{t('An import of this list goes on: what it has sent is not sent again.')}</p>
      )}
      <p class="soft" hidden={isDone}>
        {!isCounting && plan.isComparing && t('Looking up what was imported before…')}
        {canary > 0 && t('The first {1} are sent alone.', canary)}{' '}
        {mode !== 'delete' &&
          t('You can pause at any time, and take the whole import back afterwards.')}
      </p>
    </section>
  );
}

/** Its parts add up to the rows of the list, as far as these have been counted. */
function sentenceOf(plan: ImportPlan, clients: number, campaign: string | null): string {
  const { mode, rejected, skipped, before, estimated, list } = plan;
  if (before?.kind === 'done')
    return t('Nothing is sent: {1:row|rows} had their turn in an import that is done.', clients);
  const { leftOut = 0, cards = 0 } = before ?? {};
  const sent = Math.max(0, clients - leftOut);
  const deed = happensText[mode ?? 'create'];
  const parts = [
    ...(cards > 0 && cards >= sent
      ? []
      : campaign !== null && 'inCampaign' in deed
        ? [t(deed.inCampaign, sent - cards, campaign)]
        : [t(deed.alone, sent - cards)]),
    ...(cards > 0
      ? [
          t(
            '{1:client has a card already and is|clients have a card already and are} only added to the campaign',
            cards,
          ),
        ]
      : []),
    ...(leftOut > 0
      ? [
          t(
            '{1:row was imported before and is|rows were imported before and are} left out',
            leftOut,
          ),
        ]
      : []),
    ...(skipped > 0 ? [t('{1:row is|rows are} left out by the mapping', skipped)] : []),
    ...(rejected > 0 ? [t('{1:row is|rows are} rejected and kept', rejected)] : []),
  ];
  const [rows, what] = [clients + skipped + rejected, listOf(parts)];
  if (estimated) return t('By estimate, of {1:row|rows}: {2}.', rows, what);
  return list.run !== null && before === null
    ? t('At most, of {1:row|rows}: {2}.', rows, what)
    : t('Of {1:row|rows}: {2}.', rows, what);
}

const happensText = {
  create: {
    alone: '{1:client is|clients are} created',
    inCampaign: '{1:client is|clients are} created and added to “{2}”',
  },
  upsert: {
    alone: '{1:client is|clients are} created or changed',
    inCampaign: '{1:client is|clients are} created or changed, and added to “{2}”',
  },
  update: { alone: '{1:client is|clients are} changed' },
  enqueue: {
    alone: '{1:client is|clients are} added',
    inCampaign: '{1:client is|clients are} added to “{2}”',
  },
  dequeue: {
    alone: '{1:client is|clients are} removed',
    inCampaign: '{1:client is|clients are} removed from “{2}”',
  },
  contacts: { alone: '{1:client has|clients have} their contacts changed' },
  callbacks: {
    alone: '{1:client gets|clients get} a callback',
    inCampaign: '{1:client gets|clients get} a callback in “{2}”',
  },
  rekey: { alone: '{1:client gets|clients get} other identifiers' },
  delete: { alone: '{1:client is|clients are} deleted' },
} as const satisfies Record<Mode, { readonly alone: string; readonly inCampaign?: string }>;

/** Stands for what the mapping says. */
const MAPPED = '';

function CampaignField({
  plan,
  campaigns,
  onChange,
}: PartProps & { readonly campaigns: ReturnType<typeof useCampaigns> }): JSX.Element {
  const { found, problem, isLoading, again } = campaigns;
  const { campaignNeeded, mapped, choice } = plan;
  const chosen = campaigns.of(plan);
  const ofMapping = namedBy({ ...plan, choice: { ...choice, campaign: null } });
  const first = mapped
    ? t('{1} (as the mapping says)', ofMapping ?? '')
    : t(campaignNeeded === 'required' ? 'Choose one' : 'No, only create the cards');
  const all = found ?? [];
  const twice = new Set(
    all.map(({ name }) => name).filter((name, at, names) => names.indexOf(name) !== at),
  );
  const isListed = choice.campaign === null || all.some(({ id }) => id === choice.campaign);
  return (
    <section aria-label={t('Campaign')}>
      {campaignNeeded === 'optional' && <h2>{t('Should these people be called?')}</h2>}
      <div class="fields wide">
        <Select
          label={t('Campaign')}
          value={choice.campaign === null ? MAPPED : String(choice.campaign)}
          choices={[
            { value: MAPPED, label: first },
            ...(isListed ? [] : [{ value: String(choice.campaign), label: namedBy(plan) ?? '' }]),
            ...all.map(({ id, name }) => ({
              value: String(id),
              label: twice.has(name) ? `${name} (${id})` : name,
            })),
          ]}
          disabled={about.value?.readOnly ?? true}
          onChoose={(value) => onChange({ campaign: value === MAPPED ? null : Number(value) })}
        />
      </div>
      {isLoading && !found && (
        <p class="soft" role="status">
          {t('Asking for the campaigns…')}
        </p>
      )}
      {problem && !isLoading && plan.blocker !== 'not_set' && (
        <ProblemNote problem={problem}>
          <Button onClick={again} label={t('Ask again')} />
        </ProblemNote>
      )}
      {chosen && <p class="soft">{scheduleOf(chosen)}</p>}
      {found && about.value?.readOnly === false && (
        <NewCampaign all={found} onMade={(id) => onChange({ campaign: id })} onTried={again} />
      )}
    </section>
  );
}

interface NewCampaignProps {
  readonly all: readonly Campaign[];
  readonly onMade: (id: number) => void;
  /** Called also where it is not known what was made. */
  readonly onTried: () => void;
}

/** Stands for settings that are no other campaign's. */
const OWN = '';

/** Makes a campaign: as one that exists, or with the fewest settings that the contact center takes. */
function NewCampaign({ all, onMade, onTried }: NewCampaignProps): JSX.Element {
  const name = useSignal('');
  const like = useSignal(String(all.at(-1)?.id ?? OWN));
  const mode = useSignal<CallingMode>('PROGRESSIVE_NEW');
  // In the sandbox any will do.
  const some = about.value?.center?.kind === 'sandbox' ? '1' : '';
  const [space, rule] = [useSignal(some), useSignal(some)];
  const starts = useSignal(true);
  const isMaking = useSignal(false);
  const { problem, attempt } = useAttempt();
  const frame = useRef<HTMLDetailsElement>(null);
  const make = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isMaking.value) return;
    isMaking.value = true;
    const body = {
      ...{ name: name.value, start: starts.value, callingMode: mode.value },
      like: like.value === OWN ? null : Number(like.value),
      callingSearchSpaceId: Number(space.value),
      callStatusRuleProcessorId: Number(rule.value),
    };
    await attempt(async () => {
      const made = await call('POST /api/campaigns', { body });
      name.value = '';
      problem.value = made.problem;
      if (!made.problem) frame.current?.removeAttribute('open');
      onMade(made.id);
    });
    isMaking.value = false;
    onTried();
  };
  return (
    <details ref={frame}>
      <summary>{t('New campaign…')}</summary>
      <form class="side fields" onSubmit={(event) => void make(event)}>
        {problem.value && <ProblemNote problem={problem.value} />}
        <TextField label={t('Name of the campaign')} text={name} {...REQUIRED} />
        {all.length > 0 && (
          <Select
            label={t('Settings as in')}
            value={like.value}
            choices={[
              ...all.map((one) => ({ value: String(one.id), label: one.name })),
              { value: OWN, label: t('No other campaign') },
            ]}
            onChoose={(value) => (like.value = value)}
          />
        )}
        {like.value === OWN && (
          <>
            <Select
              label={t('How are calls made?')}
              value={mode.value}
              choices={choicesIn(callingText, (one) => t(callingText[one]))}
              onChoose={(value) => (mode.value = value)}
            />
            <TextField label={t('Calling search space, its number')} text={space} {...NUMBER} />
            <TextField label={t('Rule after a failed call, its number')} text={rule} {...NUMBER} />
          </>
        )}
        <CheckBox checked={starts.value} onChange={(checked) => (starts.value = checked)}>
          {t('Start it at once')}
        </CheckBox>
        <button type="submit" aria-disabled={isMaking.value}>
          {t('Create the campaign')}
        </button>
      </form>
    </details>
  );
}

const REQUIRED = { maxLength: 255, autoComplete: 'off', required: true } as const;
const NUMBER = { ...REQUIRED, inputMode: 'numeric', pattern: '[0-9]+' } as const;

const callingText = {
  PROGRESSIVE_NEW: 'One at a time, when an operator is free',
  PREDICTIVE_NEW: 'Ahead of free operators',
  PREVIOUS_PREVIEW_NEW: 'The operator sees the card first',
} as const satisfies Record<CallingMode, string>;

/** When a campaign begins, ends and calls, in words. The interface does not show more of its state. */
function scheduleOf(campaign: Campaign): string {
  const { firstDay, lastDay, isAutomatic, weekdays, weekends, clientTime, days } = campaign;
  const now = new Date().toISOString().slice(0, 10);
  const parts: string[] = [];
  if (lastDay !== null && lastDay < now) parts.push(t('ended on {1}', calendarDay(lastDay)));
  else {
    if (isAutomatic && firstDay !== null)
      parts.push(t('starts by itself on {1}', calendarDay(firstDay)));
    else if (firstDay !== null) parts.push(t('from {1}', calendarDay(firstDay)));
    if (lastDay !== null) parts.push(t('until {1}', calendarDay(lastDay)));
  }
  if (days.length > 0 && days.length < 7) parts.push(days.map(weekday).join(' '));
  if (weekdays) parts.push(t('calls {1}', spanOf(weekdays)));
  if (weekends) parts.push(t('weekends {1}', spanOf(weekends)));
  if (clientTime) parts.push(t('{1} in the client’s time zone', spanOf(clientTime)));
  if (parts.length === 0)
    return t(
      'It is started by hand, at any hour. Whether it is running, the contact center does not say.',
    );
  if (!isAutomatic) parts.push(t('started by hand'));
  return parts.join(' · ');
}

const spanOf = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  `${from}–${to}`;

/**
 * The campaigns of the contact center, which may be slow, or not there. `of`: the one that the import would use,
 * `undefined` while it is not known. `nameOf`: what it is called, `null` where there is none.
 */
function useCampaigns() {
  const asked = useAsked(
    async (signal): Promise<readonly Campaign[]> =>
      (await call('GET /api/campaigns', { signal })).campaigns,
    '',
  );
  const all = asked.found ?? [];
  const of = ({ choice, mapped }: ImportPlan): Campaign | undefined =>
    choice.campaign === null
      ? all.find(({ id, name }) => (mapped?.id == null ? name === mapped?.name : id === mapped.id))
      : all.find(({ id }) => id === choice.campaign);
  const nameOf = (plan: ImportPlan): string | null => of(plan)?.name ?? namedBy(plan);
  return { ...asked, of, nameOf };
}

/** As the plan itself names it. */
function namedBy({ choice, mapped, campaignNeeded }: ImportPlan): string | null {
  if (campaignNeeded === 'unused') return null;
  const id = choice.campaign ?? mapped?.id ?? null;
  if (choice.campaign === null && mapped?.name != null) return mapped.name;
  return id === null ? null : t('Campaign {1}', String(id));
}

/** A few rows first, whether deleted clients come back, and how fast the others follow. */
function Pace({ plan, onChange }: PartProps): JSX.Element {
  const { choice, limits, canary, recovery } = plan;
  const disabled = about.value?.readOnly ?? true;
  return (
    <section aria-label={t('Pace')}>
      <CheckBox
        {...{ disabled }}
        checked={canary > 0}
        onChange={(one) => onChange({ canary: one })}
      >
        {t('First {1} rows, then the rest', CANARY)}{' '}
        <span class="soft">{t('If one of them fails, the others are not sent.')}</span>
      </CheckBox>
      <details>
        <summary>{t('Pace and other settings')}</summary>
        {recovery !== null && (
          <CheckBox
            {...{ disabled }}
            checked={recovery}
            onChange={(one) => onChange({ recovery: one })}
          >
            {t('Restore deleted clients')}{' '}
            <span class="soft">
              {t(
                'Where the contact center keeps them, as after an undo, they cannot be created again without it.',
              )}
            </span>
          </CheckBox>
        )}
        <div class="fields">
          <Limit
            label={t('Requests a second, at most')}
            value={choice.requestsPerSecond}
            permitted={limits.requestsPerSecond}
            disabled={disabled}
            onChange={(requestsPerSecond) => onChange({ requestsPerSecond })}
          />
          <Limit
            label={t('Clients a second, at most')}
            value={choice.clientsPerSecond}
            permitted={limits.clientsPerSecond}
            disabled={disabled}
            onChange={(clientsPerSecond) => onChange({ clientsPerSecond })}
          />
        </div>
      </details>
    </section>
  );
}

interface CheckBoxProps {
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ComponentChildren;
}

const CheckBox = ({ children, onChange, ...box }: CheckBoxProps): JSX.Element => (
  <label class="check">
    <input type="checkbox" {...box} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span>{children}</span>
  </label>
);

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
    <Line
      isNumber
      min={1}
      max={permitted ?? undefined}
      step={1}
      value={String(value ?? '')}
      disabled={disabled}
      placeholder={permitted === null ? t('as it goes') : t('{1} permitted', permitted)}
      onLeave={(text) => {
        const wanted = Math.floor(Number(text));
        if (text !== '' && wanted < 1) return false;
        onChange(text === '' ? null : wanted);
        return true;
      }}
    />
  </label>
);

const blockerText = {
  no_center: 'No contact center is described yet.',
  wrong_mapping: 'The mapping has a mistake: see the step Columns.',
  no_campaign: 'Choose a campaign.',
  not_counted: 'The rows are still being counted.',
  no_rows: 'No row can be sent.',
  read_only: 'This page only shows.',
  check_failed: 'The file cannot be checked.',
  not_set: 'The credentials are not set.',
} as const satisfies Record<NonNullable<ImportPlan['blocker']>, string>;
