import type { JSX } from 'preact';
import type { List } from '../../../shared/list.js';
import type { Live } from '../../../shared/run.js';
import { StepFrame, type PrimaryAction } from '../../frame/step-frame.js';
import { importText } from '../../messages/import.js';
import { about } from '../../state/about.js';
import { go } from '../../state/address.js';
import { t } from '../../state/language.js';
import { FollowedRun, useFollowed } from './followed-run.js';

interface LiveRunProps {
  readonly run: string;
  readonly list: List;
  /** Whether it had sent all of the list before, so that nothing was sent now. */
  readonly wasDone: boolean;
  /** Plans an import anew. */
  readonly onAnew: () => void;
}

/** A run as it goes, and how it ended. */
export function LiveRun({ run, list, wasDone, onAnew }: LiveRunProps): JSX.Element {
  const followed = useFollowed(run);
  const { live, control } = followed;
  const command = `cardline ${live && canResume(live) ? 'resume' : 'runs show'} ${run}`;
  return (
    <StepFrame
      title={list.name}
      command={command}
      back={() => go({ kind: 'list', list: list.id, step: 'check' })}
      primary={live ? primaryOf(live, list.id, () => void control('resume')) : undefined}
    >
      {wasDone && <p class="notice">{t(importText.wasDone)}</p>}
      <FollowedRun {...followed} onAnew={onAnew} />
    </StepFrame>
  );
}

const canResume = ({ state, elsewhere }: Live): boolean =>
  !elsewhere && ['stopped', 'broken_off', 'failed', 'open'].includes(state);

function primaryOf(live: Live, list: string, resume: () => void): PrimaryAction | undefined {
  const toResult = (): void => go({ kind: 'list', list, step: 'result' });
  if (live.state === 'finished')
    return { label: t(importText.toResult), run: toResult, blocked: null };
  if (canResume(live) && about.value?.readOnly === false)
    return { label: t(importText.resume), run: resume, blocked: null };
  return undefined;
}
