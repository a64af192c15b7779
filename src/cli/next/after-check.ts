import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CheckRequest, CheckResult, ImportRequest } from '../../app/requests.js';
import type { RunMode } from '../../core/mode.js';
import { whole, commandLine } from '../../core/text.js';
import { STANDARD_INPUT } from '../standard-input.js';
import { importAfterCheck, shortPath } from './commands.js';
import type { Terminal } from '../output/terminal.js';
import { nextText } from './next-text.js';

/** The usual name of an installation file. */
const INSTALLATION = 'installation.yaml';

/** What was checked, for which import. */
export interface Checked {
  readonly request: CheckRequest;
  readonly result: CheckResult;
  /** The import that was asked for, where it was one that sends nothing. */
  readonly meant?: { readonly request: ImportRequest; readonly sandbox: boolean } | undefined;
}

/** What to do after a check; empty text where no command does it. */
export async function nextAfterCheck(
  checked: Checked,
  { env, columns }: Pick<Terminal, 'env' | 'columns'>,
): Promise<string> {
  const { request, result, meant } = checked;
  const { rejected, clients } = result;
  if (request.files.includes(STANDARD_INPUT)) return '';
  if (clients === 0) return '';
  const installation = request.installation ?? installationNear(request.mapping);
  const what =
    rejected === 0
      ? `${VERBS[result.mode] ?? 'Import'} them`
      : `Correct ${rejected === 1 ? 'this row' : `these ${whole(rejected)} rows`} and check again, or import the other ${whole(clients)}`;
  if (installation === undefined)
    return nextText(
      `${what}; for that, draft the installation file of your contact center:`,
      commandLine(['init', '-o', INSTALLATION]),
      columns,
    );
  const sandbox = meant?.sandbox ?? false;
  const isReady = sandbox || (await isReachable(installation, env));
  const why = isReady ? '' : NOT_READY;
  const imported = meant?.request ?? { ...request, installation };
  const command = importAfterCheck({ request: imported, sandbox }, result.mode);
  return nextText(`${what}${why}:`, command, columns);
}

/** Where rows go is for the person alone to say: the command is the same as for a contact center that answers. */
const NOT_READY =
  ', once the contact center can be reached, or with --sandbox to try it without one';

/** What an import does to the clients, where "import" is no word for it. */
const VERBS: Partial<Record<RunMode, string>> = { delete: 'Delete', dequeue: 'Remove' };

/** An installation file where one is looked for first: here, and beside the mapping. */
function installationNear(mapping: string): string | undefined {
  const beside = join(dirname(mapping), INSTALLATION);
  return [INSTALLATION, beside].map(shortPath).find((path) => existsSync(path));
}

async function isReachable(installation: string, env: Terminal['env']): Promise<boolean> {
  const { loadInstallation } = await import('../../installation/load.js');
  const { canBeReached } = await import('../../app/connect/can-be-reached.js');
  return canBeReached(await loadInstallation(installation), env);
}
