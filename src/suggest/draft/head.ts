import { MODE_TRAITS } from '../../core/mode.js';
import { scoreText, SURE } from '../suggestion.js';
import type { Candidate } from '../choose/candidate.js';
import { COUNTRY_ZONES } from '../words/zones.js';
import { type DraftContext, usesOf } from './context.js';
import { flow, type Plain, quoted } from '../../config/yaml-text.js';
import { pairLines } from './lines.js';
import { blankOf } from './blank.js';
import { plainValue } from './drafted-value.js';
import { typeValue, zoneValue } from './value.js';

/** What stands above the section `client`. */
export function draftTop(context: DraftContext): void {
  const { lines, source, mode } = context;
  lines.note(0, `Drafted by "cardline suggest" from ${source.file}.`);
  lines.note(0, 'Numbers from 0 to 1 say how sure a column is.');
  lines.note(0, 'Lines that begin with # do nothing; take the sign off to use one.');
  lines.blank();
  if (mode !== 'create') lines.add(0, `mode: ${mode}`);
  const options = sourceOptions(context);
  if (Object.keys(options).length > 0) lines.add(0, `source: ${flow(options)}`);
  draftUuid(context);
  lines.blank();
  if (MODE_TRAITS[mode].campaign !== 'unused')
    lines.note(
      0,
      'campaign: { name: … } # which campaign is meant; or --campaign with the command',
    );
  if (mode === 'callbacks') fillInCallback(context);
  if (mode === 'rekey') {
    lines.note(0, 'FILL IN: clientId: COLUMN — the internal id of the client');
    context.fillIn('clientId');
  }
  lines.blank();
}

function sourceOptions({ source, totals }: DraftContext): Record<string, Plain> {
  const { given, headerRow } = source;
  // A header further down is found again by the columns that the mapping names.
  return {
    ...given,
    ...(headerRow === 'none' ? { headerRow } : {}),
    ...(totals ? { until: { column: totals.column, startsWith: totals.startsWith } } : {}),
  };
}

function draftUuid(context: DraftContext): void {
  const uses = usesOf(context, 'uuid');
  const sure = sureOf(uses);
  const [use] = sure ? [sure] : uses;
  if (!use) return;
  const text = `uuid: ${quoted(use.column.header)}`;
  const why = `${scoreText(use.score)}: ${use.why}`;
  if (sure) context.lines.add(0, text, why);
  else context.lines.note(0, `${text} # ${why}`);
}

function fillInCallback({ lines, fillIn }: DraftContext): void {
  lines.note(0, 'FILL IN: what the callbacks are; see docs/modes.md');
  for (const key of [
    'callback:',
    '  name: COLUMN',
    '  phone: COLUMN',
    '  operatorId: COLUMN',
    '  callAt: { column: COLUMN, pattern: dd.MM.yyyy HH:mm, timeZone: { value: … } }',
    '  callAutomatically: { value: true }',
  ])
    lines.note(0, key);
  fillIn('callback');
}

const sureOf = (uses: readonly Candidate[]): Candidate | undefined =>
  uses.find(({ score }) => score >= SURE);

/** Role, type and time zone, which only a client that is created has. */
export function draftKind(context: DraftContext): void {
  if (!MODE_TRAITS[context.mode].creates) return;
  draftRole(context);
  draftType(context);
  draftZone(context);
}

function draftRole(context: DraftContext): void {
  const { lines, installation } = context;
  const use = sureOf(usesOf(context, 'clientRoleId'));
  if (use) {
    lines.add(1, `clientRoleId: ${quoted(use.column.header)}`, use.why);
    return;
  }
  const roles = installation.clientRoles;
  const choice =
    roles === undefined
      ? 'no column has the role, and the installation names none: is 1 right?'
      : `no column has the role; there are: ${roles.join(', ')}`;
  lines.add(1, `clientRoleId: { value: ${roles?.[0] ?? 1} }`, choice);
  if (roles?.length !== 1)
    context.decide(
      `No column has the role of the clients; ${roles?.[0] ?? 1} is taken (client.clientRoleId). ${
        roles === undefined
          ? 'A sandbox takes any; name those of your contact center in the installation, such as clientRoles: [1].'
          : `There are: ${roles.join(', ')}.`
      }`,
    );
}

function draftType(context: DraftContext): void {
  const [use] = usesOf(context, 'type');
  if (!use) return;
  const { lines } = context;
  const { keys } = typeValue(use.column, use.column.cells.share('yesNo') > 0.8);
  lines.note(1, `${scoreText(use.score)}: ${use.why}; values that are not named here are SIMPLE`);
  for (const text of pairLines('type', { column: use.column.header, ...keys }))
    if (use.score >= SURE) lines.add(1, text);
    else lines.note(1, text);
}

function draftZone(context: DraftContext): void {
  const { lines, country } = context;
  const [use] = usesOf(context, 'timeZone');
  const fallback = COUNTRY_ZONES[country.code ?? ''];
  if (use) {
    const value = use.column.cells.filled > 0 ? zoneValue(use.column) : plainValue;
    const isWhole = use.column.cells.filled === use.column.cells.rows;
    const rest = isWhole && !value.unknown ? {} : { default: fallback ?? 'UTC' };
    lines.note(1, `${scoreText(use.score)}: ${use.why}`);
    for (const text of pairLines('timeZone', {
      column: use.column.header,
      ...blankOf([use.column]),
      ...value.keys,
      ...rest,
    }))
      if (use.score >= SURE) lines.add(1, text);
      else lines.note(1, text);
    if (use.score >= SURE) return;
  }
  const zone = fallback ?? 'UTC';
  const reason =
    fallback === undefined
      ? 'no column has a time zone, and no country is known'
      : `no column has a time zone; this is the main one of ${country.code ?? ''}`;
  lines.note(1, `DECIDE: ${reason}`);
  lines.add(1, `timeZone: { value: ${zone} }`);
  context.decide(
    `No column has the time zone; ${zone} is taken for all clients (client.timeZone).`,
  );
}
