import type * as Columns from '../../suggest/columns.js';
import { UsageError, EXIT } from '../../core/errors.js';
import type { SourceInfo } from '../../core/table.js';
import { defineCommand } from '../command.js';
import { doubtText } from '../input-text.js';
import {
  numberOption,
  flagOption,
  requiredInstallation,
  textOption,
  installationDescription,
  mappingOption,
  quietOption,
  givenSource,
  sourceFlags,
  inputFile,
  givenOptions,
  runFlags,
  inputFiles,
  campaignChoice,
  ledgerInstallation,
  campaignOptions,
  requestOnRun,
  ledgerNamed,
} from '../options.js';
import {
  note,
  printJson,
  printValue,
  STANDARD_INPUT,
  stopWaiting,
  StoppedError,
  type Terminal,
  unlessStopped,
  print,
} from '../output/output.js';
import { defined, printableLine, counted, whole, printable } from '../../core/text.js';
import { MODES, type ProblemCount } from '../../core/outcome.js';
import type { ColumnSuggestion } from '../../suggest/columns.js';
import type { Suggestion } from '../../suggest/suggest.js';
import { checkCommandLine, suggestCommandLine, type SuggestWords } from '../next.js';
import { PLACE_KINDS, DEFAULT_LEDGER } from '../../options/places.js';
import { readerThreads, warmReaderThread } from '../../prepare/threads.js';
import { executeCommand, shownOptions } from '../execute-command.js';
import { confirmRows } from '../operations/confirm.js';
import { momentOf } from '../../report/text/words.js';

export const rowsCommand = defineCommand({
  usage: 'rows <file>',
  describe: 'Print each row of a spreadsheet as one JSON line: what the reader sees.',
  options: {
    ...sourceFlags('rows'),
    limit: numberOption('limit', 'Stop after this many rows. Default: all rows.', 1),
  },
  positionals: { file: inputFile },
  async run(args, terminal) {
    const source = givenSource('rows', args);
    if (source.allSheets && source.sheet !== undefined) {
      throw new UsageError('Give --sheet or --all-sheets, not both.');
    }
    const { readRows } = await import('../../run/preview.js');
    const file = args.file === STANDARD_INPUT ? terminal.stdin : args.file;
    stopWaiting([args.file], terminal);
    const onInfo = (info: SourceInfo): void => {
      const doubt = doubtText(args.file, info);
      if (doubt !== undefined) note(terminal.stderr, doubt);
    };
    let left = args.limit ?? Infinity;
    // Where the file breaks off, the rows before that place are printed first.
    for await (const batch of readRows(file, source, onInfo)) {
      if (terminal.signal.aborted) throw new StoppedError('Stopped.');
      const wanted = batch.slice(0, left);
      left -= wanted.length;
      const lines = wanted.map(
        ({ sheet, row, cells, defects }) =>
          `${JSON.stringify({ sheet, row, cells, ...(defects && { defects }) })}\n`,
      );
      const read = await printJson(terminal.stdout, lines.join(''));
      if (!read || left <= 0) break;
    }
    return EXIT.ok;
  },
});

/** Narrower than this, a message is no longer readable. */
const NARROWEST = 24;

const HEAD = ['rows', 'first row', 'column', 'problem', 'what'];

const MAPPING = 'mapping.yaml';

const SIGNS = { sure: '+', likely: '?', none: ' ' } as const;

const LEGEND =
  'Columns: "+" stands in the mapping, "?" as a comment to decide on, and without a sign it is left out.';

