import { type Environment, missingText, substitute } from '../../files/placeholders.js';

export type Secrets = Environment;

/** A text with its placeholders replaced, and what is missing for that. */
export function filledIn(text: string, secrets: Secrets): { text: string; mistakes: string[] } {
  const { text: filled, missing } = substitute(text, secrets);
  const mistake = missingText(missing);
  return { text: filled, mistakes: mistake === undefined ? [] : [`this ${mistake}`] };
}
