import { type CommandGroup, defineCommand } from '../command.js';
import { dirname, resolve } from 'node:path';
import { EXIT } from '../../core/errors.js';
import { flagOption, textOption } from '../options.js';
import { packagePath } from '../package.js';
import { note, print } from '../output/output.js';

const isThere = (files: readonly { readonly path: string }[], out: string | undefined): boolean =>
  out !== undefined && files.every(({ path }) => dirname(path) === resolve(out));

const printCommand = defineCommand({
  group: 'schedule',
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

const testCommand = defineCommand({
  group: 'notify',
  usage: 'test <pickups>',
  describe: 'Send one notice of each kind to everybody who is to get it, for a test.',
  epilogue:
    'Each says that it is a test. Ends with 0 when all were taken, else with 3; nothing is tried again.',
  positionals: { pickups: { type: 'string', demandOption: true, describe: 'Pickup file.' } },
  async run({ pickups: file }, { stdout, stderr, env, signal }) {
    const { loadPickups } = await import('../../nightly/pickup/load.js');
    const { sendNotice, testNotices } = await import('../../nightly/notices/outbox.js');
    const { notify: targets, pickups } = await loadPickups(file, env);
    if (targets.length === 0) note(stderr, `${file} has no "notify": nobody is told of anything.`);
    const pickup = pickups[0]?.name ?? '';
    const tested = testNotices(targets, pickup, sendNotice, signal);
    let isGood = true;
    for await (const { target, kind, mistake } of tested) {
      isGood &&= mistake === null;
      const reason = mistake === null ? '' : ` (${mistake})`;
      await print(stdout, `${mistake === null ? 'ok' : 'no'}  ${target}: ${kind}${reason}\n`);
    }
    return isGood && !signal.aborted ? EXIT.ok : EXIT.stopped;
  },
});

export const notifyGroup: CommandGroup = { subcommands: [testCommand] };
