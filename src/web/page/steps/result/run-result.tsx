import type { JSX } from 'preact';
import type { Result } from '../../../shared/result.js';
import { StepFrame, type PrimaryAction } from '../../frame/step-frame.js';
import { frameText } from '../../messages/frame.js';
import { resultText } from '../../messages/result.js';
import { ListFacts } from '../../parts/list-facts.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { mendedRows, RejectsNote } from '../../parts/rejects-note.js';
import { about } from '../../state/about.js';
import { go } from '../../state/address.js';
import { t } from '../../state/language.js';
import { Facts } from './facts.js';
import { Files } from './files.js';
import { First } from './first.js';
import { Outcomes } from './outcomes.js';
import { Reasons } from './reasons.js';
import { Rows } from './rows.js';
import { type RunWork, useRunWork } from './run-work.js';
import { UnderWay } from './under-way.js';
import { useResult } from './use-result.js';
import { Work } from './work.js';

interface RunResultProps {
  readonly run: string;
  readonly back?: (() => void) | undefined;
}

/** How a run went: what to do first, its rows by outcome and reason, its files, and what can be done with it. */
export function RunResult({ run, back }: RunResultProps): JSX.Element {
  const { found, again } = useResult(run);
  const work = useRunWork(run, again);
  const now = found.value;
  if (now.state === 'loading')
    return (
      <StepFrame title={t(resultText.title)} back={back}>
        <p class="waiting soft" role="status">
          {t(resultText.counting)}
        </p>
      </StepFrame>
    );
  if (now.state === 'failed')
    return (
      <StepFrame title={t(resultText.title)} back={back}>
        <ProblemNote problem={now.problem}>
          <button type="button" onClick={again}>
            {t(frameText.tryAgain)}
          </button>
        </ProblemNote>
      </StepFrame>
    );
  const result = now.value;
  const changes = about.value?.readOnly === false;
  return (
    <StepFrame
      title={titleOf(result)}
      command={result.command}
      back={back}
      primary={changes ? primaryOf(result, work) : undefined}
    >
      <Facts result={result} />
      <RejectsNote name={result.inputs.join(', ')} from={result.rejectsOf} />
      <First result={result} />
      {work.problem.value && <ProblemNote problem={work.problem.value} />}
      {result.isHere ? (
        <UnderWay run={run} onEnd={again} />
      ) : (
        <>
          <Outcomes result={result} />
          <Reasons result={result} />
          <ListFacts facts={result.facts} />
          <Rows result={result} />
          <Files result={result} onMend={work.mend} />
        </>
      )}
      {changes && result.state !== 'running' && !result.isUndoing && (
        <Work result={result} work={work} />
      )}
    </StepFrame>
  );
}

/** The files of a run that works on another one are those of that one. */
function titleOf({ about: other, mode, inputs: [first, ...others], rejectsOf }: Result): string {
  const what = mode === 'undo' ? resultText.undone : resultText.compared;
  const files = [rejectsOf ? mendedRows(rejectsOf) : first, ...others].filter(Boolean).join(', ');
  return [...(other === null ? [] : [t(what)]), files].filter(Boolean).join(': ');
}

/** What the first sentence says. */
function primaryOf({ next, rejects, list }: Result, work: RunWork): PrimaryAction | undefined {
  const blocked = work.isStarting.value ? t(resultText.starting) : null;
  const [file] = rejects;
  switch (next.kind) {
    case 'wait':
      return undefined;
    case 'resume':
      return { label: t(resultText.resume), run: work.resume, blocked };
    case 'recover':
      if (list === null) return undefined;
      return { label: t(resultText.recover), run: () => work.recover(list), blocked };
    case 'mend':
      if (file === undefined) return undefined;
      return { label: t(resultText.mendRows, next.bad), run: () => work.mend(file.id), blocked };
    case 'look':
      return { label: t(resultText.another), run: () => go({ kind: 'start' }), blocked };
  }
}
