import { defined } from '../../../core/defined.js';
import type { importRoutes, ImportPlan } from '../../shared/run.js';
import { STEPS } from '../../shared/steps.js';
import type { Handlers } from '../handler.js';
import { shownCampaigns } from '../imports/campaigns.js';
import { planOf } from '../imports/plan.js';
import { rowsToSend } from '../imports/rows-to-send.js';
import { startImport } from '../imports/start-import.js';
import type { StoredList } from '../lists/lists.js';
import { startResume } from '../runs/on-record.js';
import type { Site } from '../site.js';

export const importHandlers: Handlers<keyof typeof importRoutes> = {
  'GET /api/lists/:list/import': async function* ({ params }, { site }) {
    const list = await reached(params.list, site);
    yield await plan(site, list);
  },
  'PATCH /api/lists/:list/import': async ({ params, body }, { site }) => {
    const { choice } = await site.lists.get(params.list);
    await site.lists.change(params.list, { choice: { ...choice, ...defined(body) } });
    return {};
  },
  'GET /api/campaigns': async (_asked, { site, signal }) => ({
    campaigns: await shownCampaigns(site, signal),
  }),
  'POST /api/lists/:list/run': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    // Another tab may have started it, or a second click.
    if (list.run !== null && site.runs.isAtWork(list.run)) return { run: list.run };
    return { run: await startImport(site, list, await plan(site, list), body) };
  },
  'GET /api/runs/:run/live': ({ params }, { site, signal }) => site.runs.live(params.run, signal),
  'POST /api/runs/:run/control': async ({ params: { run }, body: { what } }, { site }) => {
    if (what !== 'resume') return site.runs.control(run, what);
    return site.runs.get(await startResume(site, run));
  },
};

const plan = async (site: Site, list: StoredList): Promise<ImportPlan> =>
  planOf(site, list, await rowsToSend(list));

/** Notes that the list has come to this step. */
async function reached(id: string, { lists, settings }: Site): Promise<StoredList> {
  const list = await lists.get(id);
  await lists.touch(id);
  const isNew = STEPS.indexOf(list.step) < STEPS.indexOf('import');
  return isNew && !settings.readOnly ? lists.change(id, { step: 'import' }) : list;
}
