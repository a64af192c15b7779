import type { z } from 'zod';
import { criterion } from '../contract/applications.js';
import type { ConfigurationFault } from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import { faultAt } from '../config/faults.js';
import type { Path } from '../config/path.js';
import { checkUuids } from './added-clients.js';
import type { Complain } from './complaint.js';
import { checkCriterion } from './criteria.js';
import { isObject, type PlacedObject } from './data.js';
import type { Field } from './fields.js';
import { checkNames } from './identifiers.js';

/** What is wrong with the fields that came with the data, by rules that the contract's schemas do not know. */
export function dataFaults(
  document: PlacedObject,
  fields: readonly Field[],
  card: Installation['card'],
): ConfigurationFault[] {
  const faults: ConfigurationFault[] = [];
  const complainAt =
    (path: Path): Complain =>
    (message, hint) =>
      faults.push(faultAt(document, path, message, hint));
  for (const { name, kind } of fields) {
    const value = document.value[name];
    const path = [name];
    if (kind === 'identifiers') checkIdentifiers(value, card, complainAt(path));
    if (kind === 'clients')
      eachOf(value, (client, index) => {
        const here = [...path, index, 'clientIdentifiers'];
        checkIdentifiers(isObject(client) && client['clientIdentifiers'], card, complainAt(here));
      });
    if (kind === 'criteria') checkCriteria(value, card, (index) => complainAt([...path, ...index]));
  }
  checkUuids(document.value, complainAt(['clients']));
  return faults;
}

function checkIdentifiers(value: unknown, card: Installation['card'], complain: Complain): void {
  if (isObject(value)) checkNames(Object.keys(value), card, complain);
}

function checkCriteria(
  value: unknown,
  card: Installation['card'],
  complainAt: (path: Path) => Complain,
): void {
  if (Array.isArray(value) && value.length === 0)
    complainAt([])('there is no filter, and so every call application would go.', 'Add one.');
  eachOf(value, (element, index) => {
    const read: z.ZodSafeParseResult<z.output<typeof criterion>> = criterion.safeParse(element);
    if (read.success) checkCriterion(read.data, card, complainAt([index]));
  });
}

function eachOf(list: unknown, visit: (element: unknown, index: number) => void): void {
  if (Array.isArray(list)) list.forEach(visit);
}
