import { CALL_NOUNS, CALL_WORDS, POLITE_WORDS } from './phone-words-forbidding.js';
import { LABELS, OR, plainWord, type Words, wordsOf } from './phone-words.js';
import { among, amongWords, type IsOne, lazily, UNSPACED } from './word-forms.js';

/*
 * When nobody may call: `nicht vor 9 Uhr anrufen`, `call no later than 18`, `не звонить по выходным`. Such limits forbid no
 * calls. Only what is surely an hour or a day counts; `nach Feierabend` and `до 10 мая` do not, nor does `Sonntag`, which is a
 * name as well.
 */

/** What denies a call at that time, before it or behind. */
const NOTS: Words = {
  en: 'do not|dont|not|never|no|forbidden|prohibited',
  de: 'nicht|nie|keine|keinen|kein|verboten|untersagt|unerwunscht',
  slavic:
    'не|нельзя|запрещено|запрещены|нельга|ne|nie|nemojte|немојте|bez|без|zakaz|nevolat|nevolejte|nevolej|nevolajte|nevolaj|nezvonit|nezvonte',
  romance:
    'ne|n|pas|no|non|nunca|nao|nu|jamais|interdit|interdits|prohibido|prohibidas|vietato|vietate|proibido|proibidas',
  nl: 'niet|geen|nooit|verboden',
  nordic: 'inte|ikke|ikkje|ej|ingen|inga|aldrig|aldri|forbudt',
  finnic: 'ei|ala|alkaa|mitte|kielletty',
  baltic: 'nezvanit|nezvaniet|neskambinti|neskambinkite',
  hu: 'nem|ne|tilos',
  turkic:
    'aramayin|aramayiniz|aramasin|aramasinlar|aranmasin|aranmayacak|yasak|degil|etməyin|шалмаңыз|шалмаңыздар',
  ar: 'لا|ممنوع|عدم|بدون',
  fa: 'ممنوع|نگیرید|نزنید|نگیر',
  he: 'לא|אין|אל|אסור',
  el: 'μην|μη|δεν|όχι',
  vi: 'khong|đung',
  id: 'jangan|jgn|tidak|dilarang|tdk',
  hi: 'न|ना|मत|नही',
};
/** Of these, what denies calls by itself. */
const BANS: Words = {
  any: 'nevolat|nevolejte|nevolej|nevolajte|nevolaj|nezvonit|nezvonte|nezvanit|nezvaniet|neskambinti|neskambinkite|aramayin|aramayiniz|aramasin|aramasinlar|aranmasin|aranmayacak',
};
const BEFORE: Words = {
  en: 'before|until|till|earlier than|any earlier than',
  de: 'vor|bis|fruher als',
  fr: 'avant|plus tot que',
  es: 'antes de|abans de',
  pt: 'antes das?|antes de',
  it: 'prima delle|prima di',
  slavic: 'до|раньше|ранее|перед|раніше|преди|пре|przed|do|wczesniej niz|pred|pre|prije|drive nez',
  nl: 'voor|eerder dan',
  nordic: 'fore|før|innan|tidigare an|tidligere enn|tidligere end',
  semitic: 'قبل از|پیش از|قبل|לפני',
  others: 'inainte de|ennen|enne|pirms|pries|iki|πριν(?: από)?(?: τις)?|truoc|sebelum',
};
const AFTER: Words = {
  en: 'after|later than|any later than|past',
  de: 'nach|ab|spater als',
  fr: 'apres|plus tard que',
  es: 'despues de|mas tarde de|mas tarde que|despres de',
  pt: 'depois das?|apos as?|depois de',
  it: 'dopo le|dopo|oltre le|piu tardi delle',
  slavic:
    'после|позже|позднее|після|пізніше|след|након|po|pozniej niz|pozdeji nez|posle|poslije|nakon',
  nl: 'na|later dan',
  nordic: 'efter|etter|senare an|senere enn|senere end',
  semitic: 'بعد از|پس از|بعد|אחרי',
  others: 'dupa|jalkeen|parast|pec|μετά(?: τις)?|sau|setelah|sesudah|lewat',
};
/** Behind the hour. */
const BEHIND_HOUR: Words = {
  any: 'elott|utana?|utantol|once|evvel|sonra|jalkeen|əvvəl|дейін|кейін|से पहले|के बाद',
};
/** What languages put at the end of the hour itself: `9'dan önce`. */
const SUFFIX = '(?:[dt][ae]n|(?:ye|ya) kadar|-?(?:ға|ге|ден|дан|тан|тен))?';
/** With a second hour behind it. */
const BETWEEN: Words = {
  any: 'between|zwischen|entre|tra|miedzy|с|между|з|між|tussen|mellan|mellom|mellem|from|von|izmedju|izmedu|mezi|בין|بين|antara|tu',
};
const AND: Words = {
  any: 'and|und|et|y|e|и|до|bis|to|a|en|och|og|do|and|i|ו|و|dan|sampai|đen',
};
const AT: Words = {
  any: 'at|um|klo|kl|kella|plkst|o|las|les|le|as|h|godzina|godzinie|godzinach|godz|ora|ore|ca|about|saat|u|у|الساعة|ساعة|ساعت|השעה|שעה|τις|luc|jam|pukul|pkl|aksam|sabah|los',
};
const HOUR = String.raw`(?:0?[1-9]|1\d|2[0-4])(?:(?::|h)[0-5]\d|\.(?:00|15|30|45))?`;
const UNITS: Words = {
  any: 'am|pm|a\\.m\\.?|p\\.m\\.?|uhr|h|hs|hrs?|hours?|o ?clock|часов|часа|час|ч|годин[иа]?|утра|вечера|heures?|horas?|ore|uur|godzin[aye]?|hod(?:in[ayeou]*)?|noon|ora|orakor|de la (?:manana|tarde|noche)|da (?:manha|tarde|noite)|di (?:mattina|sera)|du (?:soir|matin)|in the (?:morning|evening|afternoon)|abends|morgens|wieczorem|rano|сати|sati|val|gio|बजे|صباحا|مساء|صبح|شب|עצ',
};
/** Between what denies and the hour, beside words for a call. */
const FILLING: Words = {
  any: 'me|us|him|her|them|this|number|on|it|any|sie|mich|uns|mehr|ihn|мне|нам|ему|ей|его|больше|lui|le|la|lo|lhe|mi|mnie|nam|mij|ons|hem|mig|meg|to|be|is|are|a|se|allowed|erlaubt|possible|saa|tohi|תתקשרו|sunati|boleh|d|de|des|telepon|telpon|hubungi|dihubungi|ditelepon|menghubungi',
};

