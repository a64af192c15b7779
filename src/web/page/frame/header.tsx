import type { JSX } from 'preact';
import { frameText, kindText } from '../messages/frame.js';
import { about } from '../state/about.js';
import { hrefWith, place } from '../state/address.js';
import { LANGUAGES, type Language } from '../../shared/languages.js';
import { language, t } from '../state/language.js';
import { HistoryView } from '../steps/history.js';
import { Link } from '../parts/link.js';
import { StepsNav } from './steps-nav.js';

export function Header(): JSX.Element {
  return (
    <header class="top">
      <Link class="brand" to={{ kind: 'start' }}>
        cardline
      </Link>
      <CenterBadge />
      <StepsNav />
      <nav class="aside" aria-label={t(frameText.history)}>
        {HistoryView && (
          <Link to={{ kind: 'history', run: null }} current={place.value.kind === 'history'}>
            {t(frameText.history)}
          </Link>
        )}
      </nav>
      <LanguageSwitch />
    </header>
  );
}

function CenterBadge(): JSX.Element | null {
  const known = about.value;
  if (!known) return null;
  const { center, readOnly } = known;
  return (
    <p class="center">
      {center ? (
        <>
          <strong>{center.name}</strong> <span class="soft">{center.address}</span>{' '}
          <span class={`badge ${center.kind}`}>{t(kindText[center.kind])}</span>
        </>
      ) : (
        <span class="badge">{t(frameText.noCenter)}</span>
      )}
      {readOnly && <span class="badge">{t(frameText.readOnly)}</span>}
    </p>
  );
}

/** Each language is a script of its own: the page is loaded anew, and what is on the server stays. */
const switchTo = (lang: Language): void => location.assign(hrefWith({ lang }));

function LanguageSwitch(): JSX.Element {
  return (
    <div class="languages" role="group" aria-label={t(frameText.language)}>
      {LANGUAGES.map((one) => (
        <button
          type="button"
          class="plain"
          lang={one}
          aria-pressed={one === language}
          onClick={() => switchTo(one)}
        >
          {one.toUpperCase()}
        </button>
      ))}
    </div>
  );
}
