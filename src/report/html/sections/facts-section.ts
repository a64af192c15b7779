import { basename } from 'node:path';
import { runFacts } from '../../run-facts.js';
import type { RunReport } from '../../run-report.js';
import { isolated, joined, markup, type Markup } from '../markup.js';

/** What is known of the run beside its rows. */
export const factsSection = (report: RunReport): Markup =>
  markup`<header>
    <h1>Run ${report.run.run}</h1>
    <p>${joined(
      report.run.inputs.map((input) => isolated(basename(input))),
      ', ',
    )}</p>
    <dl>
      ${runFacts(report).map(
        ([label, text]) =>
          markup`<div>
            <dt>${label}</dt>
            <dd>${text}</dd>
          </div>`,
      )}
    </dl>
  </header>`;
