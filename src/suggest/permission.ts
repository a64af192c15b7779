import { among, plainWords } from '../mapping/transforms/phone/words.js';
import { forbidsCalls, isBareNo } from '../mapping/transforms/phone/forbidding.js';
import { type Column, recognise } from './understand.js';
import { isDate, meaningsOfValue } from './contents.js';
import {
  concepts,
  holds as matches,
  isUnspaced,
  normalForm,
  remembering,
  wordsOf,
} from './words.js';

/*
 * Columns that say who may be called: consents, refusals, results of a dialler. What a header asks and what its cells
 * answer is found out word by word; what is not understood is asked, and never taken for the one or the other.
 */

/** What a cell says of calls; `open`: that is not known. */
type Says = 'allows' | 'forbids' | 'open';

interface Answer {
  /** Empty for cells without anything. */
  readonly text: string;
  readonly count: number;
  readonly says: Says;
}

/** One condition of `where`. */
export type Filter =
  | { readonly column: string; readonly in: readonly string[] }
  | { readonly column: string; readonly notIn: readonly string[] }
  | { readonly column: string; readonly empty: boolean };

/** What a column says of who may be called. */
export interface Permission {
  readonly column: string;
  /** `messages`: of e-mail, texts and the like, which says nothing of calls. `status`: some of its values forbid calls. */
  readonly about: 'calls' | 'messages' | 'status';
  /** The most frequent ones first, empty cells last. */
  readonly answers: readonly Answer[];
  /** Cells that hold a day in place of an answer. */
  readonly days: number;
  /** `null`: there is nothing to leave out, or which rows are to be left out cannot be known. */
  readonly filter: Filter | null;
  /** Whether some cells are not understood. */
  readonly isOpen: boolean;
}

/** From here on, a column is taken for one that says who may be called. */
const ASKED = 0.6;
/** Share of the cells from which they are days, and not answers. */
const MOSTLY = 0.8;
/** Answers to choose from. */
const MAX_CHOICES = 6;
/** Values of a list; a column with more holds texts. */
const MAX_VALUES = 30;

/** The columns of a table that say who may be called. */
export const permissionsIn = (columns: readonly Column[]): Permission[] =>
  columns.flatMap((column) => {
    const found = isAsking(column) ? permissionOf(column) : statusOf(column);
    return found ? [found] : [];
  });

function isAsking(column: Column): boolean {
  const { header, cells, meanings, isNameless } = column;
  if (isNameless || cells.filled === 0 || column.phoneShare > 0.3) return false;
  const [best] = meanings;
  if (best && best.score >= ASKED && PERMISSIONS.has(best.concept)) return true;
  // What no wording has is a question all the same, where the cells answer it or are few.
  if (cells.values.size > MAX_VALUES && cells.share('date') < MOSTLY) return false;
  const form = normalForm(header);
  const words = plainWords(form);
  const isOfConsent = words.some(isConsent) || forbidsCalls(form);
  if (isOfConsent && isChoice(column)) return true;
  const isOfCalls = (words.some(isCall) || isUnspaced(form)) && holds(form, 'allows');
  return (isOfCalls || holds(form, 'forbids')) && answersShare(column) >= MOSTLY;
}

const PERMISSIONS = concepts('consent doNotCall');

/** Longest answer that may be one of a few. */
const SHORT = 30;

const isChoice = (column: Column): boolean =>
  answersShare(column) >= MOSTLY ||
  (column.cells.values.size <= MAX_CHOICES &&
    column.cells.shareOf((text) => text.length <= SHORT) === 1);

function answersShare({ cells, header }: Column): number {
  const asks = questionOf(header);
  return cells.shareOf((text) => sayOf(text, asks) !== 'open' || isDate(text));
}

