import { PLACE_KINDS, DEFAULT_LEDGER } from '../../options/places.js';
import { UsageError } from '../../core/errors.js';
import { whole } from '../../core/text.js';
import { defineCommand } from '../command.js';
import { executeCommand, shownOptions } from '../execute-command.js';
import { ledgerNamed, requestOnRun, givenOptions, runFlags } from '../options/run-flags.js';
import { textOption } from '../options/options.js';
import { confirmRows } from '../operations/confirm.js';
import { note, type Terminal } from '../output/output.js';
import { momentOf } from '../../report/text/words.js';

const options = {
  installation: {
    ...textOption('Installation file of the contact center. Default: the one of the run.'),
    alias: 'i',
  },
  ...runFlags('undo'),
  ...shownOptions,
} as const;

export const undoCommand = defineCommand({
  usage: 'undo [run]',
  describe: 'Undo what a run did.',
  epilogue: `Removes the call applications that the run added, deletes the clients that it created, and gives the fields that it changed their values from before. What somebody has changed since is left as it is. What cannot be taken back, such as contacts that were added, ends as "failed", and the report says why.

An undo is a run of its own: the same command, or "resume", continues it.`,
  options,
  examples: [
    ['$0 undo', 'Take back what the latest run did.'],
    ['$0 undo 20261120-174500-1f3a', 'Take back what this run did.'],
    ['$0 undo 20261120-174500-1f3a --yes', 'In a script, where nobody can be asked.'],
  ],
  places: PLACE_KINDS,
  build: (parser) =>
    parser
      .positional('run', {
        type: 'string',
        describe:
          'Id of the run, as "cardline runs" lists it. Default: the latest that an undo is for.',
      })
      .options(options),
  async run(args, terminal) {
    const given = givenOptions('undo', args);
    const undoes = args.run ?? (await latest({ ...args, ledger: given.ledger }, terminal));
    const { sandbox, request } = await requestOnRun(undoes, args.installation, given);
    if (given.confirmed !== true) await confirmUndo(undoes, request.ledger, terminal);
    return executeCommand(
      { kind: 'undo', sandbox, request: { ...request, undoes } },
      args,
      terminal,
    );
  },
});

/**
 * Asks a person for the number of rows. What is taken back is gone: without a terminal it takes `--yes`, whatever comes
 * from standard input.
 * @throws StoppedError when the person does not want to; UsageError when nobody can be asked
 */
async function confirmUndo(
  run: string,
  ledger: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const { previewUndo } = await import('../../run/on-record.js');
  const preview = await previewUndo(run, ledger ?? DEFAULT_LEDGER);
  const { rows, cards, applications, fields } = preview;
  if (rows === 0) return;
  const deeds = [
    [cards, 'clients are deleted'],
    [applications, 'call applications are removed'],
    [fields, 'clients get their earlier values back'],
  ] as const;
  const what = deeds
    .filter(([count]) => count > 0)
    .map(([count, deed]) => `${whole(count)} ${deed}`);
  const question = `To take back run ${run} of ${momentOf(preview.createdAt)}: ${what.join(', ')}.`;
  if (!terminal.interactive || terminal.stdin.isTTY !== true)
    throw new UsageError(
      `${question} Nobody can be asked whether to go on: give --yes to do it without asking. Nothing was done.`,
    );
  await confirmRows(question, rows, terminal);
}

/** The latest run that can be taken back, named before anything is done. */
async function latest(
  where: Parameters<typeof ledgerNamed>[0],
  { stderr }: Terminal,
): Promise<string> {
  const { latestUndoable } = await import('../../history/history.js');
  const { run, createdAt } = await latestUndoable(await ledgerNamed(where));
  note(
    stderr,
    `Without an id, this is about the latest run that an undo is for: ${run} of ${momentOf(createdAt)}.`,
  );
  return run;
}
