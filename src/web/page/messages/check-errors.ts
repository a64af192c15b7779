import type { ProblemText } from './problem-text.js';

/** What can go wrong with a check, and with what mends its rows. */
export const checkProblemText = {
  mapping_does_not_fit: {
    sentence: {
      en: 'The mapping does not fit this file.',
      ru: 'Сопоставление не подходит к этому файлу.',
    },
    next: { en: 'Change it in the step Columns.', ru: 'Измените его на шаге «Столбцы».' },
  },
  stale_correction: {
    sentence: {
      en: 'A corrected cell holds something else now: the file has changed since.',
      ru: 'В исправленной ячейке теперь другое значение: файл с тех пор изменился.',
    },
    next: { en: 'Take this correction back.', ru: 'Верните исправление ниже.' },
  },
  stale_mapping: {
    sentence: {
      en: 'The mapping has been changed elsewhere since, perhaps in another tab.',
      ru: 'Сопоставление с тех пор изменено, возможно в другой вкладке.',
    },
    next: {
      en: 'It is shown as it is now. Make your change again if it is still wanted.',
      ru: 'Оно показано как есть сейчас. Повторите своё изменение, если оно ещё нужно.',
    },
  },
  old_rows: {
    sentence: {
      en: 'cardline was started again since these rows were shown.',
      ru: 'cardline был запущен заново с тех пор, как показаны эти строки.',
    },
    next: {
      en: 'The page shows them anew: correct the cell again.',
      ru: 'Страница показывает их заново: исправьте ячейку ещё раз.',
    },
  },
  rule_not_made: {
    sentence: {
      en: 'The mapping is written in a way that this rule cannot be added to.',
      ru: 'Сопоставление записано так, что это правило в него не добавить.',
    },
    next: {
      en: 'Add it by hand in the step Columns.',
      ru: 'Добавьте его вручную на шаге «Столбцы».',
    },
  },
  rule_signs: {
    sentence: {
      en: 'Here the new value may hold neither $ nor \\.',
      ru: 'Здесь в новом значении не может быть ни $, ни \\.',
    },
    next: {
      en: 'Choose another one, or add a value map in the step Columns.',
      ru: 'Выберите другое или добавьте замену на шаге «Столбцы».',
    },
  },
} satisfies Readonly<Record<string, ProblemText>>;
