import {
  among,
  amongWords,
  type IsOne,
  LABELS,
  lazily,
  OR,
  plainWord,
  rowsOf,
  UNSPACED,
  wordTable,
} from './phone-words.js';

/*
 * When nobody may call: `nicht vor 9 Uhr anrufen`, `call no later than 18`, `не звонить по выходным`. Such limits forbid no
 * calls. Only what is surely an hour or a day counts; `nach Feierabend` and `до 10 мая` do not, nor does `Sonntag`, which is a
 * name as well.
 */

/** What languages put at the end of the hour itself: `9'dan önce`. */
const SUFFIX = '(?:[dt][ae]n|(?:ye|ya) kadar|-?(?:ға|ге|ден|дан|тан|тен))?';
const HOUR = String.raw`(?:0?[1-9]|1\d|2[0-4])(?:(?::|h)[0-5]\d|\.(?:00|15|30|45))?`;

const any = (group: string): string => Object.values(wordTable(group)).map(plainWord).join('|');

function limitsOf(day: string, moreDays: string): RegExp[] {
  const [before, after, not] = [any('limit before'), any('limit after'), any('limit not')];
  const hour = `(?:(?:${any('limit at')})\\.? ?){0,2}${HOUR}`;
  const unit = `(?: ?(?:${any('limit units')})(?!\\p{L}))?`;
  const and = `(?: ?[,/&-] ?| (?:${any('limit and')}|${[...OR].join('|')}) )`;
  const span = `(?:(?:${any('limit between')}) )?${hour} ?(?:${any('limit units')})? ?(?:${any('limit and')}|-) ?${hour}`;
  const behind = `${hour}${unit}${plainWord(SUFFIX)} (?:${any('limit behind hour')})`;
  const limit = (name: string): string =>
    `(?:${name}(?:${before}) ${hour}|(?:${after}) ${hour}|${behind}|(?:${any('limit between')}) ${hour} ?(?:${any('limit units')})? ?(?:${any('limit and')}|-) ${hour}|${span}(?= ?(?:${any('limit units')}))|(?:${day})(?!\\p{L}))`;
  // Several, of which each may be denied again: `nicht vor 9 und nicht nach 18 Uhr`.
  const more = `(?:${and}(?:(?:${not}) )?${limit('')}${unit}|${and}(?:${day}|${moreDays})(?!\\p{L})){0,3}`;
  const first = `(?<limit>${limit('(?<before>)')}${unit}${more})`;
  // A word behind it is looked at: it may be that of a month, or of years.
  const end = `(?=\\s*(?:$|[,;!?)\\]\\n+]|\\.\\s*$|(?<next>\\p{L}+)))`;
  return [
    `(?<!\\p{L})(?:${not})(?<between>(?: [^\\s\\d,;.:!?()[\\]]+){0,4}?) ${first}${end}`,
    `(?<!\\p{L})${first}(?<between>(?: [^\\s\\d,;.:!?()[\\]]+){0,2}?) (?<not>${not})(?!\\p{L})(?=(?<behind>(?: [^\\s\\d,;.:!?()[\\]]+){0,3}))`,
  ].map((pattern) => new RegExp(pattern, 'gu'));
}
const NO_DAY = '(?!)';
const hourLimits = lazily(() => limitsOf(NO_DAY, NO_DAY));
const allLimits = lazily(() => limitsOf(any('limit days'), any('limit more days')));

/** Letters by which a word of the patterns may be told. */
const TELLING = 4;

/** Whether there may be words of groups of patterns: a cheap test before them. */
function mayHold(...groups: readonly string[]): (words: readonly string[]) => boolean {
  const beginnings = lazily(() => {
    const runs = groups.flatMap(
      (group) =>
        any(group)
          .replace(/\[[^\]]*\]/g, ' ')
          .match(/\p{L}+/gu) ?? [],
    );
    return new Set(runs.map((run) => run.slice(0, TELLING)));
  });
  return (words) =>
    words.some((word) =>
      [TELLING, TELLING - 1].some((length) => beginnings().has(word.slice(0, length))),
    );
}
const mayHoldDay = mayHold('limit days');
const mayHoldHour = mayHold('limit before', 'limit after', 'limit behind hour', 'limit between');
const [WORD, SPAN] = [/\p{L}+/gu, /\d ?- ?\d{1,2} ?\p{L}/u];

