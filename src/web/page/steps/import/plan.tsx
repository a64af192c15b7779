import type { JSX } from 'preact';
import type { ImportPlan } from '../../../shared/run.js';
import { StepFrame, type PrimaryAction } from '../../frame/step-frame.js';
import { stepText } from '../../messages/frame.js';
import { blockerText, deedText, importText } from '../../messages/import.js';
import { Link } from '../../parts/link.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { UnsavedMapping } from '../../parts/unsaved-mapping.js';
import { Waiting } from '../../parts/waiting.js';
import { about } from '../../state/about.js';
import { go } from '../../state/address.js';
import { t } from '../../state/language.js';
import { CampaignField } from './campaign-field.js';
import { useCampaigns } from './campaigns.js';
import { Confirm } from './confirm.js';
import { Pace } from './pace.js';
import { numberIn, type OnRun, usePlan } from './plan-state.js';
import { RowFacts } from './row-facts.js';
import { StartProblem } from './start-problem.js';

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
