import { runFacts } from '../../run-facts.js';
import type { RunReport } from '../../run-report.js';
import { markup, type Markup } from '../markup.js';

/** What is known of the run apart from its rows. */
export const factsSection = (report: RunReport): Markup =>
  markup`<section aria-labelledby="facts">
    <h2 id="facts">About the run</h2>
    <dl>
      ${runFacts(report).map(
        ([label, text]) =>
          markup`<div>
            <dt>${label}</dt>
            <dd>${text}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
