import { previewUndo } from '../../../app/undo/undo-preview.js';
import { OUTCOMES } from '../../../core/outcome.js';
import type { resultRoutes } from '../../shared/result.js';
import type { Handlers } from '../handler.js';
import { Refusal } from '../refusal.js';
import { mendRejects } from '../results/mend.js';
import { runFile } from '../results/run-file.js';
import { shownResult } from '../results/shown-result.js';
import { shownRows } from '../results/shown-rows.js';
import { startReconcile, startResume, startUndo } from '../runs/on-record.js';
import { noSuchRun } from '../runs/refusals.js';

export const resultHandlers: Handlers<keyof typeof resultRoutes> = {
  'GET /api/runs/:run/result': async ({ params: { run } }, { site }) =>
    shownResult(await orNoSuchRun(site.results.result(run)), site),
  'GET /api/runs/:run/rows': async ({ params: { run }, query }, { site, language }) => {
    const { offset, limit, reason, remark } = query;
    const outcome = OUTCOMES.find((one) => one === query.outcome);
    const request = { filter: { outcome, reason, remark }, offset, limit };
    const { mask } = site.settings;
    const page = await orNoSuchRun(site.results.page(run, request));
    return shownRows(page, offset, { mask, language });
  },
  'GET /api/runs/:run/files/:file': ({ params: { run, file } }, { site }) =>
    orNoSuchRun(runFile(run, file, site)),
  'POST /api/runs/:run/mend': async ({ params: { run }, body }, { site }) => ({
    list: await orNoSuchRun(mendRejects(run, body.file, site)),
  }),
  'GET /api/runs/:run/undo': ({ params: { run } }, { site }) =>
    orNoSuchRun(previewUndo(run, site.settings.ledger)),
  'POST /api/runs/:run/undo': async ({ params: { run }, body }, { site }) => {
    const { rows } = await orNoSuchRun(previewUndo(run, site.settings.ledger));
    if (rows !== body.rows) throw changedSince();
    return { run: await startUndo(site, run) };
  },
  'POST /api/runs/:run/reconcile': async ({ params: { run } }, { site }) => ({
    run: await startReconcile(site, run),
  }),
  'POST /api/runs/:run/resume': async ({ params: { run } }, { site }) => ({
    run: await startResume(site, run),
  }),
};

async function orNoSuchRun<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw noSuchRun(error);
  }
}

const changedSince = (): Refusal =>
  new Refusal(409, {
    code: 'undo_changed',
    sentence: 'The number is not that of the rows that would be taken back.',
    next: 'Look at what would be done, and type the number again.',
  });
