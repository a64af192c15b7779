import { UsageError } from '../../core/errors.js';
import { defineCommand } from '../command.js';
import {
  flagOption,
  installationDescription,
  numberOption,
  textOption,
} from '../options/options.js';

const options = {
  installation: { ...textOption(installationDescription), alias: 'i' },
  mapping: {
    ...textOption('Mapping file to begin with. Default: one is suggested for each file.'),
    alias: 'm',
  },
  port: numberOption('port', 'TCP port; 0 takes a free one. Default: 0.', 0, 65_535),
  open: { ...flagOption('Open the page in the browser; --no-open does not. Default: yes.') },
  'read-only': flagOption('Show everything and change nothing. Default: no.'),
  ledger: textOption(
    "File that keeps what is known of runs. Default: the installation's, else cardline.db.",
  ),
  sandbox: flagOption(
    'Use a contact center of your own, and offer the samples. Without --installation, the one of the demo. Default: no.',
  ),
  mask: flagOption('Hide personal data on the page. Default: no.'),
  host: textOption(
    'Refused: the page is for this machine alone. The message says how to use it from another one.',
  ),
} as const;

export const uiCommand = defineCommand({
  usage: 'ui [file]',
  describe: 'Import a spreadsheet on a page in the browser, without writing YAML.',
  epilogue:
    'The page is served on this machine, for its user alone: the address that is printed holds a token. Stop it with Ctrl-C.',
  options,
  examples: [
    ['$0 ui leads.xlsx -i center.yaml', 'Begin with a file.'],
    ['$0 ui --sandbox', 'Try it with the samples, without a contact center.'],
  ],
  places: { ledger: 'ledger' },
  build: (parser) =>
    parser
      .positional('file', { type: 'string', describe: 'Spreadsheet to begin with.' })
      .options(options),
  async run(args, terminal) {
    if (args.host !== undefined) throw hostRefused(args.port);
    const { runPage } = await import('../ui/run-page.js');
    return runPage(args, terminal);
  },
});

const hostRefused = (port = 8090): UsageError =>
  new UsageError(
    '--host is not taken: the page listens on 127.0.0.1, this machine, alone. To use it from another machine, forward the ' +
      `same port from there and start it here without a browser: ssh -L ${port}:127.0.0.1:${port} USER@THIS-MACHINE cardline ui --port ${port} --no-open`,
  );
