import type { Sentences } from '../catalogue/catalogue.js';

/** How places and codes stand beside sentences. */
export const glue: Sentences = {
  '- {}': '- {1:say}',
  '{}: {}': '{1}: {2:say}',
  '{} ({})': '{1:say} ({2})',
  '{} ({}).': '{1:say} ({2}).',
};