/** Days and parts of them, in regular expressions. What is a name as well stands in forms that are none. */
const DAYS: Words = {
  en: '(?:on|at|over|during|in) (?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays|(?:public |bank )?holidays|sabbath|shabbat|nights?|mornings?|afternoons?|evenings?|lunch|lunch ?time|noon)|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends|weekdays|nights|evenings|mornings',
  de: '(?:am|an) (?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|wochenende|abend|vormittag|nachmittag|morgen|feiertag)|(?:mon|diens|donners|frei|sams|sonn|werk|feier)tags|mittwochs|sonnabends|(?:an|zu) (?:wochenenden|(?:feier|sonn|sams|werk)tagen)|morgens|vormittags|mittags|nachmittags|abends|nachts|in der (?:nacht|mittagspause|mittagszeit)|uber mittag',
  fr: '(?:les?|pendant le) (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|week[ -]?end|soir|matin|midi)s?|la nuit|en soiree|les jours feries|entre midi et deux|pendant les repas',
  es: '(?:los|el|en) (?:lunes|martes|miercoles|jueves|viernes|sabados?|domingos?|fin(?:es)? de semana|festivos|feriados)|fines de semana|domingos|sabados|(?:por|de|en) las? (?:noche|manana|tarde)s?|al mediodia|a la hora de (?:comer|la comida|la siesta)|els? (?:diumenge|dissabte)s?|els? caps? de setmana',
  pt: '(?:aos|nos|no|nas|na|as) (?:domingos?|sabados?|(?:segunda|terca|quarta|quinta|sexta)s?(?:-feiras?)?|feriados?|fi(?:m|ns|nal|nais) de semana)|domingos|sabados|a (?:noite|tarde)|de (?:noite|manha)',
  it: '(?:la|il|di|nei|nel|durante il) (?:domenica|sabato|lunedi|martedi|mercoledi|giovedi|venerdi|week[ -]?end|fine settimana|festivi|giorni festivi|sera|mattina|notte)|all ora di pranzo|a pranzo|nei festivi',
  ro: '(?:in |la )?week-?end|duminica|sambata|noaptea|seara|dimineata',
  ru: '(?:по|в|во|на) (?:понедельник(?:ам|и)?|вторник(?:ам|и)?|сред(?:у|ам|ы)|четверг(?:ам|и)?|пятниц(?:у|ам|ы)|суббот(?:у|ам|ы)|воскресень(?:е|ям|я)|выходн(?:ые|ым|ой|ых)(?: дни| дням)?|праздник(?:и|ам)|праздничные дни|будни|будням|будние дни|обед|ночное время|вечернее время|утрам|вечерам|ночам)|ночью|рано утром|утром|поздно вечером|вечером|с утра',
  uk: '(?:по|в|у|на) (?:неділ(?:ю|ях)|субот(?:у|ах)|пʼятниц(?:ю|ях)|понеділ(?:ок|ках)|вихідн(?:і|их)(?: дні)?|свята|будні|обід)|вночі|вранці|ввечері|увечері|щонеділі',
  pl: '(?:w|we) (?:niedziel[ea]|sobot[ye]|pon?iedzialk?i|piatki?|weekendy?|swieta|nocy|dni wolne)|wieczor(?:em|ami)|rano',
  cs: '(?:v|ve|o|pres|cez) (?:nedel[iu]|sobotu|patek|piatok|vikendu?|vikendech|svatcich|svatky|noci)|vecer|rano',
  south:
    'ned(?:j)?eljom|subotom|vikendom|praznicima|недељом|суботом|викендом|празницима|(?:u|у) (?:ned(?:j)?elju|subotu|недељу|суботу)|ob (?:nedeljah|sobotah|vikendih|praznikih)|v (?:nedeljo|soboto)|cez vikend|(?:в|през) (?:неделя|неделите|събота|съботите|уикенда|уикендите|почивни(?:те)? дни|празници|нощта)|вечер|сутрин',
  nl: '(?:op|in|tijdens) (?:het |de )?(?:(?:zon|maan|dins|woens|donder|vrij|zater)dag(?:en)?|weekend(?:s|en)?|avond|ochtend|middag|nacht|feestdagen)|(?:s )?(?:zondags|zaterdags|avonds|ochtends|nachts|middags)',
  nordic:
    '(?:pa|på|om|i|under) (?:(?:son|søn|lor|lør|fre|man|tis|ons|tors)dag(?:ar(?:na)?|er|e|en)?|helg(?:en|er|erna|ene)?|weekend(?:en|er)?|kvall(?:en|ar(?:na)?)|kvelden|aftenen|natten|morgonen|morgenen|helligdag(?:er|e))|(?:son|søn|lor|lør)dag(?:ar|er|e)|helger|helgdagar|weekender',
  finnic:
    '(?:sunnuntai|lauantai|perjantai|maanantai)(?:sin|na)|viikonloppu(?:isin|na)|pyhina|iltaisin|aamuisin|oisin|arkisin|puhapaeviti|laupaeviti|nadalavahetus(?:el|eti)|ohtuti',
  baltic: 'svetdienas|sestdienas|brivdienas|sekmadieniais|sestadieniais|savaitgaliais',
  hu: 'vasarnap(?:onkent|okon)?|szombat(?:on|onkent)|hetfon|kedden|szerdan|csutortokon|penteken|hetvegen(?:kent)?|unnepnap(?:on|okon)|este|reggel|delelott|delutan|ejjel|ejszaka|hetkoznap(?:onkent|okon)?',
  tr: '(?:pazar|pazartesi|cumartesi|cuma|sali|carsamba|persembe|bazar|şənbə)(?: gunu| gunleri|lari|leri)|hafta ?sonu|hafta sonlari|həftə ?sonu|tatil gunleri(?:nde)?|bayramda|geceleri|aksamlari|sabahlari|ogle arasi(?:nda)?',
  ar: '(?:في )?(?:يوم|ايام) (?:الجمعة|السبت|الاحد|العطل|العطلة)|(?:في |خلال )?عطلة نهاية الاسبوع|(?:في )?نهاية الاسبوع|ليلا|(?:في )(?:المساء|الليل|الصباح)',
  fa: '(?:روزهای|روز) (?:جمعه|تعطیل)|جمعه ?ها|تعطیلات|آخر هفته|شب ?ها',
  he: 'בשבת|בשבתות|בסופי שבוע|בסוף השבוע|בסופש|בחגים|בערב|בלילה|בבוקר|בימי (?:שישי|שבת)|ביום (?:שישי|שבת)',
  el: '(?:τις |τα )?(?:κυριακές|σαββατοκύριακα|αργίες)|το σαββατοκύριακο|το (?:βράδυ|μεσημέρι|πρωί)|τη νύχτα',
  vi: '(?:vao )?(?:ngay )?(?:chu nhat|cuoi tuan|thu bay|ban đem)|(?:vao )?buoi (?:sang|toi|trua|chieu)',
  id: '(?:pada |di )?hari (?:minggu|sabtu|libur|jumat)|(?:di )?akhir pekan|hujung minggu|malam hari',
  hi: '(?:रविवार|शनिवार|सोमवार|छुट्टी)(?: को| के दिन)?|रात (?:को|में)',
};

