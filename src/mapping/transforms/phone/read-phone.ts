import type { CountryCode } from 'libphonenumber-js/core';
import {
  parsePhone,
  phoneMetadata,
  planOf,
  plansOf,
  validFor,
  type NumberingPlan,
  kindOf,
  ownCode,
  LOCAL_DIGITS,
  LONG_WITHOUT_PREFIX,
} from './plans.js';
import { forbidsCalls, withoutNorway } from './forbidding.js';
import {
  COUNTED,
  EXTENSIONS,
  LABELS,
  lazily,
  NUMBERS,
  OR,
  plainSigns,
  plainWord,
  plainWords,
  setOf,
  UNITS,
  withoutHours,
  withoutTimeLimits,
  withoutTimeWords,
} from './words.js';

/**
 * Why a text is no phone that can be sent: it is none; it holds several; its words say that nobody may call; a program
 * has rounded it; or its digits are a number of the country as well as of another one.
 */
export type Refusal = 'none' | 'several' | 'forbidden' | 'rounded' | 'foreign';

/**
 * What is to be said of a number that is sent: words around it were left out, or say when nobody may call; it is not written as its numbering plan has
 * it; its digits can be two numbers; they may lack their area code; or it belongs to another country of the same calling code.
 */
export type Note = 'words' | 'hours' | 'rewritten' | 'either' | 'local' | 'elsewhere';

export type PhoneResult =
  | { readonly number: null; readonly refusal: Refusal }
  | {
      /** E.164. */
      readonly number: string;
      readonly extension: string | null;
      readonly notes: readonly Note[];
    };

