import type { z } from 'zod';
import { criterion } from '../contract/applications.js';
import type { ConfigMistake } from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import { mistakeAt } from '../config/check-document.js';
import type { Path } from '../config/path.js';
import { checkUuids } from './added-clients.js';
import type { AddMistake } from './add-mistake.js';
import { checkCriterion } from './criteria.js';
import { isObject, type PlacedObject } from './data.js';
import type { Field } from './fields.js';
import { checkNames } from './identifiers.js';

/** What is wrong with the fields that came with the data, by rules that the contract's schemas do not know. */
export function dataMistakes(
  document: PlacedObject,
  fields: readonly Field[],
  card: Installation['card'],
): ConfigMistake[] {
  const mistakes: ConfigMistake[] = [];
  const addMistakeAt =
    (path: Path): AddMistake =>
    (message, hint) =>
      mistakes.push(mistakeAt(document, path, message, hint));
  for (const { name, kind } of fields) {
    const value = document.value[name];
    const path = [name];
    if (kind === 'identifiers') checkIdentifiers(value, card, addMistakeAt(path));
    if (kind === 'clients')
      eachOf(value, (client, index) => {
        const here = [...path, index, 'clientIdentifiers'];
        checkIdentifiers(isObject(client) && client['clientIdentifiers'], card, addMistakeAt(here));
      });
    if (kind === 'criteria')
      checkCriteria(value, card, (index) => addMistakeAt([...path, ...index]));
  }
  checkUuids(document.value, addMistakeAt(['clients']));
  return mistakes;
}

function checkIdentifiers(
  value: unknown,
  card: Installation['card'],
  addMistake: AddMistake,
): void {
  if (isObject(value)) checkNames(Object.keys(value), card, addMistake);
}

function checkCriteria(
  value: unknown,
  card: Installation['card'],
  addMistakeAt: (path: Path) => AddMistake,
): void {
  if (Array.isArray(value) && value.length === 0)
    addMistakeAt([])('there is no filter, and so every call application would go.', 'Add one.');
  eachOf(value, (element, index) => {
    const read: z.ZodSafeParseResult<z.output<typeof criterion>> = criterion.safeParse(element);
    if (read.success) checkCriterion(read.data, card, addMistakeAt([index]));
  });
}

function eachOf(list: unknown, visit: (element: unknown, index: number) => void): void {
  if (Array.isArray(list)) list.forEach(visit);
}
