import { z } from 'zod';
import { filled } from '../../../config/document.js';
import type { Path } from '../../../config/document.js';
import { systemClock } from '../../../core/time.js';
import {
  asciiDigits,
  bareTransform,
  type TransformContext,
  InvalidValue,
  onText,
} from '../step.js';
import {
  dateByForm,
  dateLook,
  dayLook,
  EITHER_ORDER,
  isOtherOrder,
  OTHER_ORDER,
  compileDate,
  dayNumber,
  PatternError,
  type DatePattern,
  type Moment,
  type Part,
} from './dates.js';

/** Forms in which a workbook's dates arrive, whatever pattern the mapping names. */
const ISO = ['yyyy-MM-dd', "yyyy-MM-dd'T'HH:mm:ss", 'HH:mm:ss'].map(compileDate);

const options = z.strictObject({
  from: z.union([filled, z.array(filled).min(1)]).optional(),
  to: filled.default('yyyy-MM-dd'),
  past: z.boolean().optional(),
});

/** What happens on a birthday, or the next one: a day that may be yet to come. */
const TO_COME =
  /\b(?:next|upcoming|coming|call|calls|callback|appointment|meeting|remind\w*|greet\w*|congrat\w*|party|gift|cita|sonraki)\b|n(?:ä|ae)chst|kommend|anruf|termin|erinner|gl(?:ü|ue)ckwunsch|gru(?:ß|ss)|следующ|ближайш|предстоящ|звон|напомин|поздрав|встреч|наступн|дзвін|привітан|нагад|келесі|қоңырау|pr[oó]xim|llamad|recordatori|felicit|liga[cç]|chamad|lembrete|parab[eé]ns|prochain|appel|rendez|rappel|prossim|chiamat|appuntament|auguri|nast[eę]pn|dzwon|spotkan|[zż]ycze|\barama|randevu|hat[iı]rlat|volgend|gesprek|下次|次回|次の|电话|電話|来电|通話|القادم|اتصال|הבא|שיחה/iu;

/** How a date of birth is called, in columns and in fields of a card. */
const BIRTH =
  /birth|\bdob\b|\bb ?day\b|\bborn\b|рожд|народж|д\.? ?р\.?$|родил|туған|туылған|geburt|\bgeb\b|geboren|geboorte|naissance|\bné e? ?le\b|nacim|\bnac\b|cumplea|nascim|\bnasc\b|\bdata de anivers[aá]rio$|nascita|compleanno|urodz|doğum|dogum|ميلاد|ولادة|تولد|לידה|הולדת|出生|生日|生年月日|誕生|생년월일|생일|วันเกิด|\bsinh\b|जन्म|födel|fødsel|fodsel|syntym|naroz|narod|születés|naștere|nastere|rojstva|rođenja|rodjenja|γέννησ|lahir|dzimšanas|gimimo|sünni/iu;

const DAY_PARTS: readonly Part[] = ['year', 'month', 'day'];

const AMBIGUOUS_DATE = new InvalidValue(
  'ambiguous_date',
  'The patterns of the mapping read two dates here: the day or the month may come first. Leave one of them in the mapping, or write the date as yyyy-MM-dd.',
);

const IN_FUTURE = new InvalidValue(
  'date_in_future',
  'This date is yet to come, and it should lie in the past. Correct the cell.',
);

const DAY_MS = 86_400_000;

const ASCII = /^[\0-\x7f]*$/;

const YEAR = /(?<!\d)\d{4}(?!\d)/;

const wrong = new Map<string, InvalidValue>();

/** Names of eras and calendars beside a date. */
const ERAS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Japanese eras', /令和|平成|昭和|大正|明治|^[RHSTM]\d{1,2}[./年-]/],
  ['Republic of China (Minguo)', /民國|民国/],
  ['Thai Buddhist', /พ\.?\s?ศ\.?|\bB\.?E\.?$|[ก-๛]\.? ?\p{Nd}\p{Nd}$/u],
  ['Islamic (Hijri)', /هـ|ھ\.?\s?ق|\bA\.?H\.?$/],
  ['Persian', /ه\.?\s?ش|\bA\.?P\.?$/],
];

/** Years of calendars that are in use, which are none of anybody in a list in ours. */
const CALENDARS = [
  { name: 'Persian or Islamic (Hijri)', first: 1200, last: 1520 },
  { name: 'Thai Buddhist', first: 2400, last: 2700 },
  { name: 'Hebrew', first: 5600, last: 5900 },
];

