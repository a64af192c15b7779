import { OUTCOME_TRAITS, type Outcome } from '../../../core/outcome.js';
import { language } from '../state/language.js';

interface OutcomeWords {
  readonly name: string;
  /** What it means, for the person. */
  readonly meaning: string;
}

/** In English the names are those of the reports, and the meanings stand with the outcomes. */
const russian = {
  enqueued: { name: 'в кампании', meaning: 'карточка и заявка на обзвон созданы' },
  created: { name: 'создан', meaning: 'карточка создана; кампания не задана' },
  updated: { name: 'изменён', meaning: 'карточка или её контакты изменены' },
  unchanged: { name: 'без изменений', meaning: 'клиент уже был таким, как в строке' },
  dequeued: { name: 'снят с кампании', meaning: 'заявка на обзвон удалена' },
  scheduled: { name: 'перезвон назначен', meaning: 'перезвон создан' },
  deleted: { name: 'удалён', meaning: 'карточка удалена' },
  undone: { name: 'отменён', meaning: 'всё, что сделал прежний запуск, отменено' },
  match: { name: 'совпадает', meaning: 'карточка такая же, как строка' },
  different: { name: 'отличается', meaning: 'карточка отличается от строки' },
  missing: { name: 'нет карточки', meaning: 'карточки нет' },
  not_in_campaign: { name: 'не в кампании', meaning: 'у карточки нет заявки в этой кампании' },
  enqueue_failed: {
    name: 'не добавлен в кампанию',
    meaning: 'карточка есть, заявки на обзвон нет',
  },
  failed: { name: 'отказ', meaning: 'контакт-центр отказал в запросе или его части' },
  rejected: { name: 'отклонён', meaning: 'строка не может стать клиентом; ничего не отправлено' },
  skipped: { name: 'пропущен', meaning: 'пропущен по правилу или обработан раньше' },
  unknown: { name: 'неизвестно', meaning: 'контакт-центр не ответил, и спросить его не удалось' },
} as const satisfies Record<Outcome, OutcomeWords>;

const isOutcome = (text: string): text is Outcome => text in OUTCOME_TRAITS;

/** An outcome in the person's language. */
export function outcomeWords(outcome: string): OutcomeWords {
  if (!isOutcome(outcome)) return { name: outcome, meaning: '' };
  if (language === 'ru') return russian[outcome];
  return { name: outcome.replaceAll('_', ' '), meaning: OUTCOME_TRAITS[outcome].meaning };
}
