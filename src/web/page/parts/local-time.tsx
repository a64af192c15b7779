import type { JSX } from 'preact';
import { dateTime, language } from '../state/language.js';

/** A time as the person's clock shows it; on the hover to the second, with its zone. */
export function LocalTime({ iso }: { readonly iso: string }): JSX.Element {
  const exact = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'long',
  }).format(new Date(iso));
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <time dateTime={iso} title={`${exact} (${zone})`}>
      {dateTime(iso)}
    </time>
  );
}
