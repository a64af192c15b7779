import type { PageProblem } from '../../shared/route.js';
import { t, type Message } from '../state/language.js';

interface OwnProblem {
  readonly sentence: Message;
  readonly next: Message;
}

/** What goes wrong without an answer of the server, which has the words for everything else. */
const OWN = {
  gone: {
    sentence: { en: 'cardline does not answer.', ru: 'cardline не отвечает.' },
    next: {
      en: 'Try again as soon as it is there.',
      ru: 'Повторите, как только он снова будет доступен.',
    },
  },
  broken_off: {
    sentence: { en: 'The upload broke off.', ru: 'Загрузка прервалась.' },
    next: { en: 'Choose the file again.', ru: 'Выберите файл ещё раз.' },
  },
  internal: {
    sentence: {
      en: 'This is an internal error of the page.',
      ru: 'Это внутренняя ошибка страницы.',
    },
    next: {
      en: 'Nothing that was recorded is lost. Reload the page.',
      ru: 'Ничего из записанного не потеряно. Обновите страницу.',
    },
  },
} as const satisfies Readonly<Record<string, OwnProblem>>;

export const ownProblem = (code: keyof typeof OWN): PageProblem => ({
  code,
  sentence: t(OWN[code].sentence),
  next: t(OWN[code].next),
});
