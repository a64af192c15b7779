import { EXIT, type ExitCode } from '../core/errors.js';
import {
  explain,
  leavePlain,
  note,
  print,
  tolerateErrors,
  type Terminal,
} from './output/output.js';
import { packageVersion } from './package.js';

/**
 * The command line as a function.
 *
 * @param typed arguments without the interpreter and the script
 * @returns the exit code; errors are reported on stderr, never thrown
 */
export async function run(typed: readonly string[], terminal: Terminal): Promise<ExitCode> {
  tolerateErrors(terminal.stdout);
  tolerateErrors(terminal.stderr);
  try {
    // Scripts ask for the version before all else; it needs neither the parser nor the commands.
    if (typed.length === 1 && typed[0] === '--version') {
      await print(terminal.stdout, `${packageVersion()}\n`);
      return EXIT.ok;
    }
    if (typed.includes(NO_COLOR)) leavePlain(terminal.stdout);
    const words = typed.filter((word) => word !== NO_COLOR);
    // As people ask other programs: `cardline help import`.
    const argv = words[0] === 'help' ? [...words.slice(1), '--help'] : words;
    const { commands } = await import('./commands/index.js');
    const { loadNamed } = await import('./command.js');
    if (!asksForHelp(argv)) await commands.find(({ name }) => name === argv[0])?.warm?.(argv);
    const { parse } = await import('./parse.js');
    const { task, text } = await parse(argv, await loadNamed(commands, argv), terminal.columns);
    if (task) return await task(terminal);
    await print(terminal.stdout, text.endsWith('\n') ? text : `${text}\n`);
    return EXIT.ok;
  } catch (error) {
    const { exitCode, text } = explain(error, Boolean(terminal.env['CARDLINE_DEBUG']));
    note(terminal.stderr, text);
    return exitCode;
  }
}

const NO_COLOR = '--no-color';

const asksForHelp = (argv: readonly string[]): boolean =>
  argv.includes('--help') || argv.includes('-h');
