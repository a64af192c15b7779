import { LANGUAGES, type Language } from '../words/language.js';
import { recognise } from './recognise.js';

/** Letters that one of the languages alone has, where words do not decide. */
const LETTERS: readonly (readonly [RegExp, Language])[] = [
  [/[әғқңөұүһі]/iu, 'kk'],
  [/[їєґ]/iu, 'uk'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Han}/u, 'zh'],
];

/** The language that most columns are named in; English where nothing shows another one. */
export function languageOf(headers: readonly string[]): Language {
  const votes = new Map<Language, number>(LANGUAGES.map((language) => [language, 0]));
  for (const header of headers) {
    const [best] = recognise(header).meanings;
    const languages = best ? best.languages : new Set<Language>();
    for (const language of languages)
      votes.set(language, (votes.get(language) ?? 0) + 1 / Math.sqrt(languages.size));
    const byLetters = LETTERS.find(([letters]) => letters.test(header))?.[1];
    if (byLetters) votes.set(byLetters, (votes.get(byLetters) ?? 0) + 0.5);
  }
  const best = [...votes].sort((a, b) => b[1] - a[1])[0];
  return best && best[1] > 0 ? best[0] : 'en';
}
