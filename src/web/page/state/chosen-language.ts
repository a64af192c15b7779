import { LANGUAGES, type Language } from '../../shared/in-browser.js';

/** The one that was switched to, which the address names, else the browser's. A switch loads the page anew. */
export function chosenLanguage(): Language {
  const chosen = new URLSearchParams(location.search).get('lang') ?? navigator.language.slice(0, 2);
  return LANGUAGES.find((language) => language === chosen) ?? 'en';
}
