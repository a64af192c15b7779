import { type CommandGroup, defineCommand } from '../command.js';
import { EXIT } from '../../core/errors.js';
import { note, print } from '../output/output.js';

const testCommand = defineCommand({
  usage: 'test <pickups>',
  describe: 'Send one notice of each kind to everybody who is to get it, for a test.',
  epilogue:
    'Each says that it is a test. Ends with 0 when all were taken, else with 3; nothing is tried again.',
  examples: [['$0 notify test pickup.yaml', 'Does everybody get them?']],
  positionals: { pickups: { type: 'string', demandOption: true, describe: 'Pickup file.' } },
  async run({ pickups: file }, { stdout, stderr, env, signal }) {
    const { loadPickups } = await import('../../nightly/pickup/load.js');
    const { testNotices } = await import('../../nightly/notices/outbox.js');
    const { sendNotice } = await import('../../nightly/notices/send.js');
    const { notify: targets, pickups } = await loadPickups(file, env);
    if (targets.length === 0) note(stderr, `${file} has no "notify": nobody is told of anything.`);
    const pickup = pickups[0]?.name ?? '';
    const request = { targets, pickup, send: sendNotice, now: Date.now, signal };
    let isGood = true;
    for await (const { target, kind, mistake } of testNotices(request)) {
      isGood &&= mistake === null;
      const reason = mistake === null ? '' : ` (${mistake})`;
      await print(stdout, `${mistake === null ? 'ok' : 'no'}  ${target}: ${kind}${reason}\n`);
    }
    return isGood && !signal.aborted ? EXIT.ok : EXIT.stopped;
  },
});

export const notifyGroup: CommandGroup = { subcommands: [testCommand] };
