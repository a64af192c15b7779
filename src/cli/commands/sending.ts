import { PLACE_KINDS, DEFAULT_LEDGER } from '../../options/places.js';
import { readerThreads, warmReaderThread } from '../../prepare/threads.js';
import { UsageError } from '../../core/errors.js';
import { defined, whole } from '../../core/text.js';
import {
  campaignChoice,
  ledgerInstallation,
  campaignOptions,
  givenOptions,
  givenSource,
  runFlags,
  sourceFlags,
  inputFiles,
  requestOnRun,
  ledgerNamed,
  flagOption,
  mappingOption,
  requiredInstallation,
  textOption,
} from '../options.js';
import { defineCommand } from '../command.js';
import { executeCommand, shownOptions } from '../execute-command.js';
import { note, type Terminal } from '../output/output.js';
import { confirmRows } from '../operations/confirm.js';
import { momentOf } from '../../report/text/words.js';

export const importCommand = defineCommand({
  usage: 'import <files..>',
  describe: 'Import spreadsheets into a contact center.',
  epilogue: `With --sandbox no server is needed: a contact center of your own runs for the length of the command and keeps its data beside the ledger (cardline.sandbox.db, or one of its own for other identifiers). A campaign that does not exist there is created and started; as the sandbox numbers its campaigns itself, "--campaign 42" then becomes a campaign of the name "Campaign 42", whose id is told and which the next import finds again.

The first Ctrl-C ends gently: requests in flight are finished and the report is written. The second one ends at once. The same command continues a run that has not come to its end, and does not repeat one that has.`,
  options: {
    ...mappingOption,
    ...requiredInstallation,
    sandbox: flagOption(
      "Send to an embedded sandbox in place of the installation's address. Default: no.",
    ),
    ...campaignOptions,
    'dry-run': flagOption('Send nothing: do what "check" does with these files. Default: no.'),
    ...runFlags('import'),
    ...shownOptions,
    ...sourceFlags('import'),
  },
  places: PLACE_KINDS,
  positionals: { files: inputFiles },
  warm,
  async run(args, terminal) {
    const { files, mapping, installation } = args;
    const given = givenOptions('import', args);
    const campaign = campaignChoice(args.campaign, args.maxCallCount);
    const meant = {
      sandbox: args.sandbox ?? false,
      request: {
        ...{ files, mapping, installation, source: givenSource('import', args) },
        ...{ ...given, ...defined({ campaign }) },
      },
    };
    if (!args.dryRun) return executeCommand({ kind: 'import', ...meant }, args, terminal);
    if (args.quiet !== true)
      note(terminal.stderr, 'Nothing is sent: --dry-run does what "cardline check" does.');
    const { checkCommandFiles } = await import('../check-files.js');
    const source = givenSource('check', args);
    const request = { files, mapping, installation, source, ...givenOptions('check', args) };
    return checkCommandFiles(request, args, terminal, meant);
  },
});

/**
 * Starts the reading thread, which takes as long to load as the rest, and the rest beside it. Only the first look at the
 * files is waited for: what is loaded meanwhile would hold up its answers. Arguments that are no files count for nothing.
 */
async function warm(argv: readonly string[]): Promise<void> {
  const files = argv.filter((argument) => !argument.startsWith('-'));
  const inputs = files.map((name) => ({ path: name, name }));
  const isLarge = argv.includes('-') || (await readerThreads(inputs, 'send')) > 0;
  if (isLarge) warmReaderThread();
  // Whoever needs it loads it again, and meets the error there.
  else import('../../prepare/preparation.js').catch(() => undefined);
  import('../../run/import.js').catch(() => undefined);
}

export const reconcileCommand = defineCommand({
  usage: 'reconcile [files..]',
  describe: 'Compare spreadsheets with the contact center, row by row.',
  epilogue: `Changes nothing. The report says of every row: match, different (with both values), missing, not_in_campaign, rejected, skipped or unknown. Ends with 0 when all rows match or are skipped, else with 2.

Values are brought to one form first: numbers, white space, dates, and the case of letters where the mapping changes it. Cells that are empty are not compared; contacts are not, since the interface does not show them.`,
  options: {
    mapping: { ...mappingOption.mapping, demandOption: false },
    installation: { ...requiredInstallation.installation, demandOption: false },
    campaign: textOption(
      "Campaign in which the clients should be, by id or by name. Default: the mapping's campaign.",
    ),
    run: textOption('Check what the report of this run claims, in place of a file.'),
    sandbox: flagOption('Compare with the embedded sandbox. Default: no.'),
    ...runFlags('reconcile'),
    ...shownOptions,
    ...sourceFlags('reconcile'),
  },
  places: { ...PLACE_KINDS, fix: 'folder' },
  positionals: { files: { ...inputFiles, demandOption: false } },
  async run(args, terminal) {
    const { files = [], mapping, installation } = args;
    if (args.run !== undefined) {
      if (files.length > 0) throw new UsageError('Give files or --run, not both.');
      // Of the options, those that every run has: the others are about files.
      const given = givenOptions('resume', args);
      const { sandbox, request } = await requestOnRun(args.run, installation, given);
      return executeCommand(
        { kind: 'check', sandbox, request: { ...request, checks: args.run } },
        args,
        terminal,
      );
    }
    if (files.length === 0 || mapping === undefined || installation === undefined)
      throw new UsageError(
        'Say what to compare: files with --mapping and --installation, or a run with --run.',
      );
    return executeCommand(
      {
        kind: 'reconcile',
        sandbox: args.sandbox ?? false,
        request: {
          ...{ files, mapping, installation, source: givenSource('reconcile', args) },
          ...givenOptions('reconcile', args),
          ...defined({ campaign: campaignChoice(args.campaign, undefined) }),
        },
      },
      args,
      terminal,
    );
  },
});

export const resumeCommand = defineCommand({
  usage: 'resume [run]',
  describe: 'Continue an unfinished run.',
  epilogue:
    'What is on record is not sent again; what was under way when the run ended is looked up first. The input, the mapping, the installation and the campaign must be those that the run began with. The --max-failures and --canary of its last command hold on, unless others are named.',
  options: { ...runFlags('resume'), ...shownOptions, ...ledgerInstallation },
  places: PLACE_KINDS,
  positionals: {
    run: {
      type: 'string',
      describe: 'Id of the run, as "cardline runs" lists it. Default: the latest unfinished.',
    },
  },
  async run(args, terminal) {
    const { resumption } = await import('../../run/resume.js');
    const given = givenOptions('resume', args);
    const ledger = await ledgerNamed({ ledger: given.ledger, installation: args.installation });
    const resumed = await resumption(ledger, args.run, given);
    return executeCommand(resumed, args, terminal);
  },
});

export const undoCommand = defineCommand({
  usage: 'undo [run]',
  describe: 'Undo what a run did.',
  epilogue: `Removes the call applications that the run added, deletes the clients that it created, and gives the fields that it changed their values from before. What somebody has changed since is left as it is. What cannot be taken back, such as contacts that were added, ends as "failed", and the report says why.

An undo is a run of its own: the same command, or "resume", continues it.`,
  options: {
    installation: textOption(
      'Installation file of the contact center. Default: the one of the run.',
      { alias: 'i' },
    ),
    ...runFlags('undo'),
    ...shownOptions,
  },
  places: PLACE_KINDS,
  positionals: {
    run: {
      type: 'string',
      describe:
        'Id of the run, as "cardline runs" lists it. Default: the latest that an undo is for.',
    },
  },
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
