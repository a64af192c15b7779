/** Languages of the page. In the browser too, so without schemas. */
export const LANGUAGES = ['en', 'ru'] as const;
export type Language = (typeof LANGUAGES)[number];
