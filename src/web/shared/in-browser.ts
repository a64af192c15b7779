/** Languages that have a file. English stands in the code. */
export const OTHERS = ['de', 'ru'] as const;

export type OtherLanguage = (typeof OTHERS)[number];

/** Languages of the page. In the browser too, so without schemas. */
export const LANGUAGES = ['en', ...OTHERS] as const;

export type Language = (typeof LANGUAGES)[number];

/** The steps of a list, in order. Each has its address: `/lists/:id/<step>`. In the browser too, so without schemas. */
export const STEPS = ['file', 'columns', 'check', 'import', 'result'] as const;

export type Step = (typeof STEPS)[number];

/** Rows that are sent first, where a few are. In the browser too, so without schemas. */
export const CANARY = 20;

/** Longest name of a field, and how many fields a card has at most, where a contact center is described. */
export const MAX_NAME = 500;
export const MAX_FIELDS = 500;