export const suggestCommand = defineCommand({
  usage: 'suggest <file>',
  describe: 'Draft a mapping for a spreadsheet.',
  epilogue: 'Nothing is sent. Ends with 0, also where something is left to fill in.',
  options: {
    ...requiredInstallation,
    out: textOption('File for the mapping. Default: it is printed.', { alias: 'o' }),
    ...sourceFlags('suggest'),
    country: textOption(
      'Country of phone numbers without a country code, two letters such as RU. Default: found out.',
    ),
    mode: textOption('What the mapping is for. Default: create.', { choices: MODES }),
    ledger: textOption(
      'File in which the runs are kept: what earlier mappings did with the same columns counts. ' +
        "Default: the installation's ledger, else cardline.db.",
    ),
    json: flagOption('Print what was found as JSON. Default: no.'),
  },
  places: { out: 'file', ledger: 'read ledger' },
  positionals: { file: inputFile },
  async run(args, terminal) {
    const { suggestMapping, writeDraft } = await import('../../setup/suggest.js');
    stopWaiting([args.file], terminal);
    const { file, installation, out, country, mode, ledger } = args;
    const { stdout, stderr, columns: width } = terminal;
    const request = {
      ...{ file, installation, source: givenSource('suggest', args) },
      ...defined({ country, mode, ledger }),
    };
    const suggestion = await unlessStopped(suggestMapping(request), terminal.signal);
    if (out !== undefined) await writeDraft(out, suggestion.mapping);
    if (args.json) {
      const { source, columns, mapping, missing, trial } = suggestion;
      await printValue(stdout, { source, columns, mapping, missing, trial });
      return EXIT.ok;
    }
    const text = await summaryText(suggestion, { ...request, out }, width);
    if (out === undefined) {
      // The mapping alone goes to standard output, so that it can be redirected.
      await print(stdout, suggestion.mapping);
      note(stderr, `\n${text}`);
    } else await print(stdout, `${text}\n`);
    return EXIT.ok;
  },
});

interface Asked extends SuggestWords {
  readonly out: string | undefined;
}

