import { CALL_NOUNS, CALL_WORDS, POLITE_WORDS } from './phone-words-forbidding.js';
import { plainWord, wordsOf, type Words } from './phone-words.js';
import { among, amongWords, type IsOne, lazily } from './word-forms.js';

/*
 * Hours at which nobody may call: `nicht vor 9 Uhr anrufen`, `call no later than 18`. They limit calls, and forbid none.
 * Only what is surely an hour counts; `nach Feierabend` and `до 10 мая` do not.
 */

const NOTS: Words = {
  any: 'do not|dont|not|never|no|nicht|nie|keine|kein|не|нельзя|ne|n|pas|non|nunca|nao|niet|geen|inte|ikke|ej|ingen|inga|nem|ei|nu|bez|без',
};
const BEFORE: Words = {
  en: 'before|until|till|earlier than|any earlier than',
  de: 'vor|bis|fruher als',
  fr: 'avant|plus tot que',
  es: 'antes de',
  pt: 'antes das?|antes de',
  it: 'prima delle|prima di',
  slavic: 'до|раньше|ранее|перед|раніше|przed|do|wczesniej niz|pred|drive nez',
  nl: 'voor|eerder dan',
  nordic: 'fore|før|innan|tidigare an|tidligere enn|tidligere end',
  others: 'inainte de|ennen',
};
const AFTER: Words = {
  en: 'after|later than|any later than|past',
  de: 'nach|ab|spater als',
  fr: 'apres|plus tard que',
  es: 'despues de|mas tarde de|mas tarde que',
  pt: 'depois das?|apos as?|depois de',
  it: 'dopo le|dopo|oltre le|piu tardi delle',
  slavic: 'после|позже|позднее|після|пізніше|po|pozniej niz|pozdeji nez',
  nl: 'na|later dan',
  nordic: 'efter|etter|senare an|senere enn|senere end',
  others: 'dupa|jalkeen',
};
/** With a second hour behind it. */
const BETWEEN: Words = {
  any: 'between|zwischen|entre|tra|miedzy|с|между|з|tussen|mellan|mellom|mellem|from|von',
};
const AND: Words = { any: 'and|und|et|y|e|и|до|bis|to|a|en|och|og' };
const AT: Words = {
  any: 'at|um|klo|kl|o|las|les|le|as|h|godzina|godzinie|godzinach|godz|ora|ore|ca|about',
};
const HOUR = String.raw`(?:0?[1-9]|1\d|2[0-4])(?:(?::|h)[0-5]\d|:[0-5]\d)?`;
const UNITS: Words = {
  any: 'am|pm|a\\.m\\.?|p\\.m\\.?|uhr|h|hs|hrs?|hours?|o ?clock|часов|часа|час|ч|годин|утра|вечера|heures?|horas?|ore|uur|godzin[aye]?|hod|noon',
};
/** Between what denies and the hour, beside words for a call. */
const FILLING: Words = {
  any: 'me|us|him|her|them|this|number|on|it|any|sie|mich|uns|mehr|ihn|мне|нам|ему|ей|его|больше|lui|le|la|lo|lhe|mi|mnie|nam|mij|ons|hem|mig|meg|to|be|is|are|a|se|allowed|erlaubt|possible',
};

const any = (words: Words): string => Object.values(words).map(plainWord).join('|');
const limits = lazily(() => {
  const [before, after] = [any(BEFORE), any(AFTER)];
  const at = `(?:(?:${any(AT)})\\.? ?)?`;
  const hour = `${at}${HOUR}`;
  const unit = `(?: ?(?<unit>${any(UNITS)})(?!\\p{L}))?`;
  const span = `(?:${any(BETWEEN)}) ${hour} ?(?:${any(UNITS)})? ?(?:${any(AND)}|-) ${hour}`;
  const limit = `(?:(?:(?<before>${before})|${after}) ${hour}|${span})`;
  // A word behind it is looked at: it may be that of a month, or of years.
  const end = `(?=\\s*(?:$|[,;!?)\\]\\n+]|\\.\\s*$|(?<next>\\p{L}+)))`;
  return [
    `(?<!\\p{L})(?:${any(NOTS)})(?<between>(?: [^\\s\\d,;.:!?]+){0,4}) ${limit}${unit}${end}`,
    `(?<!\\p{L})${limit}${unit}(?<between>(?: [^\\s\\d,;.:!?]+){0,1}) (?:${any(NOTS)})(?<end>(?= ))`,
  ].map((pattern) => new RegExp(pattern, 'gu'));
});

const [isCall, isCallNoun] = [among(CALL_WORDS), among(CALL_NOUNS)];
const [isPolite, isFilling] = [amongWords(POLITE_WORDS), amongWords(FILLING)];
const isNot = amongWords({ any: wordsOf(NOTS).join('|') });
const [LETTER, DIGIT, NOT_BLANK] = [/\p{L}/u, /\d/, /\S+/gu];

/** Plain text without such hours; `null` where there are none. */
export function withoutTimeLimits(plain: string): string | null {
  if (!LETTER.test(plain) || !DIGIT.test(plain)) return null;
  let text = plain;
  for (const limit of limits())
    text = text.replace(limit, (all: string, ...rest: unknown[]) => {
      const groups = (rest.at(-1) ?? {}) as Readonly<Record<string, string | undefined>>;
      return isLimit(groups) ? ' ' : all;
    });
  return text === plain ? null : text;
}

/** Whether nothing but calls is denied, and the digits are those of an hour: `after 3 calls` are none. */
function isLimit({
  between = '',
  unit,
  before,
  next,
  end,
}: Readonly<Record<string, string | undefined>>): boolean {
  const isPart: IsOne = (word) => isPolite(word) || isFilling(word) || isNot(word);
  const words = between.match(NOT_BLANK) ?? [];
  if (end !== undefined) return words.every(isPart);
  if (!words.every((word) => isPart(word) || isCall(word))) return false;
  if (unit !== undefined || next === undefined) return true;
  return before !== undefined && isCall(next) && !isCallNoun(next);
}
