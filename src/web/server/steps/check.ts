import type { checkRoutes, CheckState, Corrected } from '../../shared/check.js';
import { cellOf, correctionOf } from '../checks/cell-seal.js';
import { makeRule } from '../checks/make-rule.js';
import { shownMends } from '../checks/shown-mends.js';
import { shownRows, shownValue } from '../checks/shown-rows.js';
import { watchCheck } from '../checks/watch-check.js';
import type { Handlers } from '../handler.js';
import { correct, readCorrections } from '../lists/corrections.js';
import type { Site } from '../site.js';

export const checkHandlers: Handlers<keyof typeof checkRoutes> = {
  'GET /api/lists/:list/check': ({ params }, { site, signal }): AsyncIterable<CheckState> =>
    watchCheck(params.list, site, signal),
  'GET /api/lists/:list/check/rows': async ({ params, query }, { site }) => {
    const list = await site.lists.get(params.list);
    return site.checks.look(list, (check) => shownRows(check, query, site.settings.mask));
  },
  'GET /api/lists/:list/check/mends': async ({ params, query }, { site }) => {
    const list = await site.lists.get(params.list);
    return site.checks.look(list, (check) => shownMends(check, query.group, site.settings.mask));
  },
  'POST /api/lists/:list/check/rules': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    return { mapping: await makeRule(site, list, body.rule, body.to) };
  },
  'GET /api/lists/:list/corrections': async ({ params }, { site }) =>
    shownCorrections(params.list, site),
  'PUT /api/lists/:list/corrections': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    const cell = cellOf(body.cell);
    // It may have been corrected since it was shown.
    const earlier = correctionOf(await readCorrections(list), cell);
    const becomes = body.value === '' ? null : body.value;
    correct(list, { ...(earlier ?? cell), becomes });
    return shownCorrections(list.id, site);
  },
  'DELETE /api/lists/:list/corrections': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    const found = correctionOf(await readCorrections(list), body);
    // What another tab has taken back already is as it should be.
    if (found) correct(list, { ...found, becomes: found.was });
    return shownCorrections(list.id, site);
  },
};

async function shownCorrections(id: string, site: Site): Promise<{ corrections: Corrected[] }> {
  const { lists, settings } = site;
  const shown = (value: string | null): string | null => shownValue(value, settings.mask);
  const found = await readCorrections(await lists.get(id));
  return {
    corrections: found.map(({ sheet, row, column, was, becomes }) => ({
      ...{ sheet, row, column, was: shown(was), becomes: shown(becomes) },
    })),
  };
}