async function summaryText(suggestion: Suggestion, asked: Asked, width?: number): Promise<string> {
  const { trial, missing, decisions, toFillIn } = suggestion;
  // All that is known of headers and phones is no part of the other commands.
  const scores = await import('../../suggest/columns.js');
  const parts = [
    readText(suggestion.source),
    [LEGEND, ...suggestion.columns.map((column) => columnLine(column, scores))].join('\n'),
    trial === null ? '' : await trialText(trial, suggestion.source.sheet, width),
    listText('Decide:', decisions),
    listText('Fill in:', toFillIn),
    missing.length === 0 ? '' : `Without a column: ${missing.map(printableLine).join(', ')}.`,
    nextText(asked, toFillIn.length > 0),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** What was read of the file, where that is not all from its first row to its last. */
function readText({ sheet, otherSheets, headerRow, until }: Suggestion['source']): string {
  const lines = [
    sheet === null || otherSheets.length === 0
      ? ''
      : `The sheet "${sheet}" was read; there are also: ${otherSheets.join(', ')}. Choose one with --sheet.`,
    typeof headerRow === 'number' && headerRow > 1 ? `The header is in row ${headerRow}.` : '',
    until === null
      ? ''
      : `Rows are read up to the one with "${until.startsWith}" in ${until.column}, which are totals.`,
  ];
  return lines
    .filter((line) => line !== '')
    .map(printableLine)
    .join('\n');
}

function columnLine(
  { column, target, phoneType, score, why }: ColumnSuggestion,
  { LIKELY, SURE, scoreText }: typeof Columns,
): string {
  const sign =
    target === null || score < LIKELY ? SIGNS.none : score >= SURE ? SIGNS.sure : SIGNS.likely;
  const where =
    target === null ? 'left out' : `${target}${phoneType === undefined ? '' : ` (${phoneType})`}`;
  const sure = target === null ? '' : ` ${scoreText(score)}`;
  return printableLine(`${sign} ${column} -> ${where}${sure}: ${why}`);
}

async function trialText(
  { rows, clients, rejected, skipped, repeated, problems }: NonNullable<Suggestion['trial']>,
  sheet: string | null,
  width?: number,
): Promise<string> {
  const counts = `${whole(clients)} would be sent, ${whole(rejected)} rejected, ${whole(skipped)} skipped`;
  const where = sheet === null ? '' : ` of the sheet "${printableLine(sheet)}"`;
  const table = problems.length === 0 ? [] : [await problemTable(problems, width)];
  // Rows of the same identifiers are one client: many of them say that another column identifies the clients.
  const twice =
    repeated === 0
      ? ''
      : ` ${counted(repeated, 'of them has', 'of them have')} the identifiers of an earlier row.`;
  const first = `The first ${counted(rows, 'row')}${where} with this mapping: ${counts}.${twice}`;
  return [first, ...table].join('\n\n');
}

function listText(head: string, lines: readonly string[]): string {
  return lines.length === 0
    ? ''
    : [head, ...lines.map((line) => `- ${printableLine(line)}`)].join('\n');
}

/** The mapping has the options of reading, the mode and the country: they need not be given again. */
function nextText(asked: Asked, isOpen: boolean): string {
  const { file, installation, ledger, out } = asked;
  if (file === STANDARD_INPUT) return '';
  if (out === undefined) return `Next: write it to a file\n  ${suggestCommandLine(asked, MAPPING)}`;
  const command = checkCommandLine({ file, mapping: out, installation, ledger });
  return `${isOpen ? 'When it is filled in:' : 'Next:'}\n  ${command}`;
}

/**
 * How often each problem occurred, as a table.
 *
 * @param columns width of the terminal in characters; without it, nothing is wrapped
 */
async function problemTable(problems: readonly ProblemCount[], columns?: number): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const lines = problems.map(({ count, firstRow, column, code, message }) => [
    whole(count),
    String(firstRow),
    printableLine(column ?? ''),
    code,
    printable(message),
  ]);
  // Of all columns but the last, with their padding and borders.
  const widths = HEAD.slice(0, -1).map((head, at) =>
    Math.max(head.length, ...lines.map((line) => line[at]?.length ?? 0)),
  );
  const taken = widths.reduce((sum, width) => sum + width + 3, 2);
  const last = columns === undefined ? null : Math.max(NARROWEST, columns - taken);
  const table = new Table({
    head: HEAD,
    colAligns: ['right', 'right'],
    colWidths: [null, null, null, null, last],
    wordWrap: true,
    style: { head: [], border: [], compact: true },
  });
  table.push(...lines);
  return table.toString();
}

export const checkCommand = defineCommand({
  usage: 'check <files..>',
  describe: 'Do everything that an import does, but send nothing.',
  epilogue: 'Ends with 0 when no row is rejected, else with 2.',
  options: {
    ...mappingOption,
    installation: textOption(`${installationDescription} Default: card fields are not checked.`, {
      alias: 'i',
    }),
    ...runFlags('check'),
    ...sourceFlags('check'),
    ...quietOption,
    json: flagOption('Print what was found as JSON. Default: no.'),
  },
  places: { out: 'folder', ledger: 'read ledger' },
  positionals: { files: inputFiles },
  async run(args, terminal) {
    const { checkCommandFiles } = await import('../check-files.js');
    return checkCommandFiles(
      {
        files: args.files,
        mapping: args.mapping,
        source: givenSource('check', args),
        ...givenOptions('check', args),
        ...defined({ installation: args.installation }),
      },
      args,
      terminal,
    );
  },
});

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
    const given = givenOptions('resume', args);
    const ledger = await ledgerNamed({ ledger: given.ledger, installation: args.installation });
    const { resumption } = await import('../../run/execute.js');
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
    let undoes = args.run;
    if (undoes === undefined) {
      const { latestUndoable } = await import('../../history/history.js');
      const latest = await latestUndoable(await ledgerNamed({ ...args, ledger: given.ledger }));
      undoes = latest.run;
      note(
        terminal.stderr,
        `Without an id, this is about the latest run that an undo is for: ${undoes} of ${momentOf(latest.createdAt)}.`,
      );
    }
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
  const { previewUndo } = await import('../../run/execute.js');
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
