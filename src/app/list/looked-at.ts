import type { QualityPart, QualityWeights } from '../../core/quality-parts.js';
import { weightsOf } from '../../core/quality.js';
import { MODE_TRAITS } from '../../core/mode.js';
import { isFoundByPhone } from '../../mapping/zone-by-phone.js';
import type { Mapping } from '../../mapping/mapping.js';
import type { Preparation } from '../../prepare/plan.js';

/**
 * What each part of a list's score counts for, of those that are looked at; `null` in modes whose rows bring nobody to
 * be called.
 */
export function listWeights({
  mapping,
  installation,
}: Pick<Preparation, 'mapping' | 'installation'>): QualityWeights | null {
  const { mode, sections } = mapping;
  const { hasPhones, calls } = MODE_TRAITS[mode];
  if (!hasPhones || !calls) return null;
  const looked = new Set<QualityPart>(['phones', 'unique', 'complete']);
  if (installation?.suppress) looked.add('suppressed');
  if (findsZones(sections)) looked.add('zone');
  if ('fresh' in sections && sections.fresh) looked.add('fresh');
  const written = 'quality' in sections ? sections.quality?.weights : undefined;
  return weightsOf(looked, written);
}

function findsZones({ client }: Mapping): boolean {
  return 'timeZone' in client && isFoundByPhone(client.timeZone);
}
