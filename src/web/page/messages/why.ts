import type { Target } from '../../shared/columns.js';
import { language, type Messages } from '../state/language.js';

/** Why something is suggested. */
export function whyWords(why: string, _targets: readonly Target[]): string {
  return language.value === 'en' ? why : why;
}

/** What is wrong with values, by the codes of reports. */
export const valueProblemText = {
  not_a_phone: { en: 'not a phone number', ru: 'не номер телефона' },
  not_an_email: { en: 'not an e-mail address', ru: 'не адрес эл. почты' },
  not_a_date: { en: 'not a date', ru: 'не дата' },
  not_a_number: { en: 'not a number', ru: 'не число' },
  not_allowed: { en: 'the card does not allow it', ru: 'карточка этого не допускает' },
  not_in_map: { en: 'the map does not know it', ru: 'замена для этого не задана' },
} satisfies Messages;