/** Behind another one. */
const MORE_DAYS: Words = {
  any: '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|(?:public )?holidays|evenings?|nights?|(?:mon|diens|donners|frei|sams|sonn|feier)tag(?:en|s)?|mittwoch|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|lunes|martes|miercoles|jueves|viernes|sabados?|domingos?|festivos|feriados|domenica|sabato|lunedi|venerdi|festivi|воскресень(?:е|ям|я)|суббот(?:у|ам)|праздник(?:и|ам)|праздничные|неділю|неділях|niedziel[ea]|swieta|(?:zon|maan|zater|vrij)dag(?:en)?|feestdagen|s[oø]ndag(?:ar|er)?|l[oø]rdag(?:ar|er)?|helligdager|pazar(?: gunleri| gunu|lari)?)',
};

const any = (words: Words): string => Object.values(words).map(plainWord).join('|');

function limitsOf(day: string, moreDays: string): RegExp[] {
  const [before, after, not] = [any(BEFORE), any(AFTER), any(NOTS)];
  const hour = `(?:(?:${any(AT)})\\.? ?){0,2}${HOUR}`;
  const unit = `(?: ?(?:${any(UNITS)})(?!\\p{L}))?`;
  const and = `(?: ?[,/&-] ?| (?:${any(AND)}|${[...OR].join('|')}) )`;
  const span = `(?:(?:${any(BETWEEN)}) )?${hour} ?(?:${any(UNITS)})? ?(?:${any(AND)}|-) ?${hour}`;
  const behind = `${hour}${unit}${plainWord(SUFFIX)} (?:${any(BEHIND_HOUR)})`;
  const limit = (name: string): string =>
    `(?:${name}(?:${before}) ${hour}|(?:${after}) ${hour}|${behind}|(?:${any(BETWEEN)}) ${hour} ?(?:${any(UNITS)})? ?(?:${any(AND)}|-) ${hour}|${span}(?= ?(?:${any(UNITS)}))|(?:${day})(?!\\p{L}))`;
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
const allLimits = lazily(() => limitsOf(any(DAYS), any(MORE_DAYS)));

/** Letters by which a word of the patterns may be told. */
const TELLING = 4;

/** Whether there may be words of a table of patterns: a cheap test before them. */
function mayHold(...tables: readonly Words[]): (words: readonly string[]) => boolean {
  const beginnings = lazily(() => {
    const runs = tables.flatMap(
      (table) =>
        any(table)
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
const mayHoldDay = mayHold(DAYS);
const mayHoldHour = mayHold(BEFORE, AFTER, BEHIND_HOUR, BETWEEN);
const [WORD, SPAN] = [/\p{L}+/gu, /\d ?- ?\d{1,2} ?\p{L}/u];

const holdsNot = lazily(() => new RegExp(`(?<!\\p{L})(?:${any(NOTS)})(?!\\p{L})`, 'u'));
/** An hour that is nothing else: with its unit or minutes. */
const sureHour = lazily(() => new RegExp(`\\d[:h.]\\d|\\d ?(?:${any(UNITS)})(?!\\p{L})`, 'u'));
/** Hours that hardly anybody counts calls with. */
const LATE = /(?<!\d)(?:1[2-9]|2\d)(?!\d)/;

const [isCall, isCallNoun] = [among(CALL_WORDS), among(CALL_NOUNS)];
const [isPolite, isFilling] = [amongWords(POLITE_WORDS), amongWords(FILLING)];
const [isNot, isBan] = [amongWords({ any: wordsOf(NOTS).join('|') }), amongWords(BANS)];
const [LETTER, DIGIT, NOT_BLANK] = [/\p{L}/u, /\d/, /\S+/gu];
const LAST_WORD = /\p{L}+(?= ?$)/u;
/** Where it is looked for: a search from the beginning takes minutes in a long text of many hours. */
const LONGEST_WORD = 64;

/** Units of hours at which someone is there, beside those of limits; and of scripts without blanks. */
const MORE_UNITS: Words = { any: 'stunden|stdn?|godz|timmar|timer|uri|ura|โมง|น' };
const UNSPACED_UNITS = '(?:[点點时時]|시)半?';

/** Hours of availability beside a number, of which none is a part of one: `bis 20 Uhr`, `9:00-17:00`, `24/7`. */
const hours = lazily(() => {
  const hour = `(?:00?|${HOUR})`;
  // `12 am Empfang` is no hour.
  const end = '(?!\\p{L})(?<!(?<!\\p{L})am(?= \\p{L}))\\.?';
  const sure = (group: string): string =>
    `(?:${hour} ?(?:(${group}${any(UNITS)}|${any(MORE_UNITS)})${end}|${plainWord(UNSPACED_UNITS)})|(?:0?\\d|1\\d|2[0-4])[:h][0-5]\\d(?!\\d))`;
  const to = `(?: ?[-~] ?| (?:${any(AND)}) )`;
  // Others before, and a word of one letter: `с 9 до 12 и 14-18 ч`.
  const first = `${hour}${to}${hour}(?: ?[,/&+] ?| (?:${any(AND)}) )`;
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

/** The same where there are no blanks between words: when, what is denied, and what denies it, in regular expressions. */
const UNSPACED_LIMITS: readonly (readonly [
  hour: string,
  limit: string,
  day: string,
  call: string,
  ban: string,
  between: string,
])[] = [
  [
    '(?:上午|下午|早上|晚上|中午|凌晨)?(?:(?<!\\d)\\d{1,2}(?::\\d\\d)?|[一二三四五六七八九十]{1,3})(?:点|點|时|時|:\\d\\d)(?:钟|鐘|半)?',
    '之前|以前|前|之后|之後|以后|以後|后|後',
    '(?:每)?(?:周|週|星期|礼拜|禮拜)[一二三四五六日天末]+|节假日|節假日|假日|晚上|夜间|夜間|早上|上午|中午|下午|午休',
    '打电话|打電話|致电|致電|来电|來電|拨打|撥打|电话联系|联系|聯繫|打扰|打擾|接电话|电话|電話|打',
    '(?:请|請)?(?:勿|不要|别|別|不可以?|不能|不得|禁止|谢绝|謝絕|不方便|不便)(?:再|给我|來|来)?',
    '[在于於的请請时時间間期,， ]*',
  ],
  [
    '(?:午前|午後|朝|夜)?(?<!\\d)\\d{1,2}(?:時|:\\d\\d)半?',
    'より前|以前|前|まで|以降|以後|過ぎ|すぎ|より後',
    '土日祝?日?|日祝日?|[月火水木金土日]曜日?|週末|平日|祝日|夜間|深夜|早朝|午前中|昼休み|お昼',
    '(?:お|ご)?(?:電話|架電|連絡|tel|コール)',
    '(?:を|は|も|の|に)*(?:しない(?:で(?:ください|下さい)?|こと)?|かけない(?:で(?:ください|下さい)?)?|不可|禁止|ng|(?:ご)?遠慮(?:ください|下さい|願います)?|(?:お)?控え(?:て)?(?:ください|下さい)?|お断り(?:します)?|不要|やめて(?:ください|下さい)?)',
    '[にはのへもを時間、,\\s]*',
  ],
  [
    '(?:오전|오후|저녁|아침|밤)? ?(?<!\\d)\\d{1,2}시(?: ?반| ?\\d\\d분)?',
    ' ?(?:이전|전|이후|후|까지)(?:에는|에|은)?',
    '(?:월|화|수|목|금|토|일)요일|주말|평일|공휴일|휴일|야간|저녁|아침|점심시간',
    '전화|연락|통화',
    '(?:를|는|은|도)? ?(?:금지|불가|사절|하지 ?마(?:세요|십시오|시오)?|하지 ?말아 ?주세요|삼가(?: ?주세요| ?바랍니다)?|안 ?됨|안 ?돼요?|안 ?받음)',
    '(?:에는|에|은|는|이나|,| )*',
  ],
  [
    '(?:ก่อน|หลังจาก|หลัง)(?:เวลา)? ?\\d{1,2}(?!\\d)(?:[.:]\\d\\d)?(?: ?(?:น\\.?|โมง(?:เช้า|เย็น)?|นาฬิกา|ทุ่ม))?',
    '',
    '(?:ใน|ช่วง)?(?:วัน(?:เสาร์|อาทิตย์|หยุด|จันทร์)|เสาร์อาทิตย์|สุดสัปดาห์|กลางคืน|ตอนเย็น)',
    'โทร(?:หา|มา|ศัพท์)?|ติดต่อ',
    'ห้าม|อย่า|งด|ไม่ต้อง',
    ' *',
  ],
];

const unspacedLimits = lazily(() => {
  const patterns = UNSPACED_LIMITS.flatMap((row) => {
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
