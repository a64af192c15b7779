import { type CommandGroup, defineCommand } from '../command.js';
import { dirname, resolve } from 'node:path';
import { EXIT } from '../../core/errors.js';
import { flagOption, textOption } from '../options/options.js';
import { packagePath } from '../package.js';
import { note, print } from '../output/output.js';

/** Whether the files were written to where they are to be. */
const isThere = (files: readonly { readonly path: string }[], out: string | undefined): boolean =>
  out !== undefined && files.every(({ path }) => dirname(path) === resolve(out));

const printCommand = defineCommand({
  usage: 'print <scheduler> <pickups>',
  describe: 'Print what starts "cardline watch": units of systemd, or a line for cron.',
  epilogue:
    'Nothing is installed: how that is done is printed with it. The units are hardened, pass the credentials that the files name, start again after exit code 3, and make up for a time at which the machine was off.',
  options: {
    at: textOption(
      'Time of day at which it takes what is there, such as "21:30 Europe/Moscow". Default: it watches all the time.',
    ),
    user: textOption('User that it runs as. Default: cardline.'),
    out: textOption('Folder to write the files to, in place of printing them. Default: none.', {
      alias: 'o',
    }),
    force: flagOption('With --out: replace files that are there with another text. Default: no.'),
  },
  examples: [
    ["$0 schedule print systemd pickup.yaml --at '21:30 Europe/Moscow'", 'A service with a timer.'],
    ['$0 schedule print systemd pickup.yaml -o units', 'Watching all the time, as files.'],
    ['$0 schedule print cron pickup.yaml --at 21:30', 'Where there is no systemd.'],
  ],
  places: { out: 'folder' },
  positionals: {
    scheduler: {
      choices: ['systemd', 'cron'] as const,
      demandOption: true,
      describe: 'What starts it.',
    },
    pickups: { type: 'string', demandOption: true, describe: 'Pickup file.' },
  },
  async run({ scheduler, pickups, at, user = 'cardline', out, force = false }, { stdout, stderr }) {
    const { scheduleOf } = await import('../../nightly/schedule.js');
    const command = [process.execPath, packagePath('dist/command/main.js')];
    const { files, steps, notes } = await scheduleOf({ scheduler, pickups, at, command, user });
    if (out === undefined)
      for (const { path, text } of files) await print(stdout, `# ${path}\n${text}\n`);
    else {
      const { writeSchedule } = await import('../../nightly/schedule.js');
      for (const path of await writeSchedule(files, out, force)) await print(stdout, `${path}\n`);
    }
    const install = `To install, as root${isThere(files, out) ? '' : `: the file${files.length === 1 ? '' : 's'} to ${files.map(({ path }) => path).join(' and ')}; then`}:`;
    note(stderr, [install, ...steps.map((step) => `  ${step}`), ...notes].join('\n'));
    return EXIT.ok;
  },
});

export const scheduleGroup: CommandGroup = { subcommands: [printCommand] };
