import { normalForm } from './normal-form.js';

/** Words for the number of something, in normal form. */
const NUMBER = new Set(
  'n no nr num number id code ref numero numer nummer numara numarasi номер код kod codigo codice cislo szam'.split(
    ' ',
  ),
);

/**
 * What a name is the number of: `N° dossier` and `Dossier no.` of `dossier`; none where it has no word for a number. With a
 * group above it, `Customer / Order no.`, also what its own name is the number of.
 */
export function numberedNames(header: string, own: string): ReadonlySet<string> {
  return new Set([header, own].map(numbered).filter((form) => form !== ''));
}

function numbered(name: string): string {
  const words = normalForm(name).split(' ');
  const others = words.filter((word) => !NUMBER.has(word));
  return others.length === words.length ? '' : others.join(' ');
}