export const date = bareTransform(
  options,
  () => options.parse({}),
  ({ from = [], to, past }, path, context) => {
    const names = typeof from === 'string' ? [from] : from;
    const target = datePattern(to, [...path, 'to'], context);
    const latest = (past ?? isOfBirth(context.label, path)) ? tomorrow() : Infinity;
    const patterns = names.map((name) => datePattern(name, [...path, 'from'], context, latest));
    if (target === undefined) return (value) => value;
    for (const [index, pattern] of patterns.entries()) {
      const lack = pattern && lacking(pattern, target);
      if (lack === undefined) continue;
      context.mistake(
        [...path, 'to'],
        `"${to}" shows the ${lack}, and "${names[index] ?? ''}" has none.`,
      );
    }
    const known = patterns.filter((pattern) => pattern !== undefined);
    const stored = ISO.filter((pattern) => lacking(pattern, target) === undefined);
    const wrong = new InvalidValue(
      'not_a_date',
      names.length === 0
        ? 'This is not a date that can be read in one way alone. Name its pattern in the mapping, such as from: dd.MM.yyyy, and check that the day exists.'
        : `This is not a date. Write it as ${names.join(' or ')}, and check that the day exists.`,
    );
    const byForm = names.length === 0 ? dateByForm : () => null;
    const watch = context.watch(context.label, 'date');
    return onText((text) => {
      watch.see();
      const trimmed = text.trim();
      const own = firstOf(known, trimmed);
      const moment =
        own ?? firstOf(stored, trimmed) ?? byForm(trimmed, latest) ?? inDigits(trimmed);
      if (moment === null) {
        const look = dateLook(trimmed, names);
        watch.look(look);
        if (isOtherOrder(look, names)) watch.look(OTHER_ORDER);
        return namedCalendar(trimmed) ?? wrong;
      }
      if (known.length > 0) watch.look(dayLook(own !== null, moment));
      if (known.length > 1 && own !== null) {
        const isReadOtherwise = known.some(({ read }) => {
          const other = read(trimmed);
          return other !== null && dayNumber(other) !== dayNumber(own);
        });
        if (isReadOtherwise) {
          watch.look(EITHER_ORDER);
          return AMBIGUOUS_DATE;
        }
      }
      const other = otherCalendar(moment);
      if (other !== undefined) return other;
      // 0024 is a year of two digits, and 0001 the day that some programs write for none.
      if (moment[0] < FIRST_YEAR) return wrong;
      return dayNumber(moment) > latest ? IN_FUTURE : target.write(moment);
    });

    /** The patterns once more, where the digits are those of another script. */
    function inDigits(text: string): Moment | null {
      const usual = ASCII.test(text) ? text : asciiDigits(text);
      return usual === text ? null : (firstOf(known, usual) ?? firstOf(stored, usual));
    }
  },
);

/** No date in a list is of a year before it. */
const FIRST_YEAR = 1000;

/** It may be tomorrow elsewhere already. */
function tomorrow(): number {
  const date = new Date(systemClock.now() + DAY_MS);
  return dayNumber([date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), 0, 0, 0]);
}

/** A part of the day that the result shows and the cell does not tell. A missing time is midnight. */
function lacking(from: DatePattern, to: DatePattern): Part | undefined {
  return DAY_PARTS.find((part) => to.parts.has(part) && !from.parts.has(part));
}

/** The moment by the first pattern that reads the text. */
export function firstOf(readers: readonly DatePattern[], text: string): Moment | null {
  for (const { read } of readers) {
    const moment = read(text);
    if (moment !== null) return moment;
  }
  return null;
}

/** Compiles a pattern of the mapping; adds a mistake and gives `undefined` when it is none. */
export function datePattern(
  pattern: string,
  path: Path,
  context: TransformContext,
  latest?: number,
): DatePattern | undefined {
  try {
    return compileDate(pattern, latest);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    context.mistake(
      path,
      `"${pattern}" is not a date pattern: "${error.message}" means nothing, or a part comes twice.`,
      'Use yyyy yy MM M dd d HH H mm ss, or hh h with a for AM and PM, each once; put other letters in single quotes.',
    );
    return undefined;
  }
}

/** Whether a value is a date of birth, by the name of its column or of the field of the card that it goes to. */
function isOfBirth(label: string | null, path: Path): boolean {
  const field = path[0] === 'client' && path[1] === 'fields' ? String(path[2] ?? '') : '';
  return [label ?? '', field]
    .map((name) =>
      name
        .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
        .replace(/[_-]+/g, ' ')
        .trim(),
    )
    .some((words) => BIRTH.test(words) && !TO_COME.test(words));
}

function ofCalendar(name: string): InvalidValue {
  const known = wrong.get(name);
  if (known) return known;
  const made = new InvalidValue(
    'other_calendar',
    `The year is one of another calendar: ${name}. Write the date by the Gregorian calendar.`,
  );
  wrong.set(name, made);
  return made;
}

/** Why the year of a date that was read is none of ours; `undefined` where it may be. */
function otherCalendar([year]: Moment): InvalidValue | undefined {
  if (year > 1520 && year < 2400) return undefined;
  const found = CALENDARS.find(({ first, last }) => year >= first && year <= last);
  return found && ofCalendar(found.name);
}

/** The same for a text that could not be read: a date of another calendar, in its words or with its year. */
function namedCalendar(text: string): InvalidValue | undefined {
  const era = ERAS.find(([, mark]) => mark.test(text));
  if (era) return ofCalendar(era[0]);
  const year = /^\D*\d{1,4}\D+.*\d/s.test(text) ? YEAR.exec(asciiDigits(text))?.[0] : undefined;
  return year === undefined ? undefined : otherCalendar([Number(year), 1, 1, 0, 0, 0]);
}
