import type { Message } from '../state/language.js';

const OTHER_LEDGER: Message = {
  en: 'Start “cardline ui” with another --ledger.',
  ru: 'Запустите «cardline ui» с другим --ledger.',
};

/** What can go wrong with looking at runs. */
export const historyProblemText = {
  ledger_in_use: {
    sentence: {
      en: 'Another program has the ledger for itself at this moment.',
      ru: 'Журнал сейчас занят другой программой.',
    },
    next: { en: 'Try again in a moment.', ru: 'Повторите чуть позже.' },
  },
  newer_ledger: {
    sentence: {
      en: 'A later version of cardline has written the ledger.',
      ru: 'Журнал записан более новой версией cardline.',
    },
    next: {
      en: 'Use that version, or start “cardline ui” with another --ledger.',
      ru: 'Используйте ту версию или запустите «cardline ui» с другим --ledger.',
    },
  },
  no_ledger: {
    sentence: {
      en: 'What lies at the place of the ledger is none.',
      ru: 'На месте журнала лежит что-то другое.',
    },
    next: OTHER_LEDGER,
  },
  ledger_unread: {
    sentence: { en: 'The ledger cannot be read.', ru: 'Журнал не удаётся прочитать.' },
    next: {
      en: 'Look at its disk and its permissions, and try again.',
      ru: 'Проверьте диск и права доступа и повторите.',
    },
  },
} as const satisfies Readonly<
  Record<string, { readonly sentence: Message; readonly next: Message }>
>;
