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
};
