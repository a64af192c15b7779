import { resolve } from 'node:path';
import { absoluteLedger } from '../../app/run/ledger-path.js';
import { EXIT, type ExitCode } from '../../core/errors.js';
import type { SiteSettings } from '../../web/server/settings.js';
import { openInBrowser } from '../output/open-in-browser.js';
import { note, print } from '../output/output.js';
import { untilStopped } from '../output/stopped.js';
import type { Terminal } from '../output/terminal.js';
import { packagePath, packageVersion } from '../package.js';
import { samplesOf } from './samples.js';
import { withCenter } from './with-center.js';

export interface UiArguments {
  readonly file?: string | undefined;
  readonly installation?: string | undefined;
  readonly mapping?: string | undefined;
  readonly port?: number | undefined;
  readonly open?: boolean | undefined;
  readonly readOnly?: boolean | undefined;
  readonly ledger?: string | undefined;
  readonly sandbox?: boolean | undefined;
  readonly mask?: boolean | undefined;
}

const NO_INSTALLATION = `No installation is given: files can be looked at, and nothing can be sent. Describe your contact center with "cardline init", and name its file with -i; or try the page with "cardline ui --sandbox".`;

/** Serves the page until the person wants to stop. */
export async function runPage(args: UiArguments, terminal: Terminal): Promise<ExitCode> {
  const { startPage } = await import('../../web/server/start.js');
  return withCenter(args, terminal, async ({ center, ledger, env, setup }) => {
    if (!center) note(terminal.stderr, NO_INSTALLATION);
    const settings: Omit<SiteSettings, 'open'> = {
      version: packageVersion(),
      page: packagePath('dist/web/page'),
      center,
      mapping: args.mapping === undefined ? undefined : resolve(args.mapping),
      ledger: absoluteLedger(ledger),
      samples: args.sandbox === true ? samplesOf() : [],
      readOnly: args.readOnly ?? false,
      mask: args.mask ?? false,
      env,
      setup,
    };
    const page = await startPage({ settings, file: args.file, port: args.port ?? 0 });
    try {
      await print(terminal.stdout, `The page is at ${page.address}\n`);
      if (args.open !== false) await openPage(page.openingFile, terminal);
      await untilStopped(terminal.signal);
    } finally {
      await page.close();
    }
    return EXIT.ok;
  });
}

/** A machine without a browser is no reason to end: the address is printed. */
async function openPage(file: string, { env, stderr }: Terminal): Promise<void> {
  try {
    await openInBrowser(file, env);
  } catch {
    note(stderr, 'No browser could be opened here. Open the address yourself.');
  }
}
