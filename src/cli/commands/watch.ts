import { defineCommand } from '../command.js';
import { flagOption } from '../options/options.js';
import { note, print } from '../output/output.js';
import { EXIT } from '../../core/errors/errors.js';

const options = {
  once: flagOption('Take what is there, and end. Default: watch until stopped.'),
  check: flagOption(
    'Find every mistake of the file and of its places, and take nothing. Default: no.',
  ),
} as const;

export const watchCommand = defineCommand({
  usage: 'watch <pickups>',
  describe: 'Import the files that arrive in folders, by themselves.',
  epilogue: `The pickup file names the folders, and the mapping and installation of each. A file is taken once it is whole, imported, and put away with its report. The first Ctrl-C ends gently: the next watcher goes on with what was begun.

With --once, ends with 0 when all went well, with 2 when a file needs a person, with 3 when an import has stopped.`,
  options,
  examples: [
    ['$0 watch pickup.yaml', 'Watch until stopped.'],
    ['$0 watch pickup.yaml --once', 'For a timer: take what is there, and end.'],
    ['$0 watch pickup.yaml --check', 'Is all right with it?'],
  ],
  build: (parser) =>
    parser
      .positional('pickups', { type: 'string', demandOption: true, describe: 'Pickup file.' })
      .options(options),
  async run({ pickups: file, once, check }, { stdout, stderr, env, signal }) {
    if (check) {
      const { checkPickups } = await import('../../nightly/watch/check-pickups.js');
      const places = await checkPickups(file, env);
      const isGood = places.every(({ mistake }) => mistake === null);
      for (const { pickup, place, mistake, note: more } of places) {
        const words = mistake ?? (more === null ? place : `${place} (${more})`);
        await print(stdout, `${mistake === null ? 'ok' : 'no'}  ${pickup}: ${words}\n`);
      }
      return isGood ? EXIT.ok : EXIT.stopped;
    }
    const { watchPickups } = await import('../../nightly/watch/watch-pickups.js');
    const onNote = (pickup: string | null, message: string): void => {
      note(stderr, `${new Date().toISOString()} ${pickup === null ? '' : `${pickup}: `}${message}`);
    };
    return watchPickups({ file, once: once ?? false, env, signal, onNote });
  },
});
