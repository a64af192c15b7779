import { codeOf, InputError } from '../../core/errors.js';
import { readSmallFile } from '../../files/regular-file.js';
import { HolidayError, type Holidays, parseHolidays } from './holidays.js';

/** A calendar of holidays; more than this is something else. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Holidays as they were read. */
export interface ReadHolidays {
  readonly holidays: Holidays;
  readonly text: string;
}

/**
 * Reads a calendar of holidays.
 * @throws InputError where it cannot be read or understood
 */
export async function readHolidays(file: string): Promise<ReadHolidays> {
  try {
    const text = new TextDecoder('utf-8').decode(await readSmallFile(file, MAX_BYTES));
    return { holidays: parseHolidays(text), text };
  } catch (error) {
    if (error instanceof HolidayError) {
      const row = error.line === null ? {} : { row: error.line };
      throw new InputError('no_holidays', error.reason, { file, ...row }, { cause: error });
    }
    const code = codeOf(error);
    if (code === '' || code.startsWith('ERR_')) throw error;
    throw new InputError(
      'not_readable',
      `the file cannot be read (${code}).`,
      { file },
      {
        cause: error,
      },
    );
  }
}
