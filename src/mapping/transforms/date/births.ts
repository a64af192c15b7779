import type { Path } from '../../../config/path.js';

/** How a date of birth is called, in columns and in fields of a card. */
const BIRTH =
  /birth|\bdob\b|\bb ?day\b|\bborn\b|рожд|народж|д\.? ?р\.?$|родил|туған|туылған|geburt|\bgeb\b|geboren|geboorte|naissance|\bné e? ?le\b|nacim|\bnac\b|cumplea|nascim|\bnasc\b|\bdata de anivers[aá]rio$|nascita|compleanno|urodz|doğum|dogum|ميلاد|ولادة|تولد|לידה|הולדת|出生|生日|生年月日|誕生|생년월일|생일|วันเกิด|\bsinh\b|जन्म|födel|fødsel|fodsel|syntym|naroz|narod|születés|naștere|nastere|rojstva|rođenja|rodjenja|γέννησ|lahir|dzimšanas|gimimo|sünni/iu;

/** What happens on a birthday, or the next one: a day that may be yet to come. */
const TO_COME =
  /\b(?:next|upcoming|coming|call|calls|callback|appointment|meeting|remind\w*|greet\w*|congrat\w*|party|gift|cita|sonraki)\b|n(?:ä|ae)chst|kommend|anruf|termin|erinner|gl(?:ü|ue)ckwunsch|gru(?:ß|ss)|следующ|ближайш|предстоящ|звон|напомин|поздрав|встреч|наступн|дзвін|привітан|нагад|келесі|қоңырау|pr[oó]xim|llamad|recordatori|felicit|liga[cç]|chamad|lembrete|parab[eé]ns|prochain|appel|rendez|rappel|prossim|chiamat|appuntament|auguri|nast[eę]pn|dzwon|spotkan|[zż]ycze|\barama|randevu|hat[iı]rlat|volgend|gesprek|下次|次回|次の|电话|電話|来电|通話|القادم|اتصال|הבא|שיחה/iu;

/** Whether a value is a date of birth, by the name of its column or of the field of the card that it goes to. */
export function isOfBirth(label: string | null, path: Path): boolean {
  const field = path[0] === 'client' && path[1] === 'fields' ? String(path[2] ?? '') : '';
  return [label ?? '', field].map(wordsIn).some((name) => BIRTH.test(name) && !TO_COME.test(name));
}

/** `birthDate` and `birth_date` as words. */
const wordsIn = (name: string): string =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim();
