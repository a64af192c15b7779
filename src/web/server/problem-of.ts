import { codeOf, CardlineError, InputError } from '../../core/errors.js';
import type { PageProblem } from '../shared/errors.js';
import { pageWords } from './page-words.js';
import { problemOfStop } from './problem-of-stop.js';
import { brokenOff, Refusal } from './refusal.js';

/** What is answered instead of what was asked for. */
interface Refused {
  readonly status: number;
  readonly problem: PageProblem;
}

const CODES: Readonly<Record<string, Refused>> = {
  ENOSPC: {
    status: 507,
    problem: {
      code: 'disk_full',
      sentence: 'The disk is full.',
      next: 'Make room and try again; what was there before is kept.',
    },
  },
  ENOENT: {
    status: 410,
    problem: {
      code: 'file_gone',
      sentence: 'The file is not there any more.',
      next: 'Choose it again.',
    },
  },
  ERR_STREAM_PREMATURE_CLOSE: brokenOff(),
  // The server ends.
  ABORT_ERR: brokenOff(),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    problem: { code: 'wrong_type', sentence: 'This route takes another kind of content.' },
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    status: 413,
    problem: { code: 'too_large_request', sentence: 'This is too much for one request.' },
  },
};

const INTERNAL: Refused = {
  status: 500,
  problem: {
    code: 'internal',
    sentence: 'This is an internal error of cardline, not of your file.',
    next: 'Nothing that was recorded is lost. Reload the page.',
  },
};

/** Any error in words. What is not known may quote a row, so that nothing of it is repeated. */
export function problemOf(error: unknown): Refused {
  if (error instanceof Refusal) return error;
  if (error instanceof InputError) return { status: 422, problem: ofInput(error) };
  if (error instanceof CardlineError) return { status: 422, problem: ofEngine(error) };
  return CODES[codeOf(error)] ?? INTERNAL;
}

function ofEngine(error: CardlineError): PageProblem {
  const problem = problemOfStop(pageWords(error.message), error);
  return problem.code === 'stopped' ? { ...problem, code: 'refused' } : problem;
}

/** What to do with a file of which the reason does not say it. */
const SAVE_AS = 'Save it as .xlsx or CSV in a spreadsheet program, and choose that.';

/** The reason and the place in the file: the person knows which file it is, and never saw the path of its copy. */
function ofInput({ code, reason, place }: InputError): PageProblem {
  const { row, line, column, sheet } = place;
  const [sentence = reason, ...next] = sentences(pageWords(reason));
  const values = Object.fromEntries(
    Object.entries({ row, line, column, sheet }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const isPlaced = line !== undefined || row !== undefined;
  return {
    ...{ code, sentence, next: next.length > 0 ? next.join(' ') : SAVE_AS, values },
    ...(isPlaced ? { place: { sheet, line, row } } : {}),
  };
}

/** A reason stands behind the name of a file elsewhere. */
export const asSentence = (reason: string): string =>
  reason.slice(0, 1).toUpperCase() + reason.slice(1);

/** What is wrong, and then what to do. */
const sentences = (reason: string): string[] => {
  const [first = '', ...rest] = reason.split(/(?<=[.?!]) (?=[A-Z"])/);
  return [asSentence(first), ...rest];
};
