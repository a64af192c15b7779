import { importEnsured, importFiles } from '../../../run/import.js';
import type { ImportRequest } from '../../../run/requests.js';
import { RunInUseError } from '../../../core/errors.js';
import { defined } from '../../../core/defined.js';
import type { Mode } from '../../../core/mode.js';
import type { ImportPlan } from '../../shared/run.js';
import { correctionsPath } from '../lists/corrections.js';
import type { StoredList } from '../lists/lists.js';
import { keepLastMapping } from '../lists/last-mappings.js';
import { mappingPathOf, readMapping } from '../lists/mapping.js';
import { sourceOptions } from '../lists/source-options.js';
import { Refusal } from '../refusal.js';
import { worksHere } from '../runs/refusals.js';
import { runOptions } from '../runs/run-options.js';
import type { Site } from '../site.js';

/** What the person has seen, and typed where that is asked for. */
export interface Confirmation {
  readonly revision: string;
  readonly typed: number | null;
  readonly again: boolean;
}

/** A run that was started, or found. */
export interface StartedImport {
  readonly run: string;
  /** Whether it has sent all of this before, so that nothing is sent now. */
  readonly isDone: boolean;
}

/**
 * Starts the import of a list, or finds the one that is at work or has sent the same before.
 * @throws Refusal where it cannot start, or is not what the person has seen; and as `importFiles` does
 */
export async function startImport(
  site: Site,
  list: StoredList,
  plan: ImportPlan,
  seen: Confirmation,
): Promise<StartedImport> {
  const mode = checked(plan, seen);
  const request = { ...(await requestOf(site, list, plan)), again: seen.again };
  await keepLastMapping(site, list, (await readMapping(site, list)).text);
  const isSandbox = site.settings.center?.kind === 'sandbox';
  const execute = isSandbox ? importEnsured : importFiles;
  let isDone = false;
  const run = await site.runs
    .start({
      key: keyOf(list),
      mode,
      execute: (options) => execute({ ...request, ...options }),
      onDone: () => (isDone = true),
    })
    .catch((error: unknown) => {
      // It is shown as any other, with who works on it.
      if (!(error instanceof RunInUseError)) throw error;
      if (site.runs.isUndoing(error.run)) throw worksHere(error.run);
      return error.run;
    });
  await site.lists.change(list.id, { run, step: 'import' });
  return { run, isDone };
}

/** The import of a list is started once at a time. */
export const keyOf = ({ id }: Pick<StoredList, 'id'>): string => `import ${id}`;

function checked(plan: ImportPlan, { revision, typed }: Confirmation): Mode {
  const { mode, blocker, problem } = plan;
  if (blocker !== null || mode === null)
    throw new Refusal(
      409,
      problem ?? { code: 'blocked', sentence: 'The import cannot start as it is now.' },
    );
  if (revision !== plan.revision)
    throw new Refusal(409, {
      code: 'plan_changed',
      sentence: 'What would be sent has changed since this page showed it.',
      next: 'It is shown as it is now. Look at it, and start again.',
    });
  if (plan.confirm && typed !== plan.clients)
    throw new Refusal(409, {
      code: 'not_confirmed',
      sentence: 'The number that was typed is not the number of rows.',
      next: 'Type the number that the button names.',
    });
  return mode;
}

async function requestOf(site: Site, list: StoredList, plan: ImportPlan): Promise<ImportRequest> {
  const { campaign, requestsPerSecond, clientsPerSecond } = plan.choice;
  const recovery = plan.recovery === null ? null : plan.choice.recovery;
  return {
    ...runOptions(site),
    files: [list.file],
    mapping: mappingPathOf(site, list),
    source: sourceOptions(list.source),
    canary: plan.canary,
    confirmed: plan.confirm,
    // The step File has shown what it looks like.
    acceptUnsureEncoding: true,
    ...defined({
      corrections: await correctionsPath(list),
      campaign: campaign === null ? undefined : { id: campaign },
      recovery: recovery ?? undefined,
      requestsPerSecond: requestsPerSecond ?? undefined,
      clientsPerSecond: clientsPerSecond ?? undefined,
    }),
  };
}