/** Reads a text that may hold a phone, and nothing else of which it is not said what becomes of it. */
export function textReader(country: CountryCode | undefined): (text: string) => PhoneResult {
  const context = contextOf(country);
  return (written) => {
    const plain = withoutNorway(plainSigns(withoutLinks(written)));
    const text = IN_GROUPS.test(plain) ? plain.replace(/['_]/g, ' ') : plain;
    const found = readText(text, context);
    if (found.number !== null) return found;
    return sameInAll(text, found.refusal, context) ?? readItem(written, context) ?? found;
  };
}

/** `079'123'45'67`, `06_12_34_56_78` */
const IN_GROUPS = /^\+?\d{1,5}(['_])\d{2,4}(?:\1\d{2,4})+$/;

/**
 * What stands before an item of a list: `• 030…`, `a) 030…`, `①03…`, `- 8 (916)…`, `1/ 06…`. A dash is none before what may be
 * a negative number, nor are letters and digits that may be a part of words or of the number.
 */
const ITEM =
  /^\s*(?:[•‣⁃∙·・･◦▪●►➤➔→]|[①-⑳❶-❿➀-➓]|[*>»]\s|[-–—]\s+(?=[+(0]|\d[\d ]*[-(])|[a-hа-жα-ηア-オ]\)|[a-hа-ж]\.\s+(?=[+(0])|[1-9]\d?[-/]\s+(?=[+0])|[1-9]\d?\.-\s+)\s*(?=[+(（＋\p{Nd}])/iu;

/** The text without the sign of an item of a list; `null` where there is none. */
function readItem(written: string, context: Context): PhoneResult | null {
  const sign = ITEM.exec(written)?.[0].length ?? 0;
  if (sign === 0) return null;
  return withNote(readText(plainSigns(withoutLinks(written.slice(sign))), context), 'words');
}

/** What a page puts around a number that can be clicked. */
const LINK = /<\/?a(?:\s[^<>]*)?>/gi;
/** Links that open a chat with a number, which always has its calling code. */
const CHAT =
  /(?:https?:\/\/)?(?:(?:www\.)?wa\.me\/|(?:api|web)\.whatsapp\.com\/send\/?\?phone=|whatsapp:\/\/send\/?\?phone=)(?:\+|%2b)?(\d{7,15})(?:[/?&]\S*)?(?=$|[\s,;)\]])/gi;

function withoutLinks(text: string): string {
  if (!text.includes('/')) return text;
  const plain = text.includes('</') ? text.replace(LINK, ' ') : text;
  return /wa\.me|whatsapp/i.test(plain) ? plain.replace(CHAT, '\n+$1\n') : plain;
}

/** What divides a text that may hold the same number twice, the surest first. */
const DIVIDERS = lazily(() => [
  /[;,|\n\u060c\u061b\u3001]+/,
  new RegExp(`(?<!\\p{L})(?:${[...OR].join('|')})(?!\\p{L})|&`, 'iu'),
  /[()[\]]+|\s[/-]\s|(?=\+)/,
  /\//,
]);
/** Characters of a cell that holds one number twice, at most. */
const LONGEST_TWICE = 120;

/** A number that stands in each of several parts of a text, so that it is one alone. */
function sameInAll(text: string, refusal: Refusal, context: Context): PhoneResult | null {
  if ((refusal !== 'several' && refusal !== 'none') || text.length > LONGEST_TWICE) return null;
  if (!TWICE_DIGITS.test(text)) return null;
  for (const divider of DIVIDERS()) {
    const parts = text.split(divider).filter((part) => /[\p{L}\d]/u.test(part));
    if (parts.length < 2) continue;
    const all = parts.map((part) => readText(part.trim(), context));
    const [first] = all;
    if (first === undefined || first.number === null) continue;
    if (!all.every((each) => each.number === first.number && each.extension === null)) continue;
    return {
      ...first,
      notes: [...new Set(all.flatMap((each) => (each.number === null ? [] : each.notes)))],
    };
  }
  return null;
}
const TWICE_DIGITS = /(?:\d\D*){10}/;

function readText(signs: string, context: Context): PhoneResult {
  const listed = LISTED.exec(signs);
  if (listed === null || !mayBeListed(listed, context) || isOtherKind(signs, context))
    return readHours(signs, context);
  const found = withNote(readHours(signs.slice(listed[0].length), context), 'words');
  const [, , sign = '', first] = listed;
  // `33. 12 34 56` is one number.
  const mayBeOne = found.number === null && first === undefined && !/[)\]:]/.test(sign);
  return mayBeOne ? readHours(signs, context) : found;
}

/** Reads a text without the hours in it. */
function readHours(signs: string, context: Context): PhoneResult {
  const plain = plainWord(signs);
  const limited = withoutTimeLimits(plain);
  const timed = withoutHours(limited ?? plain);
  if (timed === null) {
    const found = readWords(limited?.trim() ?? signs, context);
    return limited === null ? found : withHours(found);
  }
  const found = readWords(
    timed.other === null ? withoutTimeWords(timed.text) : timed.text,
    context,
  );
  if (timed.other !== null) {
    const other = readWords(timed.other, context);
    if (found.number === null) return other;
    if (other.number !== null && other.number !== found.number) return refused('none');
  }
  return limited === null ? withNote(found, 'words') : withHours(found);
}

function readWords(text: string, context: Context): PhoneResult {
  const whole = wholeNumber(text);
  if (whole === null) return refused('rounded');
  if (whole !== text) return readDigits(whole, context, []);
  if (isOtherKind(text, context) || isCutOff(text, context)) return refused('none');
  const cut = cutText(context.country === 'BR' ? withoutCarrierSigns(text) : text);
  if (cut === null) return refused('none');
  const found = readParts(cut, context);
  return isAmount(text, found, context) ? refused('none') : found;
}

/** Digits behind which others may be left out, `030 12345...`: where numbers have one length, it shows whether they are. */
const isCutOff = (text: string, { plan }: Context): boolean =>
  CUT_OFF.test(text) && plan?.lengths.length !== 1;
const CUT_OFF = /\d ?\.{3,}$/;

/** The number of a list before that of the phone. */
const LISTED = /^(?:([1-9]\d?)([.)\]:]{1,2})\s+(?=([+0(])|\d)|[([]([1-9])[)\]]\s+(?=[+0]))/;

/** Whether it is no area code of which a bracket is missing, nor a calling code. */
const mayBeListed = ([, , , first, bracketed]: RegExpExecArray, { plan }: Context): boolean =>
  bracketed === undefined
    ? first !== undefined || plan?.nationalPrefix !== '0'
    : bracketed !== plan?.callingCode && bracketed !== plan?.nationalPrefix;

const withNote = (found: PhoneResult, note: Note): PhoneResult =>
  found.number === null || found.notes.includes(note)
    ? found
    : { ...found, notes: [...found.notes, note] };

function withHours(found: PhoneResult): PhoneResult {
  if (found.number === null) return found;
  return { ...found, notes: [...found.notes.filter((note) => note !== 'words'), 'hours'] };
}

type Context = ReturnType<typeof contextOf>;

function contextOf(country: CountryCode | undefined) {
  const plan = country === undefined ? null : planOf(country);
  return {
    country,
    plan,
    own: country === undefined ? null : ownCode(country),
    /** Whether digits are a valid national number of the country. */
    isOwn: plan === null ? () => false : validFor(plan),
  };
}

const refused = (refusal: Refusal): PhoneResult => ({ number: null, refusal });

/**
 * The digits of a whole number that a program wrote with a decimal point or an exponent; the text as it is for anything
 * else; `null` where there is a fraction, or where digits were lost.
 */
export function wholeNumber(text: string): string | null {
  const power = /^(\+?\d)(?:[.,](\d+))?[eE]\+?(\d{1,2})$/.exec(text);
  if (power) {
    const [, first = '', fraction = '', exponent = ''] = power;
    const missing = Number(exponent) - fraction.length;
    return missing === 0 ? first + fraction : null;
  }
  const decimal = /^(\+?\d{5,})[.,](\d{1,3})$/.exec(text);
  if (!decimal) return text;
  const [, whole = '', fraction = ''] = decimal;
  if (whole.startsWith('0')) return fraction.length > 2 ? text : null;
  return /^0{1,2}$/.test(fraction) ? whole : null;
}

const DATES = [
  /^\d{1,2}([./-]) ?(\d{1,2})\1 ?((?:1[3-9]|2[0-6])\d\d)\.?(?:[T ,].*)?$/,
  /^(?:1[3-9]|2[0-6])\d\d([./-]) ?(\d{1,2})\1 ?\d{1,2}\.?(?:[T ,].*)?$/,
];
const SHORT_DATE = /^(\d{1,2})([./-])(\d{1,2})\2\d\d(?: .*)?$/;
const ADDRESS = /^(?!0)(?:(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])(?:\.(?!$)|$)){4}$/;
const GROUPED_ADDRESS = /^\d{2,3}\.\d{2,3}\.\d{2}\.\d{2}$/;
const THOUSANDS = /^[1-9]\d{0,2}(?:\.\d{3})+$/;

/** Dates, amounts, network addresses and negative numbers: their digits may happen to be those of a number. */
function isOtherKind(text: string, { plan }: Context): boolean {
  if (/^-|\p{Sc}|%/u.test(text) || /^(?:19|20)\d\d$/.test(text)) return true;
  if (DATES.some((date) => date.test(text))) return true;
  const hasPrefix = plan !== null && plan.nationalPrefix !== null;
  const short = SHORT_DATE.exec(text);
  if (short && (hasPrefix || plan?.lengths.includes(6) !== true)) {
    const [one, other] = [Number(short[1]), Number(short[3])];
    if (Math.min(one, other) <= 12 && Math.max(one, other) <= 31) return true;
  }
  return ADDRESS.test(text) && (hasPrefix || !GROUPED_ADDRESS.test(text));
}

/** In Brazil two letters stand for the digits of a carrier of one's choice: `0xx11`. */
const withoutCarrierSigns = (text: string): string =>
  text.replace(/^(\(?\s*0?)\s*x{2}(?=[\s)-]*\d)/i, '$1');

/** Points between thousands, where numbers begin with a zero that is not there; mobile numbers have none everywhere. */
const isAmount = (text: string, { number }: PhoneResult, { plan }: Context): boolean =>
  number !== null &&
  plan !== null &&
  plan.nationalPrefix !== null &&
  THOUSANDS.test(text) &&
  kindOf(number) !== 'mobile';

type Cut = NonNullable<ReturnType<typeof cutText>>;

const BODY = /^[+\d ()[\].\-/]+/;

/** Words with a few digits before a whole number: `Raum 5 +49…`, `after 18:00 +49…`. */
const WORDS_FIRST =
  /^(?=[^+]*\p{L}{3})(?:[^+\d]|(?<!\d)\d{1,2}(?!\d))*(?<=[\s:(])\+(?=\d(?:[ ().\-/]*\d){6})/u;

function firstDigit(text: string): number {
  const first = text.search(/[+\d]/);
  if (first <= 0 && text.charAt(0) === '+') return first;
  const words = text.includes('+', 1) ? WORDS_FIRST.exec(text) : null;
  return words === null ? first : words[0].length - 1;
}

/** A text around the digits that stand first in it; `null` where there are none. */
function cutText(text: string) {
  const first = firstDigit(text);
  if (first < 0) return null;
  const opening = /[([{ ]*$/.exec(text.slice(0, first))?.[0].length ?? 0;
  const from = first - opening;
  const [body = ''] = BODY.exec(text.slice(from).replace('{', '(')) ?? [];
  const behind = text.slice(from + body.length);
  return {
    before: text.slice(0, from).trim(),
    body: body.replace(/[ ([.\-/]+$/, '').trim(),
    behind: behind.trim() === '' ? '' : behind,
    /** Whether a single digit with a point stands last in the digits, before a word: `3. Stock`. */
    isOrdinal: /\d{5} \d\. *$/.test(body) && /^\p{L}/u.test(behind),
    /** Whether a letter stands right behind the last digit, or right before the first. */
    isGlued: /^\p{L}/u.test(behind) && /\d$/.test(body),
    isGluedBefore: opening === 0 && /\p{L}$/u.test(text.slice(0, first)),
  };
}

/** Behind the digits of a number: the digits of its extension, with the word or sign before them. */
export const EXTENSION = new RegExp(
  `^[\\s,;:(.\\-]*(?:(?:${[...new Set(EXTENSIONS)].sort((a, b) => b.length - a.length).join('|')})(?!\\p{L})|#|,,)[.:=,\\s-]*(?:nr|no)?[.:\\s-]*(\\d{1,7})(?!\\d)\\)?`,
  'u',
);

function readParts(written: Cut, context: Context): PhoneResult {
  const notes: Note[] = [];
  const cut = withoutCount(written, context);
  if (cut === null || isListed(cut.body, context)) return refused('none');
  const whole = plainWord(cut.behind);
  const found = EXTENSION.exec(whole);
  const rest = found ? whole.slice(found[0].length) : whole;
  const wordsBehind = plainWords(rest);
  if (found !== null && mayBeDigit(whole, cut, found[1], context)) return refused('none');
  const isBare = cut.before === '' && rest === '';
  const behind = found ? rest : cut.behind;
  if (!isBare && forbidsCalls(`${cut.before} 00 ${behind}`)) return refused('forbidden');
  if (!mayStandBefore(cut, wordsBehind, context, notes)) return refused('none');
  const what = whatFollows(rest, wordsBehind, cut, found !== null);
  if (what === 'none') return refused('none');
  const phone = what === 'several' ? null : readDigits(cut.body, context, notes);
  if (phone === null) return refused(isLong(cut.body) ? 'several' : 'none');
  if (phone.number === null) return phone;
  const all = what === 'words' && !notes.includes('words') ? ['words' as const] : [];
  return {
    number: phone.number,
    extension: found?.[1] ?? null,
    notes: [...phone.notes, ...all],
  };
}

/** Whether a letter between digits may stand for one that is not known, and for no extension: `030 1234x678`. */
const mayBeDigit = (behind: string, { body, isGlued }: Cut, digits = '', context: Context) =>
  isGlued && /^\p{L}\d/u.test(behind) && isSure(`${body}1${digits}`, context);

/** Digits within an address of a page or of e-mail. */
const ADDRESS_BEFORE = /(?:@|:\/\/\S*)$/;

/** What people put before a number to note something. */
const SIGNS = /^[!?*()[\]\s\u2022]+$/;

/** `ok`, `ja`: so short that they would be taken for the front of an identifier. */
const YES = setOf('yes');

/** Digits at the end, in brackets or behind a blank. */
const LAST_DIGITS =
  /^(.*?)((?:[ ./-]*[([] *| [ ./-]*|[./-]+ [ ./-]*))(\d{1,5}(?:[-.:/]\d{1,5})?)[)\] ]*$/;
/** No number is longer, with the signs in it. */
const LONGEST_BODY = 60;
/** Behind digits of a number that ends there, other digits than its last are those of words. */
const ENDS = /\d{5}$/;

/**
 * Without digits in brackets that belong to the words there: `123456 (2 Personen)`. `null` where they may belong to the
 * number or to the words behind: `123456 3. Stock`, `123456 10115 Berlin`, `123456 (2019)`.
 */
function withoutCount(cut: Cut, context: Context): Cut | null {
  const { body, behind, isOrdinal } = cut;
  if (isOrdinal && behind !== '') return null;
  if (body.length > LONGEST_BODY || (behind === '' && !/\d.*[([]/.test(body))) return cut;
  const [, head = '', sign = '', digits = ''] = LAST_DIGITS.exec(body) ?? [];
  if (head === '') return cut;
  const [isNumber, mayEnd] = [isSure(head, context), ENDS.test(head)];
  const words = plainWords(behind);
  const [first = ''] = words;
  if (/[([]/.test(sign)) {
    if (!isNumber) return mayEnd && first === '' ? null : cut;
    if (first === '' || /[)\]]$/.test(body) || EXTENSION.test(plainWord(behind))) return null;
    return { ...cut, body: head, behind: `(${digits}${behind}`, isGlued: false };
  }
  if (first === '' || EXTENSION.test(plainWord(behind))) return cut;
  if (COUNTED.has(first)) return isNumber || digits.length === 1 ? null : cut;
  if (sign.includes('-') && DIALLED_EXTENSIONS.has(context.country ?? '')) return cut;
  return isNumber && mayEnd && !words.every((word) => LABELS.has(word)) ? null : cut;
}

/** Whether digits are a number that is written as it should be. */
function isSure(digits: string, context: Context): boolean {
  const found = numberOf(digits.trim(), context);
  return found !== null && found !== 'foreign' && found.notes.length === 0;
}

/** A bracket without the one before it, or digits before a national prefix: `2) 30 123456`, `2 030 123456`. */
function isListed(body: string, context: Context): boolean {
  if (/^[1-9]\d?\)/.test(body)) return true;
  const { plan } = context;
  if (plan?.nationalPrefix !== '0') return false;
  if (REWRITTEN[context.country ?? '']?.test(body.replace(/\D/g, '')) === true) return false;
  const [, digits, rest = ''] = /^[([]?([1-9]\d?)[)\].\-/ ]+(\(?0.*)$/.exec(body) ?? [];
  // `38 (067)…` of UA: the zero of the area code ends that of the country.
  const isCode = digits === plan.callingCode || `${digits ?? ''}0` === plan.callingCode;
  return digits !== undefined && !isCode && isSure(rest, context);
}

const isLong = (text: string): boolean => text.replace(/\D/g, '').length >= 5;

/** Whether what stands before the digits is their label; other words only before what is surely a phone. */
function mayStandBefore(
  { before, body, isGluedBefore }: Cut,
  behind: readonly string[],
  { plan }: Context,
  notes: Note[],
): boolean {
  if (before === '') return true;
  if (ADDRESS_BEFORE.test(before)) return false;
  const words = plainWords(before);
  if (words.length === 0) {
    if (/^(?:[\p{So}'":.\s]|\ufe0f)+$/u.test(before)) return true;
    notes.push('words');
    return body.startsWith('+') && SIGNS.test(before);
  }
  const known = words.filter((word) => LABELS.has(word));
  if (known.length > 0 && words.every((word) => LABELS.has(word) || NUMBERS.has(word)))
    return !isGluedBefore || words.every((word) => word.length > 2 || ONE_SIGN.test(word));
  if (known.length > 0 && words.every(mayStandBesideLabel)) {
    notes.push('words');
    return true;
  }
  if (isGluedBefore || /[-_#№]$/.test(before)) return false;
  // Digits alone behind `No.` may identify anything.
  if (words.every((word) => NUMBERS.has(word)))
    return behind.length > 0
      ? behind.every((word) => LABELS.has(word) || NUMBERS.has(word))
      : NUMBER_SIGN_BEFORE.test(before) && isWrittenAsPhone(body, plan);
  const isAnswer = words.every((word) => YES.has(word));
  const isLetter = LETTER_IN_BRACKETS.test(before);
  if (!isAnswer && !isLetter && !words.some((word) => word.length > 2)) return false;
  if (!isAnswer && !isLetter && !body.startsWith('+') && !/\p{Ll}|\p{Lo}/u.test(before))
    return false;
  notes.push('words');
  const digits = body.replace(/[^+\d]/g, '');
  const prefix = plan?.nationalPrefix ?? null;
  // That of North America is one that other numbers begin with as well.
  const isNational = prefix !== null && prefix !== '1' && digits.startsWith(prefix);
  return digits.length > 6 && (digits.startsWith('+') || isNational);
}

/** `Tel./Fax`, `Tel. e Fax`. */
const mayStandBesideLabel = (word: string): boolean =>
  LABELS.has(word) || NUMBERS.has(word) || FAX.has(word) || OR.has(word);
const FAX = setOf('fax');

/** `No.`, or what is nothing but "number": `no` alone may deny. */
const NUMBER_SIGN_BEFORE = /^(?!no?$)\p{L}+[ .:°º]*$/iu;

/** A plus, brackets, the zero of a call within the country, or where there is none, several groups. */
const isWrittenAsPhone = (body: string, plan: NumberingPlan | null): boolean =>
  /^[+(0]/.test(body) || (plan?.nationalPrefix !== '0' && /^\d+[ -]\d+[ -]\d/.test(body));

/** Somebody's short word for the kind of a number: `(O)`, `(g)`. With others something may be crossed out or denied. */
const LETTER_IN_BRACKETS = /^\s*[([]?\s*(?![nxх])\p{L}\s*[)\]]\s*$/iu;
/** Scripts in which one sign is a word. */
const ONE_SIGN = /\p{Lo}/u;
/** A postcode, with its town behind it. */
const POSTCODE = /^(?:\d{3,7}|\d{5}-\d{3,4}|\d{4}-\d{3}|\d{3}-\d{4}|\d{2}-\d{3}|\d{3} \d{2,3})$/;
/** Between two numbers, or between one and the last digits of another. */
const DIGITS_FIRST = /^\P{L}*\d/u;
const BETWEEN = /^\s*[;,|\n&<>~\u2022\u060c\u061b\u3001:]/u;

/** What follows the digits: nothing that matters, words, another number, or what makes it no phone. */
function whatFollows(
  rest: string,
  words: readonly string[],
  { body, isGlued }: Cut,
  hasExtension: boolean,
): 'nothing' | 'words' | 'several' | 'none' {
  const digits = rest.replace(/\D/g, '').length;
  if (words.length === 0) {
    if (digits === 0) return /[^\s)\]},;.:/|\-'"]/u.test(rest) ? 'words' : 'nothing';
    return BETWEEN.test(rest) ? 'several' : hasExtension ? 'words' : 'none';
  }
  if (digits >= 5) return 'several';
  if (words.some((word) => UNITS.has(word)) && !hasExtension) return 'none';
  if (hasExtension) return 'words';
  const [first = ''] = words;
  if (isGlued && (first.length < 3 || digits > 0)) return 'none';
  if (digits > 0 && BETWEEN.test(rest) && DIGITS_FIRST.test(rest)) return 'several';
  if (digits > 0 && OR.has(first)) return 'several';
  if (words.every((word) => LABELS.has(word))) return digits > 0 ? 'words' : 'nothing';
  if (words.every((word) => word.length === 1 && !ONE_SIGN.test(word)))
    return LETTER_IN_BRACKETS.test(rest) ? 'words' : 'none';
  return POSTCODE.test(body) ? 'none' : 'words';
}

/** Countries where the digits of an extension stand behind a hyphen, and are dialled. */
const DIALLED_EXTENSIONS: ReadonlySet<string> = new Set(['DE', 'AT']);
const AREA_DIGITS = 6;

function readDigits(body: string, context: Context, earlier: readonly Note[]): PhoneResult {
  const plus = bodyWithPlus(body);
  if (plus === null) return refused('several');
  if (plus.text.replace(/\D/g, '').length < 4) return refused('none');
  if (hasSecondTail(plus.text, context)) return refused('several');
  const found = numberOf(plus.text, context);
  if (found === null) return refused('none');
  if (found === 'foreign') return refused('foreign');
  const notes = [...earlier, ...found.notes];
  if (plus.isRewritten && !notes.includes('rewritten')) notes.push('rewritten');
  return { number: found.number, extension: null, notes };
}

/** One plus at most, at the front; `null` where another number begins within. */
function bodyWithPlus(
  body: string,
): { readonly text: string; readonly isRewritten: boolean } | null {
  const [, front = '', text = ''] = /^([+ ()[\]]*)([^]*)$/.exec(body) ?? [];
  const hasPlus = front.includes('+');
  const opening = front.replace(/[+ ]/g, '');
  const inner = text.indexOf('+');
  if (inner < 0) {
    // The plus and the zeros of a call abroad say the same.
    const zeros = hasPlus ? /^0{2,3}[ -]?(?=[1-9])/.exec(text)?.[0].length : undefined;
    if (zeros !== undefined) return { text: `+${text.slice(zeros)}`, isRewritten: true };
    return { text: (hasPlus ? '+' : '') + opening + text, isRewritten: false };
  }
  const before = text.slice(0, inner).replace(/\D/g, '');
  const isCode = Object.hasOwn(phoneMetadata().country_calling_codes, before.replace(/^00/, ''));
  const isTrunk = /^[08]$/.test(before);
  if (!isCode && !isTrunk) return null;
  const rest = bodyWithPlus(text.slice(inner));
  return rest && { text: rest.text, isRewritten: true };
}

/** `06/12/34/56/78`: so many groups are those of one number. */
const IN_PAIRS = /^[+(]*\d{1,4}\)?(?:\/\d{2,3}){3,}$/;

/** Whether the last digits belong to a second number: `12345/46`, `123456-10/11`, `123456-10-12`. */
function hasSecondTail(text: string, context: Context): boolean {
  const isNumber = (head: string): boolean => isSure(head, context);
  if (IN_PAIRS.test(text) && isNumber(text)) return false;
  const parts = text.split('/');
  for (let at = 1; at < parts.length; at++) {
    const tail = parts[at] ?? '';
    const digits = tail.replace(/\D/g, '').length;
    if (digits === 0) continue;
    const head = parts.slice(0, at).join('');
    const isShort = digits <= 2 || /^\s*-/.test(tail);
    if (!isShort && nationalDigits(head, context) <= AREA_DIGITS) continue;
    if (isNumber(head) || (isShort && !isAreaCode(head, context))) return true;
  }
  const range = /^([^]*\d)\s*-\s*(\d{1,3})\s*-\s*(\d{1,3})$/.exec(text);
  if (range) {
    const [, head = '', from = '', to = ''] = range;
    const isUp = from.length === to.length && Number(from) < Number(to);
    if (isUp && nationalDigits(head, context) >= AREA_DIGITS && isNumber(head)) return true;
  }
  const single = /^([^]*\d)\s*[-.]\s*\d$/.exec(text);
  if (!single || DIALLED_EXTENSIONS.has(context.country ?? '')) return false;
  return isNumber(single[1] ?? '');
}

/** Digits without those that say of which country a number is. */
function nationalDigits(text: string, { plan }: Context): number {
  const digits = text.replace(/[^+\d]/g, '');
  if (plan !== null && digits.startsWith(`+${plan.callingCode}`))
    return digits.length - plan.callingCode.length - 1;
  if (digits.startsWith('+')) return digits.length - 3;
  const prefix = plan?.nationalPrefix ?? '';
  return digits.length - (prefix !== '' && digits.startsWith(prefix) ? prefix.length : 0);
}

/** Whether digits before a slash are short enough for those of a country or a place. */
const isAreaCode = (text: string, context: Context): boolean =>
  nationalDigits(text, context) < AREA_DIGITS;

interface Found {
  readonly number: string;
  readonly notes: readonly Note[];
}

const SURE: readonly Note[] = [];

/** A zero in brackets is only dialled within the country, so a calling code stands before it. */
const ZERO_IN_BRACKETS = /^(\+|00)?\s*(\d{1,3})[\s.-]*[([]\s*0\s*[)\]]([^]*)$/;

function numberOf(text: string, context: Context): Found | 'foreign' | null {
  const bracketed = ZERO_IN_BRACKETS.exec(text);
  const code = bracketed?.[2] ?? '';
  if (bracketed && (bracketed[1] !== undefined || code === context.plan?.callingCode)) {
    const rest = (bracketed[3] ?? '').replace(/\D/g, '');
    const isDialled = plansOf(code)[0]?.nationalPrefix !== '0';
    const tries = isDialled ? [`+${code}0${rest}`, `+${code}${rest}`] : [`+${code}${rest}`];
    const number = tries.map((each) => valid(each, undefined)?.number).find(isThere);
    return number === undefined ? null : { number, notes: SURE };
  }
  const digits = text.replace(/[^+\d]/g, '');
  if (context.plan?.callingCode === '7' && EIGHT_APART.test(text)) {
    const number = valid(`+7${digits.slice(2)}`, undefined)?.number;
    if (number !== undefined) return { number, notes: ['rewritten'] };
  }
  if (digits.startsWith('+'))
    return withoutCode(text, digits, context) ?? international(digits, context);
  return context.country === undefined ? null : national(text, digits, context);
}

/** A plus before digits that stand apart and are no calling code: `+151 23456789` of DE is no number of Texas. */
function withoutCode(text: string, digits: string, { country, plan }: Context): Found | null {
  const first = /^\+(\d{2,3})(?=\D+\d)/.exec(text)?.[1];
  if (first === undefined || plan === null || plansOf(first).length > 0) return null;
  const number = valid(digits.slice(1), country)?.number;
  const isOther =
    number !== undefined && number !== digits && number.startsWith(`+${plan.callingCode}`);
  return isOther && kindOf(number) === 'mobile' ? { number, notes: ['rewritten'] } : null;
}

/** The eight of calls within Russia, with a plus: `+8 (495) 123-45-67` is no number of Vietnam. */
const EIGHT_APART = /^\+8[ (-]+\d{3}[ )-]/;

const isThere = (text: string | undefined): text is string => text !== undefined;

function valid(digits: string, country: CountryCode | undefined): ReturnType<typeof parsePhone> {
  const number = parsePhone(digits, country);
  return number?.isValid() === true ? number : undefined;
}

function international(digits: string, { own, plan }: Context): Found | null {
  const number = valid(digits, undefined)?.number;
  if (number === undefined) {
    const other = [
      digits.replace(OLD_MEXICO, '52$1').replace(EIGHT_OF_RUSSIA, '7$1'),
      withoutSecondCode(digits),
      withoutHabit(digits),
    ]
      .filter(isThere)
      .map((each) => (each === digits ? undefined : valid(`+${each}`, undefined)?.number))
      .find(isThere);
    return other === undefined ? null : { number: other, notes: ['rewritten'] };
  }
  // Numbers of North America have as many digits with their prefix, the calling code, as without it.
  if (number.length < digits.length && digits.startsWith('+11'))
    return { number, notes: ['rewritten'] };
  if (own === null || plan === null || !number.startsWith(`+${plan.callingCode}`))
    return { number, notes: SURE };
  const chosen = own.choose(digits, number);
  return { number: chosen.number, notes: chosen.is === 'sure' ? SURE : ['rewritten'] };
}

/** Mobile numbers of Mexico until 2019: a one stood behind the calling code. */
const OLD_MEXICO = /^\+521(\d{10})$/;
/** Mobile numbers of Russia with the eight of calls within it: no country has the code 89. */
const EIGHT_OF_RUSSIA = /^\+8(9\d{9})$/;

/** Digits whose calling code stands twice, with or without the zeros of a call abroad between; with one of them. */
function withoutSecondCode(digits: string): string | undefined {
  const codes = phoneMetadata().country_calling_codes;
  const code = [1, 2, 3].map((length) => digits.slice(1, 1 + length)).find((each) => each in codes);
  if (code === undefined) return undefined;
  const behind = digits.slice(1 + code.length).replace(/^00/, '');
  return behind.startsWith(code) ? behind : undefined;
}

/** Digits without a zero behind a calling code, where calls within the country have none: `+39 0347…`. */
function withoutHabit(digits: string): string | undefined {
  const [, code = '', rest = ''] = /^\+(\d{1,3}?)0([1-9]\d+)$/.exec(digits) ?? [];
  return plansOf(code)[0]?.nationalPrefix === null ? code + rest : undefined;
}

function national(text: string, digits: string, context: Context): Found | 'foreign' | null {
  const { country, plan } = context;
  const byPlan = valid(digits, country);
  if (digits.startsWith('00')) {
    const abroad = international(digits.replace(/^0+/, '+'), context);
    if (abroad !== null)
      return byPlan?.number === abroad.number ? abroad : { ...abroad, notes: ['rewritten'] };
  }
  if (byPlan === undefined || plan === null) return rewritten(digits, context);
  const code = plan.callingCode;
  if (byPlan.countryCallingCode !== code) return { number: byPlan.number, notes: SURE };
  const ofCountry = byPlan.nationalNumber;
  const isOwn = context.isOwn(ofCountry);
  if (ofCountry === digits) {
    // Digits that stand apart as those of a call within the country, or from abroad, lack some behind them.
    const [first, second] = text.match(/\d+/g) ?? [];
    if (second !== undefined && first === plan.nationalPrefix) return null;
    if (second !== undefined && first === code && !isOwn) return null;
    if (isOwn && mayBeForeign(digits, context)) return 'foreign';
    if (mayBeLocal(text, byPlan.number, context))
      return { number: byPlan.number, notes: ['local'] };
  }
  if (!isOwn) return { number: byPlan.number, notes: ['elsewhere'] };
  const chosen = context.own?.choose(text, byPlan.number) ?? {
    number: byPlan.number,
    is: 'sure',
  };
  return { number: chosen.number, notes: chosen.is === 'sure' ? SURE : [chosen.is] };
}

/** Many digits, without a zero or a plus before them, that would be a mobile number elsewhere and a fixed one at home. */
function mayBeForeign(digits: string, { plan }: Context): boolean {
  if (digits.length < LONG_WITHOUT_PREFIX || plan === null || plan.nationalPrefix === null)
    return false;
  if (digits.startsWith(plan.callingCode)) return false;
  return kindOf(`+${plan.callingCode}${digits}`) === 'fixed' && kindOf(`+${digits}`) === 'mobile';
}

/** So few digits, without any sign between an area code and others, that may all stand behind one that is missing. */
const mayBeLocal = (text: string, number: string, { plan }: Context): boolean =>
  plan !== null &&
  plan.nationalPrefix === '0' &&
  plan.lengths.length > 3 &&
  number.length - 1 - plan.callingCode.length <= LOCAL_DIGITS &&
  !/[(/]/.test(text) &&
  kindOf(number) === 'fixed';

/** Forms that a plan does not have any more, or that are written by a wrong habit, and what they mean. */
const REWRITTEN: Readonly<Record<string, RegExp>> = {
  // Calls to other places, and to mobiles, until 2019.
  MX: /^(?:01|044|045|521)(\d{10})$/,
  // The eight of calls to other places, and the zero of the area code.
  UA: /^80(\d{9})$/,
  UZ: /^8(\d{9})$/,
};

function rewritten(digits: string, { country, plan, isOwn }: Context): Found | null {
  if (plan === null) return null;
  const code = plan.callingCode;
  const tries = [
    REWRITTEN[country ?? '']?.exec(digits)?.[1],
    // A zero of habit, or of a plan that was, where there is none.
    plan.nationalPrefix === null ? /^0([1-9]\d+)$/.exec(digits)?.[1] : undefined,
    digits.startsWith(code + code) ? digits.slice(2 * code.length) : undefined,
    digits.startsWith(`${code}0`) ? digits.slice(code.length + 1) : undefined,
  ];
  const found = tries.filter(isThere).find(isOwn);
  const number = found === undefined ? undefined : valid(`+${code}${found}`, undefined)?.number;
  return number === undefined ? null : { number, notes: ['rewritten'] };
}
