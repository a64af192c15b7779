import type { ListStatus } from '../../app/suppress/list-status.js';
import { EXIT, type ExitCode } from '../../core/errors.js';
import { counted } from '../../core/text.js';
import { daysText } from '../../core/time.js';
import { flagOption, requiredInstallation } from '../options/options.js';
import { note, print, printJson } from '../output/output.js';
import type { Terminal } from '../output/terminal.js';

export const statusOptions = {
  ...requiredInstallation,
  json: flagOption('Print JSON. Default: no.'),
} as const;

/** Prints how lists stand. Resolves with the exit code: whether a run could use all of them. */
export async function printStatus(
  lists: readonly ListStatus[],
  { stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>,
  json: boolean,
): Promise<ExitCode> {
  if (json) await printJson(stdout, `${JSON.stringify(lists, null, 2)}\n`);
  else {
    await print(stdout, lists.map((list) => `${lineOf(list)}\n`).join(''));
    for (const { warnings, mistakes } of lists)
      for (const text of [...warnings, ...mistakes]) note(stderr, text);
  }
  return lists.some(({ mistakes }) => mistakes.length > 0) ? EXIT.usage : EXIT.ok;
}

function lineOf({ name, kind, numbers, age, isNew, mistakes }: ListStatus): string {
  const count = numbers === null ? 'cannot be read' : counted(numbers, 'number');
  const facts = [
    count,
    age === null ? kind : `${daysText(age)} old`,
    isNew ? 'compiled now' : '',
    mistakes.length > 0 && numbers !== null ? 'cannot be used' : '',
  ];
  return `${name}: ${facts.filter((fact) => fact !== '').join(', ')}`;
}
