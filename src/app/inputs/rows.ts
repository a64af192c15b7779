import { InputError } from '../../core/errors.js';
import type { Row, Source, SourceInfo, SourceOptions } from '../../core/table.js';
import { openWithinLimits } from '../../prepare/inputs/open-within-limits.js';
import { refuseSheetOfText } from '../../source/refusals.js';
import { spoolStandardInput } from '../../source/standard-input.js';
import { takeInputs } from './inputs.js';
import { temporaryFolder } from './temporary-folder.js';

/**
 * The rows of a file as the reader sees them, header included, in batches.
 *
 * @param file path of the file, or a stream of its bytes, such as standard input
 * @param onInfo called with what was found out about the file, before its first row
 * @throws InputError when the file is broken; the rows before that place have been given by then
 */
export async function* readRows(
  file: string | AsyncIterable<Uint8Array>,
  options: SourceOptions,
  onInfo: (info: SourceInfo) => void = () => undefined,
): AsyncGenerator<readonly Row[]> {
  const open = async (path: string, name: string): Promise<Source> => {
    const source = await openWithinLimits(path, options);
    refuseSheetOfText(name, source.info, options);
    onInfo(source.info);
    return source;
  };
  if (typeof file === 'string') {
    // A path, whatever it is: standard input is given as a stream.
    const inputs = await takeInputs([file === '-' ? './-' : file]);
    try {
      for (const { path } of inputs.files) yield* (await open(path, file)).batches();
    } catch (error) {
      throw error instanceof InputError ? named(file, error) : error;
    } finally {
      await inputs.release();
    }
    return;
  }
  const folder = await temporaryFolder();
  try {
    yield* (await open(await spoolStandardInput(file, folder.path), 'standard input')).batches();
  } catch (error) {
    throw error instanceof InputError ? named('standard input', error) : error;
  } finally {
    await folder.remove();
  }
}

/** The person never saw the file that standard input was copied to, or the link to one. */
const named = (file: string, { code, reason, place, cause }: InputError): InputError =>
  new InputError(code, reason, { ...place, file }, { cause });
