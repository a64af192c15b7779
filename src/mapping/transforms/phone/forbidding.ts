import {
  among,
  amongWords,
  byLetter,
  type Forms,
  formsOf,
  type IsOne,
  isOneOf,
  LABELS,
  lazily,
  lazyTest,
  NUMBERS,
  OR,
  plainWord,
  rowsOf,
  UNSPACED,
  withoutEntities,
  withoutNumberSigns,
  wordsOf,
  wordTable,
  withoutTimeLimits,
} from './words.js';

/*
 * Whether what stands beside a number says that nobody may call it. Words that deny, and words for a call, forbid it
 * wherever they stand; words that refuse, in the same part of the text alone, since they may be said of an offer as well.
 */

const callForms = lazily(() => formsOf('call'));
const forbiddenForms = lazily(() => formsOf('forbidden phrases'));
const isCall = lazyTest(() => isOneOf(callForms()));
const isForbidden = lazyTest(() => isOneOf(forbiddenForms()));
const [isCallNoun, isNot, isApp] = [among('call nouns'), among('not'), among('app')];
const isReached = among('reached');
const [isRefusing, isWrong] = [among('refusing'), among('wrong')];
const [isNumber, isPhone] = [among('number things'), among('phone things')];
const [isAlone, isPolite] = [amongWords('forbidden alone'), amongWords('polite')];
const [isAnswer, isRefusalFilling] = [amongWords('answers'), amongWords('refusal filling')];
const [isPart, isUnspacedPart] = [among('forbidden parts'), amongWords('forbidden unspaced')];
const isAllowed = amongWords('allowed');
const isIf = amongWords('if');
const [isBut, isWithout] = [amongWords('but'), amongWords('without')];
const isAfterwards = amongWords('afterwards');
const [isWrongName, isYes] = [amongWords('wrong names'), amongWords('yes')];
const [isLoan, isUniversal] = [amongWords('loan calls'), amongWords('universal nots')];
const [isAmbiguous, isOnly] = [amongWords('ambiguous nots'), amongWords('only')];
const [isConsent, isLack] = [among('consent'), among('consent lacks')];
const [isContact, isFilling] = [among('contact'), amongWords('other way filling')];
const [isInitials, isCompany] = [amongWords('initials'), amongWords('company')];
const [isDeath, isRelative] = [among('deaths'), among('relatives')];
const [isInviting, isInvitingBehind] = [amongWords('inviting'), amongWords('inviting behind')];
const [isNameBefore, isNoName] = [amongWords('names before'), amongWords('no names')];

/** Whether what stands beside a number says that it must not be called, or that it is the wrong one. */
export function forbidsCalls(text: string): boolean {
  const rest = withoutSigns(withoutNorway(text));
  if (rest === null) return true;
  const named = withoutNames(withoutEntities(rest));
  const written = plainWord(named.replace(AFTER, 'utana').replace(BROKEN_NOT, '$1t'));
  const limited = withoutTimeLimits(written) ?? written;
  return forbidsPlain(withoutHarmless(withoutNumberSigns(withoutFlagsOff(limited))));
}

/** The sign of Norway in brackets beside its calling code, where it is no `no`: `+47 22 12 34 56 (NO)`. */
const NORWAY =
  /(?<=(?:\+|(?<!\d)00) ?47[\d ().-]{8,20})\s*[([]NO[)\]]|[([]NO[)\]]\s*(?=(?:\+|00) ?47)/g;

export const withoutNorway = (text: string): string =>
  text.includes('NO') ? text.replace(NORWAY, ' ') : text;

function forbidsPlain(plain: string): boolean {
  const words = wordsIn(plain);
  if (words.every((word) => LABELS.has(word))) return false;
  if (isNamed(plain, words)) return false;
  if ((words.some(isAlone) && words.every(maySayNothing)) || saysNo(plain, words)) return true;
  const parts = partsOf(plain);
  // What a comma divides says two things: `no sms, only calls`.
  const divided = parts.some(invitesSurvivor)
    ? parts.filter(isOfLiving)
    : plain.split(/[,;]/).map(wordsIn);
  if (divided.map(withoutOpenOnly).some(holdsForbidden) || words.some(isCompound)) return true;
  if (isFlagOff(plain) || deniesConsent(parts) || leavesOtherWay(parts)) return true;
  if (deniesCalls(parts) || refusesCalls(parts)) return true;
  if (parts.map(withoutConditions).some(deniesUse)) return true;
  return parts.some((part) => saysWrong(part) || holdsPair(part));
}

