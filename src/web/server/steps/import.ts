import { defined } from '../../../core/defined.js';
import type { importRoutes } from '../../shared/run.js';
import type { Handlers } from '../handler.js';
import { shownCampaigns } from '../imports/campaigns.js';
import { startImport } from '../imports/start-import.js';
import { planNow, watchPlan } from '../imports/watch-plan.js';
import { startResume } from '../runs/on-record.js';

export const importHandlers: Handlers<keyof typeof importRoutes> = {
  'GET /api/lists/:list/import': ({ params }, { site, signal }) =>
    watchPlan(params.list, site, signal),
  'PATCH /api/lists/:list/import': async ({ params, body }, { site }) => {
    await site.lists.change(params.list, ({ choice }) => ({
      choice: { ...choice, ...defined(body) },
    }));
    return {};
  },
  'GET /api/campaigns': async (_asked, { site, signal }) => ({
    campaigns: await shownCampaigns(site, signal),
  }),
  'POST /api/lists/:list/run': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    // Another tab may have started it, or a second click.
    if (list.run !== null && site.runs.isAtWork(list.run)) return { run: list.run, isDone: false };
    const { plan, stopCounting } = await planNow(list, site);
    const started = await startImport(site, list, plan, body);
    stopCounting();
    return started;
  },
  'GET /api/runs/:run/live': ({ params }, { site, signal }) => site.runs.live(params.run, signal),
  'POST /api/runs/:run/control': async ({ params: { run }, body: { what } }, { site }) => {
    if (what !== 'resume') return site.runs.control(run, what);
    return site.runs.get(await startResume(site, run));
  },
};