const holdsNot = lazily(() => new RegExp(`(?<!\\p{L})(?:${any('limit not')})(?!\\p{L})`, 'u'));
/** An hour that is nothing else: with its unit or minutes. */
const sureHour = lazily(
  () => new RegExp(`\\d[:h.]\\d|\\d ?(?:${any('limit units')})(?!\\p{L})`, 'u'),
);
/** Hours that hardly anybody counts calls with. */
const LATE = /(?<!\d)(?:1[2-9]|2\d)(?!\d)/;

const [isCall, isCallNoun] = [among('call'), among('call nouns')];
const [isPolite, isFilling] = [amongWords('polite'), amongWords('limit filling')];
const [isNot, isBan] = [amongWords('limit not'), amongWords('limit bans')];
const [LETTER, DIGIT, NOT_BLANK] = [/\p{L}/u, /\d/, /\S+/gu];
const LAST_WORD = /\p{L}+(?= ?$)/u;
/** Where it is looked for: a search from the beginning takes minutes in a long text of many hours. */
const LONGEST_WORD = 64;
const UNSPACED_UNITS = '(?:[点點时時]|시)半?';

/** Hours of availability beside a number, of which none is a part of one: `bis 20 Uhr`, `9:00-17:00`, `24/7`. */
const hours = lazily(() => {
  const hour = `(?:00?|${HOUR})`;
  // `12 am Empfang` is no hour.
  const end = '(?!\\p{L})(?<!(?<!\\p{L})am(?= \\p{L}))\\.?';
  const sure = (group: string): string =>
    `(?:${hour} ?(?:(${group}${any('limit units')}|${any('limit more units')})${end}|${plainWord(UNSPACED_UNITS)})|(?:0?\\d|1\\d|2[0-4])[:h][0-5]\\d(?!\\d))`;
  const to = `(?: ?[-~] ?| (?:${any('limit and')}) )`;
  // Others before, and a word of one letter: `с 9 до 12 и 14-18 ч`.
  const first = `${hour}${to}${hour}(?: ?[,/&+] ?| (?:${any('limit and')}) )`;
  const span = `(?<from>(?:${first})?(?:${hour}${to})?)${sure('?<unit>')}(?:${to}${sure('?:')})?`;
  return new RegExp(
    `(?<![\\d.:/-])(?:(?<!\\p{L})\\p{L} )?(?:${span}|24 ?/ ?7(?! ?/))(?!:?\\d)`,
    'gu',
  );
});
/** A cheap test for that. */
const MAY_BE_HOURS = /(?<!\d)\d{1,2}(?:[:h.]\d\d)? ?\p{L}|\d:\d|24 ?\/ ?7/u;
/** Digits right before: of a number that ends there, or that may go on. */
const [ENDED_BEFORE, DIGITS_BEFORE] = [/\d{5}[ ([{,;-]*$/, /\d[ ([{-]*$/];
const LONGEST_GAP = 16;
const EMPTY_BRACKETS = /[([{] ?[)\]}]/g;

/**
 * Plain text without hours, and where digits of them may as well be those of a number before, the text with these; `null`
 * where there are none.
 */
export function withoutHours(
  plain: string,
): { readonly text: string; readonly other: string | null } | null {
  if (!MAY_BE_HOURS.test(plain)) return null;
  const [text, other] = [false, true].map((keepsUnclear) =>
    plain.replace(hours(), (all: string, ...rest: unknown[]) => {
      const groups = (rest.at(-1) ?? {}) as Readonly<Record<string, string | undefined>>;
      if (!keepsUnclear) return ' ';
      const at = Number(rest.at(-3));
      const before = plain.slice(Math.max(0, at - LONGEST_GAP), at);
      if (!DIGITS_BEFORE.test(before) || ENDED_BEFORE.test(before)) return ' ';
      if (LABELS.has(groups['unit'] ?? '')) return all;
      return groups['from']?.includes(' ') === true ? `${groups['from']} ` : ' ';
    }),
  );
  if (text === undefined || other === undefined || text === plain) return null;
  return { text: tidy(text), other: other === text ? null : tidy(other) };
}

/** Words right before the digits of a number, from which hours were taken: `ab`, `after`, `μετά τις`, `óra után`. */
const timeWords = lazily(() => {
  const groups = ['before', 'after', 'between', 'and', 'at', 'behind hour', 'units'];
  const words = groups.map((group) => any(`limit ${group}`)).join('|');
  return new RegExp(
    `(?<![\\p{L}\\d])(?:(?:${words}|${plainWord(SUFFIX)})(?!\\p{L})['. :,;-]*)+(?=[+(\\d])`,
    'u',
  );
});

/** Plain text that hours were taken from, without the words that stood around them before the digits. */
export const withoutTimeWords = (text: string): string =>
  /^[^\p{L}]/u.test(text) ? text : text.replace(timeWords(), '');

const tidy = (text: string): string =>
  text
    .replace(EMPTY_BRACKETS, ' ')
    .replace(/^[\s,;:.-]+/, '')
    .trimEnd();

/** Plain text without such limits; `null` where there are none. */
export function withoutTimeLimits(plain: string): string | null {
  if (!LETTER.test(plain)) return null;
  let text = UNSPACED.test(plain) ? plain.replace(unspacedLimits(), ' ') : plain;
  for (const limit of limitsFor(text))
    text = text.replace(limit, (all: string, ...rest: unknown[]) => {
      const groups = (rest.at(-1) ?? {}) as Readonly<Record<string, string | undefined>>;
      const at = Number(rest.at(-3));
      const [before] = LAST_WORD.exec(text.slice(Math.max(0, at - LONGEST_WORD), at)) ?? [];
      return isLimit(groups, before) ? ' ' : all;
    });
  return text === plain ? null : text;
}

/** What may be found in a text. */
function limitsFor(text: string): readonly RegExp[] {
  if (!holdsNot().test(text)) return [];
  const words = text.match(WORD) ?? [];
  if (mayHoldDay(words)) return allLimits();
  return mayHoldHour(words) || SPAN.test(text) ? hourLimits() : [];
}

/** Whether nothing but calls is denied, and the digits are those of an hour: `after 3 calls` are none. */
function isLimit(
  {
    between = '',
    limit = '',
    before,
    next,
    not,
    behind = '',
  }: Readonly<Record<string, string | undefined>>,
  wordBefore = '',
): boolean {
  const isPart: IsOne = (word) => isPolite(word) || isFilling(word) || isNot(word);
  const words = between.match(NOT_BLANK) ?? [];
  const isDay = !DIGIT.test(limit);
  const isSure = isDay || sureHour().test(limit);
  const isLate = isSure || LATE.test(limit);
  if (!words.every((word) => isPart(word) || (isCall(word) && (isLate || not === undefined))))
    return false;
  if (not !== undefined)
    return isBan(not) || [wordBefore, ...words, ...(behind.match(NOT_BLANK) ?? [])].some(isCall);
  if (next === undefined || isPolite(next)) return true;
  if (isCall(next) && !isCallNoun(next)) return before !== undefined || isLate;
  return !isDay && isSure && !OR.has(next);
}

const unspacedLimits = lazily(() => {
  const patterns = rowsOf('limit unspaced').flatMap(([, ...row]) => {
    const [hour, limit, day, call, ban, between] = row.map(plainWord);
    const to = '(?: ?(?:到|至|から|부터|에서|[-~〜]) ?)';
    const time = `(?:${hour}(?:${limit})|${hour}${to}${hour}(?:까지|사이|まで)?|${day})`;
    const times = `${time}(?:${between}(?:和|或|と|や|및)?${between}${time}){0,2}${between}`;
    return [
      `${times}(?:${ban})(?:${call})`,
      `(?:${ban})${between}${times}(?:${call})`,
      `${times}(?:${call})(?:${ban})`,
      `(?:${ban})(?:${call})${between}${times}`,
    ];
  });
  return new RegExp(patterns.join('|'), 'gu');
});