function permissionOf(column: Column): Permission | null {
  const { header } = column;
  const asks = questionOf(header);
  const areCodes = [...column.cells.values.keys()].some((text) => /^(?:[2-9]|\d{2,})$/.test(text));
  const answers = answersOf(column, (text) =>
    areCodes && /^\d+$/.test(text) ? 'open' : sayOf(text, asks),
  );
  const days = answers.reduce((sum, { text, count }) => sum + (isDate(text) ? count : 0), 0);
  const about = asks.isOfMessages ? 'messages' : 'calls';
  const isOfDays = days >= column.cells.filled * MOSTLY;
  const filled = answers.filter(({ text }) => text !== '');
  const known = { column: header, about, answers, days: isOfDays ? days : 0 } as const;
  if (isOfDays) {
    const filter = asks.yes === null ? null : { column: header, empty: asks.yes === 'forbids' };
    return { ...known, filter, isOpen: asks.yes === null };
  }
  const isOpen = filled.some(({ says }) => says === 'open');
  // Who was not asked has not refused.
  const mayBeEmpty = asks.yes !== 'allows';
  const isLeft = answers.some(
    ({ text, says }) => says !== 'allows' && !(text === '' && mayBeEmpty),
  );
  if (!isLeft) return null;
  return { ...known, filter: about === 'messages' ? null : filterOf(header, filled, asks), isOpen };
}

/** Keeps what allows calls, or leaves out what forbids them: never a filter that is empty. */
function filterOf(column: string, answers: readonly Answer[], { yes }: Question): Filter | null {
  const of = (wanted: Says): string[] =>
    answers.filter(({ says }) => says === wanted).map(({ text }) => text);
  const [allowing, forbidding] = [of('allows'), of('forbids')];
  const isDefault = yes === 'forbids' || yes === null;
  if (isDefault && forbidding.length > 0) return { column, notIn: forbidding };
  if (allowing.length > 0) return { column, in: allowing };
  return forbidding.length > 0 ? { column, notIn: forbidding } : null;
}

/** Columns of a list or of remarks in which some cells say that nobody may call. */
const STATUS = concepts('status disposition state segment tags topic comment tier');

function statusOf(column: Column): Permission | null {
  const { header, cells, meanings, isNameless, phoneShare } = column;
  const [best] = meanings;
  if (isNameless || !best || !STATUS.has(best.concept) || phoneShare > 0.3) return null;
  if (cells.share('email') > 0.3 || cells.share('date') > 0.3) return null;
  // A mere no answers what the header asks, and is nothing in a column of remarks.
  const says = (text: string): Says =>
    // Nobody answered, which forbids nothing.
    forbidsCalls(text) && !isBareNo(text) && !matches('unreached', text.trim())
      ? 'forbids'
      : 'open';
  const answers = answersOf(column, says).filter(({ text }) => text !== '');
  const forbidding = answers.filter((answer) => answer.says === 'forbids');
  if (forbidding.length === 0) return null;
  const isListed = forbidding.length <= MAX_VALUES;
  const filter = isListed ? { column: header, notIn: forbidding.map(({ text }) => text) } : null;
  const known = { column: header, about: 'status', answers: forbidding, days: 0 } as const;
  return { ...known, filter, isOpen: !isListed };
}

