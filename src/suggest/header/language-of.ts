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
  return languagesOf(headers, '')[0] ?? 'en';
}

/** Languages that the columns are named in, and those whose letters a text has, the most frequent first. */
export function languagesOf(headers: readonly string[], text: string): Language[] {
  const votes = new Map<Language, number>(LANGUAGES.map((language) => [language, 0]));
  const vote = (language: Language, weight: number): void => {
    votes.set(language, (votes.get(language) ?? 0) + weight);
  };
  for (const header of headers) {
    const [best] = recognise(header).meanings;
    const languages = best ? best.languages : new Set<Language>();
    for (const language of languages) vote(language, 1 / Math.sqrt(languages.size));
    const byLetters = LETTERS.find(([letters]) => letters.test(header))?.[1];
    if (byLetters) vote(byLetters, 0.5);
  }
  const ofText = LETTERS.find(([letters]) => letters.test(text))?.[1];
  if (ofText) vote(ofText, 0.5);
  const known = [...votes].filter(([, weight]) => weight > 0);
  return known.sort((a, b) => b[1] - a[1]).map(([language]) => language);
}