const wordsIn = (plain: string): string[] =>
  plain.split(/[^\p{L}]+/u).filter((word) => word !== '');

/** Whether the only word is a name as well, and stands before the number without a colon, as that of its owner does. */
const isNamed = (plain: string, [first = '', ...others]: readonly string[]): boolean =>
  others.length === 0 && isNameBefore(first) && /^[^\p{L}\d]*\p{L}+\s+[+(]*\d/u.test(plain);

const maySayNothing: IsOne = (word) =>
  isAlone(word) || LABELS.has(word) || NUMBERS.has(word) || isPolite(word);

/** What divides remarks beside a number: in `Angebot: abgelehnt` a colon does not. */
const BETWEEN_REMARKS =
  /[,;|()[\]{}<>\n!/\u060c\u061b\u3001\u3002]+|\.(?=\s|$)|(?<=\s)[-\u2013\u2014]+|[-\u2013\u2014]+(?=\s)/u;

/** `no. 4` */
const NO_OF_DIGITS = /(?<!\p{L})no[ .:#]*(?=\d)/gu;

/** Whether a remark says no and nothing else, and it does not answer another way: `030… (Anna), widerrufen`, not `SMS - nein`. */
function saysNo(plain: string, words: Part): boolean {
  if (!words.some((word) => isAnswer(word) || isRefusal(word) || isAllowed(word))) return false;
  return plain
    .replace(NO_OF_DIGITS, ' ')
    .split(/\d+/)
    .some((side) => {
      const remarks = side.split(BETWEEN_REMARKS).map(wordsIn);
      return remarks.some((remark, at) => {
        if (!isNo(remark)) return false;
        const near = [remarks[at - 1] ?? [], remarks[at + 1] ?? []];
        return !near.some((each) => each.length > 0 && each.every(isApp));
      });
    });
}

const isRefusal: IsOne = (word) =>
  isPart(word) || isUnspacedPart(word) || (isRefusing(word) && !isReached(word));
const BESIDE_REFUSAL: readonly IsOne[] = [
  ...[isPolite, isYes, isCall, isRefusalFilling],
  ...[(word: string) => NUMBERS.has(word), (word: string) => LABELS.has(word) && !isApp(word)],
];
const mayStandBesideRefusal: IsOne = (word) =>
  isRefusal(word) || BESIDE_REFUSAL.some((isOne) => isOne(word));
const mayStandBesideNo: IsOne = (word) =>
  isAnswer(word) || isNot(word) || isAllowed(word) || isPolite(word);

/** Of what number it is said that it is not right. */
const isOfNumber: IsOne = (word) => NUMBERS.has(word) || (LABELS.has(word) && !isApp(word));

/** `nein`, `not ok`, `номер не верный`, `Kunde hat abgelehnt`. */
function isNo(remark: Part): boolean {
  if (remark.some(isRefusal)) return remark.every(mayStandBesideRefusal);
  if (remark.some(isAnswer) && remark.every(mayStandBesideNo)) return true;
  return (
    remark.some(isAllowed) &&
    remark.some((word) => isNot(word) && !isOfNumber(word)) &&
    remark.every((word) => mayStandBesideNo(word) || isOfNumber(word))
  );
}

/** Whether a text is a no and nothing else, which in a list of numbers stands for none. */
export function isBareNo(text: string): boolean {
  const words = wordsIn(plainWord(text));
  return words.length > 0 && words.every(isAnswer);
}

/** The field of a form with a no: `DNC: no`, `Widerspruch: nein`. */
const FLAG_OFF = lazily(
  () =>
    new RegExp(
      `(?<!\\p{L})(\\p{L}+(?:[ -]\\p{L}+){0,3})\\s*[:=?]+\\s*(?:${wordsOf('answers').join('|')}|n(?!\\s*°)|false|off|none|0(?!\\d))(?![\\s.]*\\p{L}|\\.\\s*\\d|\\p{M})`,
      'gu',
    ),
);
const MAY_BE_FLAG = /[:=?]/;

/** The text without fields that deny a ban. */
const withoutFlagsOff = (plain: string): string =>
  MAY_BE_FLAG.test(plain)
    ? plain.replace(FLAG_OFF(), (all, field: string) => (forbidsPlain(field) ? ' ' : all))
    : plain;

/** An apostrophe that was lost on the way: `don?t`. */
const BROKEN_NOT =
  /(?<!\p{L})((?:do|does|did|is|ca|wo|must|should)n)[^\p{L}\d\s]{1,2}t(?!\p{L})/giu;

const names = lazily(() => {
  const end = '(?=\\s*(?:$|[\\n,;)(+\\d]))';
  const alternatives = (group: string): string => Object.values(wordTable(group)).join('|');
  return {
    titled: new RegExp(
      `(?<!\\p{L})(?:${alternatives('titles')})\\.?\\s+(\\p{Lu}\\p{Ll}+)${end}`,
      'gu',
    ),
    labelled: new RegExp(
      `(?<!\\p{L})((?:${alternatives('name labels')})\\s*:\\s*)(\\p{Lu}\\p{Ll}*)\\s+(\\p{Lu}\\p{Ll}[\\p{L}-]*)${end}`,
      'gu',
    ),
  };
});
const NAME = /\p{Lu}\p{Ll}/u;

/** The text without names that deny where they are none: `Frau Nein`, `Contact: No Min`. */
function withoutNames(text: string): string {
  if (!NAME.test(text)) return text;
  const { titled, labelled } = names();
  return text
    .replace(titled, (all, name: string) => (isNot(plainWord(name)) ? ' ' : all))
    .replace(labelled, (all, label: string, first: string, second: string) =>
      isAmbiguous(plainWord(first)) && mayBeName(plainWord(second)) ? label : all,
    );
}

const SAYS_SOMETHING: readonly IsOne[] = [
  ...[
    isCall,
    isNot,
    isApp,
    isConsent,
    isRefusing,
    isPolite,
    isReached,
    isContact,
    isNoName,
    isOnly,
  ],
  ...[isYes, isForbidden, (word: string) => LABELS.has(word), (word: string) => NUMBERS.has(word)],
];
const mayBeName: IsOne = (word) => !SAYS_SOMETHING.some((isOne) => isOne(word));

/** Hungarian for "after", which would become Swedish for "without", and stays Hungarian so. */
const AFTER = /(?<!\p{L})ut(?:á|a\u0301)n(?!\p{L})/giu;

const harmless = lazily(() => {
  const { east = '', ...others } = wordTable('harmless phrases');
  const spaced = `(?<!\\p{L})(?:${Object.values(others).map(plainWord).join('|')})(?!\\p{L})`;
  return new RegExp(`${spaced}|${plainWord(east)}`, 'gu');
});

/** A slash before what is denied divides as a comma does: `call / no sms`. */
const SLASH = /\/(?=\s*(\p{L}+))/gu;

const OPT = /(?<!\p{L})opt[-_ ](in|out)(?!\p{L})/gu;

const withoutHarmless = (plain: string): string =>
  plain
    .replaceAll('e-mail', 'email')
    .replace(OPT, 'opt$1')
    .replace(harmless(), ' ')
    .replace(SLASH, (sign, next: string) => (isNot(next) ? ',' : sign));

/** A field of a form with its answer: `call: N`, `Callable=false`; a zero is none of `calls: 0`. */
const FLAG =
  /(?<!\p{L})(\p{L}+)((?: \p{L}+){0,2})\s*[:=?]+\s*(?:(0)(?!\d)|n(?!\s*[.°]\s*\d)|no|none|never|nope|false|off)(?![\s.]*\p{L}|\p{L})/gu;

const isFlagOff = (plain: string): boolean =>
  [...plain.matchAll(FLAG)].some(([, first = '', others = '', zero]) =>
    [first, ...wordsIn(others)].some(
      (word) => isConsent(word) || (isCall(word) && zero === undefined),
    ),
  );

const NOT_ASCII = /[^\0-\x7f]/;
const WORD = /\s*\p{L}+/uy;

/**
 * The text without signs that forbid; `null` where one does. Behind the number, such a sign before the name of another
 * way to reach someone denies that one, as a word does.
 */
function withoutSigns(text: string): string | null {
  if (!NOT_ASCII.test(text)) return text;
  const digits = text.search(/\d/);
  for (const { 0: sign, index } of text.matchAll(FORBIDDING_SIGN)) {
    WORD.lastIndex = index + sign.length;
    const [next = ''] = wordsIn(plainWord(WORD.exec(text)?.[0] ?? ''));
    if (!isApp(next) || digits < 0 || digits > index) return null;
  }
  return text.replace(FORBIDDING_SIGN, ',not ');
}

/** Whether there is a word or several that forbid by themselves. */
function holdsForbidden(words: readonly string[]): boolean {
  const areNames = words.some(isCompany);
  if (words.some((word) => isForbidden(word) && !(areNames && isInitials(word)))) return true;
  const { phrases, unspaced } = forbiddenForms();
  const spaced = `${words.join(' ')} `;
  let at = 0;
  for (const word of words) {
    if (phrases.get(word.charAt(0))?.some((phrase) => spaced.startsWith(phrase, at))) return true;
    at += word.length + 1;
  }
  return UNSPACED.test(spaced) && unspaced.some((phrase) => spaced.includes(phrase));
}

/** So few between that no text takes long. */
const pairsOf = lazily(() => {
  const pairs = rowsOf('forbidden pairs').map(
    ([, before, between, behind]) =>
      new RegExp(plainWord(`(?:${before})(?: |${between}){0,6}(?:${behind})`), 'u'),
  );
  const isUnspaced = ({ source }: RegExp): boolean => UNSPACED.test(source);
  return { unspaced: pairs.filter(isUnspaced), spaced: pairs.filter((pair) => !isUnspaced(pair)) };
});

const holdsPair = (part: Part): boolean => {
  const text = ` ${part.join(' ')} `;
  const { unspaced, spaced } = pairsOf();
  return (UNSPACED.test(text) ? unspaced : spaced).some((pair) => pair.test(text));
};

/** Words of a part that name calls beside the only other way, without `only`: `nur WhatsApp oder Anruf`. */
function withoutOpenOnly(part: Part): Part {
  if (!part.some(isOnly) || part.some(isNot)) return part;
  const named = part.filter(
    (word) => OR.has(word) || !(isFilling(word) || isPolite(word) || isOnly(word)),
  );
  const isDirect: IsOne = (word) => isCall(word) && !isContact(word);
  const isOpen = named.some((word, at) => {
    const [before = '', behind = ''] = [named[at - 1], named[at + 1]];
    return (
      OR.has(word) && ((isApp(before) && isDirect(behind)) || (isDirect(before) && isApp(behind)))
    );
  });
  return isOpen ? part.filter((word) => !isOnly(word)) : part;
}

/** Whether somebody who lives on is to be called: `husband died, call widow`. */
const invitesSurvivor = (part: Part): boolean =>
  !part.some(isNot) &&
  part.some((word, at) => {
    if (!isRelative(word)) return false;
    const near = part.slice(Math.max(0, at - FILLING), at);
    const behind = part.slice(at + 1).find((each) => !isPolite(each)) ?? '';
    return near.some(isInviting) || isInvitingBehind(behind);
  });
const isOfLiving = (part: Part): boolean => !part.some(isDeath) || part.some(isCall);

/** Fewest letters of what is found within a word: shorter ones are parts of many. */
const WITHIN = 4;
const isLong = (word: string): boolean => word.length >= WITHIN;
const allBeginnings = ({ beginnings }: Forms): string[] => [...beginnings.values()].flat();

const longOf = (forms: Forms): { readonly words: string[]; readonly beginnings: string[] } => ({
  words: [...forms.words].filter(isLong),
  beginnings: allBeginnings(forms).filter(isLong),
});

/** Words of one language that are written together: `nocall`, `незвонить`, `anrufverboten`. Names join words of two. */
function writtenTogether(language: string): string[] {
  const calls = longOf(formsOf({ of: wordTable('call')[language] ?? '' }));
  const nots = [...formsOf({ of: wordTable('not')[language] ?? '' }).words].filter(
    (not) => not !== '',
  );
  const before = nots.filter((not) => not.length > 1).join('|');
  const behind = nots.filter(isLong).join('|');
  const ends = [...calls.words.map((word) => `${word}$`), ...calls.beginnings].join('|');
  const begins = [...calls.words, ...calls.beginnings.map((each) => `${each}\\p{L}*`)].join('|');
  if (ends === '') return [];
  return [
    ...(before === '' ? [] : [`(?:${before})+(?:me|mi|nos|le|lo|te)?(?:${ends})`]),
    ...(behind === '' ? [] : [`(?:${begins})(?:${behind})$`]),
  ];
}

/** Such words, and nouns for a ban of calls: `Kontaktverbot`, `soittokielto`. */
const compounds = lazily(() => {
  const { words, beginnings } = longOf(callForms());
  const calls = ['bel', 'ring', 'ruf', 'werbe', ...words, ...beginnings].join('|');
  const bans = `(?:${calls})\\p{L}*(?:${wordsOf('compound bans').join('|')})`;
  const withCalls = wordTable('call');
  const together = Object.keys(wordTable('not')).filter((language) => language in withCalls);
  return new RegExp(`^(?:${[...together.flatMap(writtenTogether), bans].join('|')})`, 'u');
});

const isCompound: IsOne = (word) => word.length > WITHIN && compounds().test(word);

/** Words that belong together; none where the digits of the number stand. */
type Part = readonly string[];

const BETWEEN_PARTS =
  /[,;!?:()[\]{}<>|\n\u060c\u061b\u061f\u3001\u3002\u00b7\u2022]+|\.(?=\s|$)|(?<=\s)[-\u2013\u2014]+|[-\u2013\u2014]+(?=\s)/u;

const partsOf = (plain: string): Part[] =>
  plain.split(/\d+/).flatMap((text, at) => {
    const parts = text.split(BETWEEN_PARTS).flatMap((part) => dividedPart(wordsIn(part)));
    return at === 0 ? parts : [[], ...parts];
  });

/** A part ends before `but`, and before what denies what stands right behind it: `звонить без смс`. */
function dividedPart(words: readonly string[]): Part[] {
  const parts: string[][] = [];
  words.forEach((word, at) => {
    const next = words[at + 1] ?? '';
    const begins =
      (isBut(word) && next !== '' && !isPolite(next)) || (isWithout(word) && isApp(next));
    const last = parts.at(-1);
    if (last === undefined || begins) parts.push([word]);
    else last.push(word);
  });
  return parts;
}

/** Whether something is denied and a call is spoken of, and it is not only another way to reach someone that is denied. */
function deniesCalls(written: readonly Part[]): boolean {
  const calls = written.flatMap((part) => part.filter(isCall));
  if (calls.length === 0 || !written.some((part) => part.some(isNot))) return false;
  const parts = written
    .map(withoutConditions)
    .map((part) =>
      part.map((word, at) =>
        isNot(word) && !calls.some((call) => isOfOne(part, at, call)) ? NOTHING : word,
      ),
    );
  return parts.some((part, at) => part.some(isNot) && !deniesOther(parts, at));
}

/** In place of a word that denies no calls. */
const NOTHING = '-';
/** Words of a condition before what denies, at most. */
const CONDITION = 3;

/** Without what is denied in a condition, but for calls: `if not reachable, call the office`. */
function withoutConditions(part: Part): Part {
  const from = part.findIndex(isIf);
  if (from < 0) return part;
  const first = part.findIndex((word, at) => at > from && isNot(word));
  if (first < 0 || first - from - 1 > CONDITION) return part;
  if (part.slice(from, first).some(isCall)) return part;
  const length = part.slice(first).findIndex((word) => !isNot(word));
  const end = length < 0 ? part.length : first + length;
  const [next = '', second = ''] = part.slice(end);
  if (isCall(next) || (isCall(second) && !isReached(next))) return part;
  return part.map((word, at) => (at >= first && at < end ? NOTHING : word));
}

interface Language {
  readonly language: string;
  readonly isOne: IsOne;
}

const byLanguage = (group: string): (() => readonly Language[]) =>
  lazily(() =>
    Object.entries(wordTable(group)).map(([language, of]) => ({
      language,
      isOne: isOneOf(formsOf({ of })),
    })),
  );
const [callLanguages, notLanguages] = [byLanguage('call'), byLanguage('not')];
const useLanguages = byLanguage('use');

const languagesOf = (word: string, languages: readonly Language[]): string[] =>
  languages.filter(({ isOne }) => isOne(word)).map(({ language }) => language);
const families = lazily(() => wordTable('language families'));
const familyOf = (language: string): string =>
  Object.entries(families()).find(([, all]) => all.split('|').includes(language))?.[0] ?? language;

/**
 * Whether what denies at a place of a part, and a word for a call, are of one language: `im Mai anrufen` denies nothing.
 * What is a name or another word elsewhere denies in its own language alone, and a loan word for calls right beside it.
 */
function isOfOne(part: Part, at: number, call: string): boolean {
  const not = part[at] ?? '';
  const [nots, calls] = [languagesOf(not, notLanguages()), languagesOf(call, callLanguages())];
  const next = part[at + 1] ?? '';
  if (not === 'no' && isCall(next)) return true;
  if (isAmbiguous(not)) {
    if (!nots.some((language) => calls.includes(language))) return false;
    if (not === 'no' || !isLoan(call)) return true;
    return next === call || part.every((word) => isNot(word) || isPolite(word));
  }
  if (isLoan(call) || isUniversal(not)) return true;
  const families = new Set(nots.map(familyOf));
  return calls.some((language) => families.has(familyOf(language)));
}

function deniesOther(parts: readonly Part[], at: number): boolean {
  const part = parts[at] ?? [];
  if (part.some(isCall)) return false;
  const from = part.findIndex(isNot);
  if (goesOn(parts, at)) return false;
  if (part.slice(from + 1).some(isApp) || part.some(isReached)) return true;
  const [before, earlier] = [parts[at - 1] ?? [], parts.slice(0, at)];
  // `WhatsApp: no, call`; behind a word for a call both may be denied.
  const isAnswer = part.every(isNot) && before.length > 0 && before.every(isApp);
  if (!isAnswer && !part.slice(0, from).some(isApp)) return false;
  const mayBeDenied = !isAnswer && isAfterwards(part[from] ?? '') ? isCallNoun : isCall;
  return !earlier.some(
    (each, place) =>
      each.some(mayBeDenied) && !each.some(isYes) && !isYes(parts[place + 1]?.[0] ?? ''),
  );
}

/**
 * Whether the number is not to be used: `don't use`, `must not be used`, `gebruik niet`. Another way to reach someone may be
 * meant where one is named, and another word where both are not of one language.
 */
function deniesUse(part: Part): boolean {
  if (part.some(isApp)) return false;
  return part.some((word, at) => {
    if (!isNot(word)) return false;
    // Behind it, `no` may stand for "number".
    const uses = part.slice(word === 'no' ? at + 1 : Math.max(0, at - 1), at + 3);
    const families = uses.flatMap((use) => languagesOf(use, useLanguages())).map(familyOf);
    return languagesOf(word, notLanguages()).some((one) => families.includes(familyOf(one)));
  });
}

/** Whether there is no consent, to calls or to anything. */
function deniesConsent(parts: readonly Part[]): boolean {
  const isMissing: IsOne = (word) =>
    isNot(word) || isAnswer(word) || isLack(word) || isRefusing(word);
  return parts.some((part, at) => {
    if (!part.some(isConsent)) return false;
    if (part.some(isApp) && !part.some(isCall)) return false;
    if (part.some(isMissing)) return true;
    const next = parts[at + 1] ?? [];
    return next.length > 0 && next.every((word) => isMissing(word) || isPolite(word));
  });
}

/** Whether another way to reach someone is the only one: `email only`, `nur per SMS`. */
const leavesOtherWay = (parts: readonly Part[]): boolean =>
  parts.some(
    (part) =>
      part.some(isOnly) &&
      part.some(isApp) &&
      part.every(
        (word) =>
          isOnly(word) ||
          isApp(word) ||
          isContact(word) ||
          isFilling(word) ||
          isPolite(word) ||
          OR.has(word),
      ),
  );

/** Whether what is denied goes on in the next parts: `no sms, calls`, `no: sms, chat, call`; not in `no sms, call`. */
function goesOn(parts: readonly Part[], at: number): boolean {
  const end = parts.findIndex(
    (part, place) =>
      place > at &&
      (part.length === 0 ||
        isYes(part.at(-1) ?? '') ||
        !part.every((word) => isApp(word) || isCall(word) || OR.has(word))),
  );
  const listed = parts.slice(at + 1, end < 0 ? undefined : end);
  const [first = []] = listed;
  return listed.length > 1 || first.some((word) => isApp(word) || isCallNoun(word) || OR.has(word));
}

/** Whether calls are refused in one part, or in two of which one names them and the other refuses. */
function refusesCalls(parts: readonly Part[]): boolean {
  return parts.some((part, at) => {
    if (!part.some(isRefusing)) return false;
    if (part.some(isCall)) return true;
    if (!part.every((word) => isRefusing(word) || isPolite(word))) return false;
    return [parts[at - 1] ?? [], parts[at + 1] ?? []].some(
      (near) => near.some(isCall) && near.every((word) => isCall(word) || isPolite(word)),
    );
  });
}

/** Words between `wrong` and `number` at most. */
const FILLING = 3;

/** Whether a word for a number stands right before or behind one that says it is wrong: `wrong mobile number`. */
function saysWrong(part: Part): boolean {
  return part.some((word, at) => {
    if (!isWrong(word)) return false;
    const isNamed = isWrongName(word) ? isNumberWord : isThing;
    const behind = part.slice(at + 1, at + 1 + FILLING);
    const before = part.slice(Math.max(0, at - FILLING), at).reverse();
    return [behind, before].some((words) => {
      const end = words.findIndex((each) => !LABELS.has(each) && !isPolite(each));
      return words.slice(0, end < 0 ? undefined : end + 1).some(isNamed);
    });
  });
}

/** `n` and `so` are words for a number right before digits, and parts of names. */
const isNumberWord: IsOne = (word) =>
  isNumber(word) || (NUMBERS.has(word) && word !== 'n' && word !== 'so');
const isThing: IsOne = (word) => isPhone(word) || isNumberWord(word) || word === 'n';

const isMail = lazyTest(() => {
  const { words, beginnings } = longOf(callForms());
  const mails = byLetter([...wordsOf('mail'), ...beginnings]);
  return isOneOf({ words: new Set(words), beginnings: mails, phrases: new Map(), unspaced: [] });
});

/** Whether the words before an address forbid to write there. */
export function forbidsMail(text: string): boolean {
  const words = wordsIn(plainWord(text));
  if (words.length === 1 && words[0] === 'stop') return true;
  if (holdsForbidden(words)) return true;
  return words.some(isNot) && words.some(isMail);
}

/** Digits of one number, with signs between them. */
const LISTED_NUMBER = /\+?\d(?:[ ().\-/]*\d){4,}/g;
const [DIVIDES, LISTS, COMMA] = [/[;|\n]/, /[;|]/, ','];
/** Digits at the end that tell one number of a cell from another. */
const TELLING = 6;

const digitsOf = (text: string): string => text.replace(/\D/g, '');
const numbersIn = (text: string): string[] => text.match(LISTED_NUMBER) ?? [];

/**
 * Whether a ban in a cell stands for a number that was taken out of it. It stands for all numbers of the cell, unless it
 * stands behind one of several, in the same part of the text. In a list with `;`, a mere no says that there is no other number.
 */
export function isForbiddenIn(cell: string, number: string): boolean {
  const parts = cell
    .split(DIVIDES)
    .flatMap((part) => (numbersIn(part).length > 1 ? byComma(part) : part));
  const all = numbersIn(cell).length;
  const isListed = LISTS.test(cell);
  return parts.some((part, at) => {
    if (!forbidsCalls(part) || (isListed && isBareNo(part))) return false;
    const [own, ...others] = numbersIn(part);
    if (own === undefined || others.length > 0 || all < 2) return true;
    const isBefore = !forbidsCalls(part.slice(part.indexOf(own) + own.length));
    const isFirst = parts.slice(0, at).every((each) => numbersIn(each).length === 0);
    if (isBefore && isFirst) return true;
    return digitsOf(number).endsWith(digitsOf(own).slice(-TELLING));
  });
}

/** Behind the last of several with commas between, a ban may stand for all: then the text is one part. */
function byComma(text: string): string[] {
  const parts = text.split(COMMA);
  const last = parts.at(-1) ?? '';
  const isOpen = numbersIn(last).length > 0 && !/[([]/.test(last) && forbidsCalls(last);
  return isOpen ? [text] : parts;
}

/** × before or behind a number, as in Japan; between digits, and before those of an extension, it is a sign of that. */
const CROSS_ALONE = '\\u00d7(?:(?!\\s*\\d)|(?<=^\\D*))';

/** What stands behind a sign and belongs to it: colours, genders, and how it is drawn. */
const VARIANT = '[\\u200d\\ufe0e\\ufe0f\\u2640\\u2642\\u{1f3fb}-\\u{1f3ff}]*';

const FORBIDDING_SIGN = new RegExp(
  `(?:[${Object.values(wordTable('forbidding signs')).join('')}]|${CROSS_ALONE})${VARIANT}`,
  'gu',
);
