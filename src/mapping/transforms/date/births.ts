import type { Path } from '../../../config/path.js';

/** How a date of birth is called, in columns and in fields of a card. */
const BIRTH =
  /birth|\bdob\b|\bb ?day\b|\bborn\b|рожд|народж|д\.? ?р\.?$|родил|туған|туылған|geburt|\bgeb\b|geboren|geboorte|naissance|\bné e? ?le\b|nacim|\bnac\b|cumplea|nascim|\bnasc\b|anivers|nascita|compleanno|urodz|doğum|dogum|ميلاد|ولادة|تولد|לידה|הולדת|出生|生日|生年月日|誕生|생년월일|생일|วันเกิด|\bsinh\b|जन्म|födel|fødsel|fodsel|syntym|naroz|narod|születés|naștere|nastere|rojstva|rođenja|rodjenja|γέννησ|lahir|dzimšanas|gimimo|sünni/iu;

/** Whether a value is a date of birth, by the name of its column or of the field of the card that it goes to. */
export function isOfBirth(label: string | null, path: Path): boolean {
  const field = path[0] === 'client' && path[1] === 'fields' ? String(path[2] ?? '') : '';
  return [label ?? '', field].some((name) => BIRTH.test(wordsIn(name)));
}

/** `birthDate` and `birth_date` as words. */
const wordsIn = (name: string): string =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim();
