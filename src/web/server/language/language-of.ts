import type { IncomingHttpHeaders } from 'node:http';
import { type Language, LANGUAGES } from '../../shared/languages.js';

/** The language that a request asks for first: the page names its own, which may be another than the browser's. */
export function languageOf({ 'accept-language': asked = '' }: IncomingHttpHeaders): Language {
  const first = asked.slice(0, 2).toLowerCase();
  return LANGUAGES.find((language) => language === first) ?? 'en';
}
