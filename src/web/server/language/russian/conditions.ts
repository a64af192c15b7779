import type { Sentences } from '../catalogue/catalogue.js';

/** Which rows a mapping takes. Apart from the others: values stand in it without marks. */
export const conditionSentences: Sentences = {
  '({} or {})': '({1:say} или {2:say})',
  '{} and {}': '{1:say} и {2:say}',
  '{} or {}': '{1:say} или {2:say}',
  'not ({})': 'не ({1:say})',
  '"{}" {}': '«{1}» {2:say}',
  'is one of {}': '— одно из: {1}',
  'is none of {}': '— ни одно из: {1}',
  'is not empty': 'не пусто',
  'is empty': 'пусто',
  'is not {}': '— не {1}',
  'is {}': '— {1}',
  'matches {}': 'подходит под {1}',
};
