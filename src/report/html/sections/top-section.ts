import { basename } from 'node:path';
import { isImport } from '../../../core/mode.js';
import { ledgerCommand } from '../../../core/text.js';
import type { RunReport } from '../../run-report.js';
import { durationText, localTime } from '../../text/local-time.js';
import { NOT_SENT_TWICE, waitingSentence } from '../../text/next-step.js';
import { isolated, joined, markup, type Markup, nothing } from '../markup.js';

/** The top of the page: what the run is, what needs the person, and what to do. */
export function topSection(report: RunReport, headline: string, bad: number): Markup {
  const { run, isSandbox, isTakenBack = false } = report;
  const isToCorrect = bad > 0 && isImport(run.mode) && !isTakenBack;
  return markup`<header>
    <p class="run">
      ${isSandbox ? markup`<strong class="badge">Sandbox</strong> ` : nothing}${joined(
        [
          ...run.inputs.map((input) => isolated(basename(input))),
          ...(run.campaignId === null ? [] : [campaign(report)]),
          markup`${localTime(run.createdAt)}`,
          ...(run.endedAt === null ? [] : [markup`${durationText(run.endedAt - run.createdAt)}`]),
        ],
        ' · ',
      )}
    </p>
    <h1 id="headline">${headline}</h1>
    ${isTakenBack ? nothing : waitingLine(report)}${isToCorrect ? nextStep(report) : nothing}
  </header>`;
}

const campaign = ({ run, campaignName }: RunReport): Markup =>
  campaignName === undefined
    ? markup`campaign ${run.campaignId ?? ''}`
    : markup`campaign ${isolated(campaignName)}`;

function waitingLine({ run: { run, waiting, mode }, ledger }: RunReport): Markup {
  if (!waiting?.rows) return nothing;
  return markup`<p class="notice">
    ${waitingSentence(waiting.rows, mode)}:
    <code>${ledgerCommand(ledger, 'resume', run)}</code>
  </p>`;
}

/** The rejects lie beside the run's report once the run has ended. */
function nextStep({ run: { state, out } }: RunReport): Markup {
  if (state !== 'finished' && state !== 'open') return nothing;
  return markup`<p>
    Correct them in the rejects file in ${isolated(out)}, and import that file again.
    ${NOT_SENT_TWICE}
  </p>`;
}
