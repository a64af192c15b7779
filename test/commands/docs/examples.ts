import { fencesOf, type Page, pages } from './pages.js';

/** A command line of a page. */
export interface Example {
  readonly line: string;
  /** Whether it is run; else its command and its options are looked up alone. */
  readonly isRun: boolean;
}

const NOT_RUN = 'sh: parsed only';
const CARDLINE = /(?:node dist\/command\/main\.js|\bcardline)(?= )/;

/** The pages that show how `cardline` is called, with these lines in order. */
export const examplesByPage = pages
  .map((page) => ({ ...page, lines: linesOf(page).filter(({ line }) => CARDLINE.test(line)) }))
  .filter(({ lines }) => lines.length > 0);

/** Command lines, joined where they are continued, and without comments. */
function linesOf(page: Page): Example[] {
  return fencesOf(page, 'sh').flatMap(({ mark, code }) =>
    code
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
      .filter((line) => line !== '')
      .map((line) => ({ line, isRun: mark !== NOT_RUN })),
  );
}

/** The words behind `cardline`, up to the end of the command or a redirection. */
export function wordsOf(line: string): string[] {
  const [, behind = ''] = line.split(CARDLINE);
  const words = behind.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? [];
  const end = words.findIndex((word) => /^[|<>]|^&&$/.test(word));
  return words
    .slice(0, end === -1 ? words.length : end)
    .map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
}
