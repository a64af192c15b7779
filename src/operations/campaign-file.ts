import { missingFields, newCampaign } from '../contract/campaign.js';
import type { OperationInput } from '../contract/operations.js';
import { ConfigurationError, type ConfigMistake } from '../core/errors.js';
import { mistakeAt, inDocumentOrder } from '../config/check-document.js';
import { asBody, readData, type DataSource, type PlacedObject } from './data.js';
import { schemaMistakes } from './schema-mistakes.js';

export type NewCampaign = OperationInput<'createCampaign'>['body'];

const schema = newCampaign.strict();

/**
 * Reads the fields of a campaign (interface.md 2.4) from YAML or JSON. The days of the week may be a list, as 4.19
 * gives them. `name` wins over the file's.
 * @throws ConfigurationError with every mistake: file, line, column, and what would be right
 */
export async function readCampaign(source: DataSource, name?: string): Promise<NewCampaign> {
  const document = asBody(await readData(source), 'createCampaign');
  const { weekDays } = document.value;
  const value = {
    ...document.value,
    ...(Array.isArray(weekDays) && { weekDays: weekDays.join(',') }),
    ...(name !== undefined && { name }),
  };
  const mistakes = campaignMistakes({ ...document, value });
  if (mistakes.length > 0) throw new ConfigurationError(inDocumentOrder(mistakes));
  return schema.parse(value);
}

/** The fields that others make necessary are asked for even where another field is wrong. */
function campaignMistakes(document: PlacedObject): ConfigMistake[] {
  const mistakes = schemaMistakes(document, schema);
  const given = new Set(mistakes.map(({ path }) => path));
  const missing = missingFields(document.value).filter(({ field }) => !given.has(field));
  return [
    ...mistakes,
    ...missing.map(({ field, reason }) => mistakeAt(document, [field], `it ${reason}.`)),
  ];
}
