import type { Messages } from '../state/language.js';

/** Places in a file. */
export const placeText = {
  sheet: { en: (name: string) => `sheet “${name}”`, ru: (name: string) => `лист «${name}»` },
  line: { en: (line: number) => `line ${line}`, ru: (line: number) => `строка ${line}` },
  row: { en: (row: number) => `row ${row}`, ru: (row: number) => `строка ${row}` },
} as const satisfies Messages;
