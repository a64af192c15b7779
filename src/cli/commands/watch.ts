import { defineCommand } from '../command.js';
import { flagOption } from '../options/options.js';
import { note, print, printJson } from '../output/output.js';
import { printable } from '../../core/text.js';
import { ConfigurationError, EXIT } from '../../core/errors.js';

const options = {
  once: flagOption('Take what is there, and end. Default: watch until stopped.'),
  check: flagOption(
    'Find every mistake of the file, its places, campaigns and roles, and take nothing. Default: no.',
  ),
  status: flagOption(
    'Show how each pickup stands: its last file, what waits, what is late. Default: no.',
  ),
  json: flagOption('With --status: print it as JSON. Default: no.'),
} as const;

export const watchCommand = defineCommand({
  usage: 'watch <pickups>',
  describe: 'Import files automatically as they arrive in folders.',
  epilogue: `The pickup file names the folders, and the mapping and installation of each. A file is taken once it is whole, imported, and put away with its report. The first Ctrl-C ends gently: the next watcher goes on with what was begun.

With --once, ends with 0 when all went well, with 2 when a file needs a person, with 3 when an import has stopped.`,
  options,
  examples: [
    ['$0 watch pickup.yaml', 'Watch until stopped.'],
    ['$0 watch pickup.yaml --once', 'For a timer: take what is there, and end.'],
    ['$0 watch pickup.yaml --check', 'Is all right with it?'],
    ['$0 watch pickup.yaml --status', 'In the morning: what came, and what needs me?'],
  ],
  build: (parser) =>
    parser
      .positional('pickups', { type: 'string', demandOption: true, describe: 'Pickup file.' })
      .options(options),
  async run({ pickups: file, once, check, status, json }, { stdout, stderr, env, signal }) {
    if (status) {
      const { watchStatus, statusText } = await import('../../nightly/watch/status.js');
      const found = await watchStatus(file, env);
      if (json) await printJson(stdout, `${JSON.stringify(found, null, 2)}\n`);
      else await print(stdout, `${printable(statusText(found))}\n`);
      return found.exitCode;
    }
    if (check) {
      const { checkPickups } = await import('../../nightly/watch/check-pickups.js');
      const { found, mistakes } = await checkPickups(file, env, signal);
      const isGood = found.every(({ mistake }) => mistake === null);
      for (const { pickup, place, mistake, note: more } of found) {
        const words = mistake ?? (more === null ? place : `${place} (${more})`);
        await print(stdout, `${mistake === null ? 'ok' : 'no'}  ${pickup}: ${words}\n`);
      }
      if (mistakes.length > 0) throw new ConfigurationError(mistakes);
      return isGood ? EXIT.ok : EXIT.stopped;
    }
    const { watchPickups } = await import('../../nightly/watch/watch-pickups.js');
    const onNote = (pickup: string | null, message: string): void => {
      note(stderr, `${new Date().toISOString()} ${pickup === null ? '' : `${pickup}: `}${message}`);
    };
    return watchPickups({ file, once: once ?? false, env, signal, onNote });
  },
});