function answersOf(column: Column, says: (text: string) => Says): Answer[] {
  const counts = new Map<string, number>();
  for (const cell of column.texts) {
    const text = cell?.trim() ?? '';
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const answers = [...counts].map(([text, count]): Answer => ({
    ...{ text, count, says: text === '' ? 'open' : says(text) },
  }));
  const isEmpty = ({ text }: Answer): number => Number(text === '');
  return answers.sort((a, b) => isEmpty(a) - isEmpty(b) || b.count - a.count);
}

/** What the header of such a column asks. */
interface Question {
  /** What a yes says of calls; `null`: that is not known, as with `status`, or with a refusal that is denied. */
  readonly yes: 'allows' | 'forbids' | null;
  /** It is about another way to reach somebody. */
  readonly isOfMessages: boolean;
}

const [isNot, isRefusing, isApp] = [among('not'), among('refusing'), among('app')];
const [isCall, isContact, isConsent] = [among('call'), among('contact'), among('consent')];

type Word = 'forbids' | 'withdraws' | 'allows' | 'open' | 'messages' | 'granted' | 'refused';

/** Words of the table in normal form, with a blank before and behind where their script has any. */
const phrasesOf = remembering((wanted: Word): readonly string[] =>
  wordsOf('permission')
    .filter(({ of }) => of === wanted)
    .flatMap(({ words }) => words.map(normalForm).map(bounded)),
);

const bounded = (form: string): string => (isUnspaced(form) ? form : ` ${form} `);

const holds = (form: string, of: Word): boolean =>
  phrasesOf(of).some((phrase) => ` ${form} `.includes(phrase));

function questionOf(header: string): Question {
  const form = normalForm(header);
  const words = plainWords(form);
  const isOfMessages =
    (words.some(isApp) || holds(form, 'messages')) &&
    !words.some((word) => isCall(word) && !isContact(word));
  return { yes: meaningOfYes(form, words), isOfMessages };
}

function meaningOfYes(form: string, words: readonly string[]): Question['yes'] {
  const { isKnown, meanings } = recognise(form);
  const isBan = isKnown && meanings.every(({ concept }) => concept === 'doNotCall');
  const isRefused = holds(form, 'forbids') || holds(form, 'withdraws') || words.some(isRefusing);
  if (!isBan && deniesRefusal(words)) return null;
  if (holds(form, 'open') && !isRefused && !words.some(isConsent)) return null;
  if (isBan || forbidsCalls(form) || isRefused) return 'forbids';
  const isNegated = words.some(isNot);
  const isAllowing = holds(form, 'allows') || words.some(isConsent) || isKnown;
  // `Not allowed`, which no word for calls or consent stands beside.
  return !isAllowing ? null : isNegated ? 'forbids' : 'allows';
}

/** Words between what denies and what refuses, at most. */
const BETWEEN = 3;

/** Whether a refusal is denied, `not opted out`, which is no refusal; with a word for calls between, it is one. */
function deniesRefusal(words: readonly string[]): boolean {
  return words.some((word, at) => {
    if (!isNot(word)) return false;
    const behind = words.slice(at + 1, at + 1 + BETWEEN);
    const end = behind.findIndex((each) => isCall(each) || isConsent(each));
    const part = end < 0 ? behind : behind.slice(0, end);
    const text = part.join(' ');
    return (
      part.length > 0 && (part.some(isRefusing) || holds(text, 'forbids') || forbidsCalls(text))
    );
  });
}

/** An answer before what is added to it: `yes, by phone`. */
const ANSWER = /^\s*(\p{L}+)\s*[,;:(]/u;

function sayOf(text: string, { yes }: Question): Says {
  const form = normalForm(text) || text;
  const answers = meaningsOfValue(ANSWER.exec(text)?.[1] ?? text);
  const [isYes, isNo] = [answers.includes('yes'), answers.includes('no')];
  if (isYes !== isNo && yes !== null) return isYes === (yes === 'allows') ? 'allows' : 'forbids';
  if (isYes || isNo) return 'open';
  if (isDate(text)) return 'open';
  const words = plainWords(text);
  // Of a refusal it is not known what is granted.
  const isAnswer = yes === 'allows' || (yes === null && words.length > 1);
  const isRefused = holds(form, 'refused') || words.some(isRefusing);
  const mayBeOfRefusal = !isAnswer && isRefused && words.length === 1;
  if (!mayBeOfRefusal && forbidsCalls(text)) return 'forbids';
  const isGranted = holds(form, 'granted') || holds(form, 'allows');
  if (!isAnswer) return form === 'opt in' || form === 'opted in' ? 'allows' : 'open';
  const isNegated = words.some(isNot);
  if (isRefused)
    return isNegated && !phrasesOf('refused').includes(bounded(form)) ? 'open' : 'forbids';
  if (!isGranted) return 'open';
  return isNegated ? 'forbids' : 'allows';
}
