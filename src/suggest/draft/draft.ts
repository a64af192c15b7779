import type { Assigned } from '../choose/assign.js';
import type { DraftContext } from './context.js';
import { draftContacts } from './contacts.js';
import { draftFields } from './fields.js';
import { quoted } from '../../config/yaml-text.js';
import { draftKind, draftTop } from './head.js';
import { Lines } from './lines.js';

export interface Draft {
  readonly yaml: string;
  /** Names of needed fields without a column. */
  readonly missing: readonly string[];
  readonly decisions: readonly string[];
  /** What has to be filled in before the mapping can be used. */
  readonly toFillIn: readonly string[];
}

/** The mapping as YAML: what is sure, what may be uncommented, what is missing, and what is left out. */
export function draftMapping(request: Omit<DraftContext, 'lines' | 'decide' | 'fillIn'>): Draft {
  const lines = new Lines();
  const decisions: string[] = [];
  const toFillIn: string[] = [];
  const context: DraftContext = {
    ...request,
    lines,
    decide: (sentence) => decisions.push(sentence),
    fillIn: (what) => toFillIn.push(what),
  };
  draftTop(context);
  lines.add(0, 'client:');
  draftKind(context);
  const missing = draftFields(context);
  draftContacts(context);
  leftOut(lines, request.assigned);
  if (toFillIn.length > 0) {
    lines.blank();
    lines.note(0, `Missing: ${toFillIn.join(', ')}. Search for FILL IN above.`);
  }
  return { yaml: lines.toString(), missing, decisions, toFillIn };
}

function leftOut(lines: Lines, assigned: readonly Assigned[]): void {
  const unused = assigned.filter(({ use }) => use === null);
  if (unused.length === 0) return;
  lines.blank();
  lines.note(0, 'Columns that are left out:');
  for (const { column, why } of unused) lines.note(0, `  ${quoted(column.header)}: ${why}`);
}
