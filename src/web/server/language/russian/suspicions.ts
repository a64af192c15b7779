import type { Sentences } from '../catalogue/catalogue.js';

/** Where a mapping, and not the file, seems to be wrong. */
export const suspicionSentences: Sentences = {
  '{}; add {}': '{1:say}; добавьте {2:may}',
  '{} of {} look like {}': '{1:number} из {2:number} похожи на {3:or}',
  '{} of {} have a decimal comma': 'в {1:number} из {2:number} — десятичная запятая',
  '{} of {} numbers can be read in two ways':
    '{1:number} из {2:number} чисел можно прочесть двояко',
  '{}, and {} have a decimal comma': '{1:say}, и в {2:number} — десятичная запятая',
  '{}, and {} have a decimal point': '{1:say}, и в {2:number} — десятичная точка',
  '{}, {} have a decimal comma and {} a point':
    '{1:say}, в {2:number} — десятичная запятая, в {3:number} — точка',
  'suspect the mapping: {}': 'возможно, дело в сопоставлении: {1:say}',
  'the right one: {}': 'то, что верно: {1:or}',
  '{} of {} look like': '{1:number} из {2:number} похожи на',
  '{} dates that need no pattern; leave out "from"':
    '{1:say} даты, которым шаблон не нужен; уберите «from»',
  '{} of {} dates are stored as such, all with a day up to 12, and {} are texts, all with a day above: a program has probably swapped day and month of the stored ones.':
    '{1:number} из {2:number} дат записаны как даты, и во всех день не больше 12, а {3:number} — текст, и во всех день больше: вероятно, программа поменяла местами день и месяц в первых.',
  'Compare them with where the list comes from': 'Сравните их с источником списка',
  '{} of {} dates can be read with the day first and with the month first; leave one order in "from"':
    '{1:number} из {2:number} дат можно прочесть и с днём впереди, и с месяцем; оставьте в «from» один порядок',
  '{} of {} dates have day and month in the order of "from", and {} in the other one, so that nobody knows what the {} are that can be read in both ways.':
    'в {1:number} из {2:number} дат день и месяц стоят в порядке «from», а в {3:number} — наоборот, так что неизвестно, что значат даты, которые можно прочесть двояко ({4:number}).',
  'Ask where the list comes from': 'Спросите того, от кого список',
  '{}: the mark for text, an apostrophe or ="…", was taken off {}.':
    '{1}: пометка «это текст» (апостроф или ="…") снята: {2:say}.',
  '{}: signs that nobody sees were taken off {}.': '{1}: невидимые знаки убраны: {2:say}.',
  '{} cells': '{1:number} ячеек',
  '1 cell': '1 ячейка',
  '{}: {} of {} values are dates that are sent as they stand, whether there is such a day or not; the transform date checks them.':
    '{1}: {2:number} из {3:number} значений — даты, которые отправляются как есть, есть ли такой день или нет; их проверяет преобразование date.',
};
