import type { ImportPlan } from '../../shared/run.js';
import { commandOf, correctionsWords } from '../lists/command.js';
import type { StoredList } from '../lists/lists.js';
import type { SiteSettings } from '../settings.js';

/** What does the same on the command line, with all that was chosen. */
export function importCommand(
  list: StoredList,
  {
    choice,
    canary,
    confirm,
    corrections,
  }: Pick<ImportPlan, 'choice' | 'canary' | 'confirm' | 'corrections'>,
  settings: SiteSettings,
): string {
  const options = {
    campaign: choice.campaign,
    canary: canary === 0 ? null : canary,
    'requests-per-second': choice.requestsPerSecond,
    'clients-per-second': choice.clientsPerSecond,
  };
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === null ? [] : [`--${name}`, String(value)],
  );
  if (choice.recovery !== null) words.push(choice.recovery ? '--recovery' : '--no-recovery');
  if (corrections > 0) words.push(...correctionsWords(list));
  if (confirm) words.push('--yes');
  return commandOf({ ...list, step: 'import' }, settings, words);
}
