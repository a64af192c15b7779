import { mendedMapping } from '../../../app/check/watch/mended-mapping.js';
import type { RunningCheck } from '../../../app/check/watch/start-check.js';
import type { StoredList } from '../lists/lists.js';
import { readMapping, staleMapping, writeMapping } from '../lists/mapping.js';
import { Refusal } from '../refusal.js';
import type { Site } from '../site.js';
import { Seal } from './seal.js';

/** A rule, and the revision of the mapping that it was made for. */
interface OfferedRule {
  readonly mapping: string;
  readonly edit: Awaited<ReturnType<RunningCheck['mends']>>[number]['edit'];
}

const seal = new Seal<OfferedRule>();

export const sealedRule = (rule: OfferedRule): string => seal.close(rule);

/**
 * Writes a rule into the mapping of a list.
 * @returns the revision of the mapping that has it
 * @throws Refusal where the mapping has changed since, or cannot take it
 */
export async function makeRule(
  site: Site,
  list: StoredList,
  sealed: string,
  to: string,
): Promise<string> {
  const rule = seal.open(sealed);
  const { text, revision } = await readMapping(site, list);
  // One of an earlier start cannot be opened.
  if (rule?.mapping !== revision) throw staleMapping();
  const edited = mendedMapping(text, rule.edit, to);
  if ('yaml' in edited)
    return (await writeMapping(site, list, { text: edited.yaml, revision })).revision;
  const isSigns = 'refused' in edited && edited.refused.code === 'needs_keep';
  throw new Refusal(422, isSigns ? SIGNS : NOT_MADE);
}

const NOT_MADE = {
  code: 'rule_not_made',
  sentence: 'The mapping is written in a way that this rule cannot be added to.',
  next: 'Add it by hand in the step Columns.',
};
const SIGNS = {
  code: 'rule_signs',
  sentence: 'Here the new value may hold neither $ nor \\.',
  next: 'Choose another one, or add a value map in the step Columns.',
};
