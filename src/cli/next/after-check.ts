import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CheckRequest, CheckResult } from '../../app/requests.js';
import type { RunMode } from '../../core/mode.js';
import { whole } from '../../core/text/whole.js';
import { STANDARD_INPUT } from '../standard-input.js';
import { importAfterCheck, shortPath } from './commands.js';
import { nextText } from './next-text.js';

/** The usual name of an installation file. */
const INSTALLATION = 'installation.yaml';

/** What to do after a check; empty text where no command does it. */
export function nextAfterCheck(request: CheckRequest, result: CheckResult): string {
  const { rejected, clients } = result;
  if (request.files.includes(STANDARD_INPUT)) return '';
  if (clients === 0) return '';
  const found = request.installation ?? installationNear(request.mapping);
  const what =
    rejected === 0
      ? `${VERBS[result.mode] ?? 'Import'} them`
      : `Correct these ${whole(rejected)} rows and check again, or import the other ${whole(clients)}`;
  return nextText(
    `${what}${found === undefined ? ', with the installation file of your contact center' : ''}:`,
    importAfterCheck(request, found ?? INSTALLATION, result.mode),
  );
}

/** What an import does to the clients, where "import" is no word for it. */
const VERBS: Partial<Record<RunMode, string>> = { delete: 'Delete', dequeue: 'Remove' };

/** An installation file where one is looked for first: here, and beside the mapping. */
function installationNear(mapping: string): string | undefined {
  const beside = join(dirname(mapping), INSTALLATION);
  return [INSTALLATION, beside].map(shortPath).find((path) => existsSync(path));
}
