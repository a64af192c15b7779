import { EXIT } from '../../core/errors.js';
import { defineCommand } from '../command.js';
import { numberOption, requiredInstallation, textOption } from '../options/options.js';
import { print, untilStopped } from '../output/output.js';

const DEFAULT_PORT = 8080;
const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_DATABASE = 'sandbox.db';

const options = {
  ...requiredInstallation,
  port: numberOption('port', 'TCP port; 0 takes a free one. Default: 8080.', 0, 65_535),
  host: textOption('Address to listen on. Default: 127.0.0.1, this machine alone.'),
  'allow-host': {
    ...textOption(
      'Further host name under which it may be asked, such as sandbox:8080 between containers; without a port, with any. May be repeated. Default: its own addresses alone.',
    ),
    array: true,
  },
  db: textOption(
    'SQLite file of its clients and campaigns; :memory: forgets them at the end. Default: sandbox.db.',
  ),
} as const;

export const sandboxCommand = defineCommand({
  usage: 'sandbox',
  describe: 'Run a contact center of your own, for trying and testing.',
  epilogue: 'It asks for no credentials. Stop it with Ctrl-C; what it holds is kept in its file.',
  options,
  places: { db: 'sandbox' },
  examples: [
    ['$0 sandbox -i center.yaml', 'Listen on port 8080.'],
    ['$0 sandbox -i center.yaml --port 0 --db :memory:', 'A free port, nothing kept.'],
  ],
  build: (parser) => parser.options(options),
  async run(args, { stdout, signal }) {
    const { loadInstallation } = await import('../../installation/load.js');
    const { startSandbox } = await import('../../sandbox/sandbox.js');
    const sandbox = await startSandbox({
      installation: await loadInstallation(args.installation),
      port: args.port ?? DEFAULT_PORT,
      host: args.host ?? DEFAULT_HOST,
      allowHosts: args.allowHost,
      database: args.db ?? DEFAULT_DATABASE,
    });
    try {
      await print(stdout, `Sandbox listening on ${sandbox.url}\n`);
      await untilStopped(signal);
    } finally {
      await sandbox.close();
    }
    return EXIT.ok;
  },
});
