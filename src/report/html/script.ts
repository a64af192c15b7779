import { CHARTS_SCRIPT } from './script/charts-script.js';
import { ROWS_SCRIPT } from './script/rows-script.js';

/** The page's script. Texts become text nodes, never markup. */
export const SCRIPT = `
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const at = (id) => document.getElementById(id);
  const whole = (value) => value.toLocaleString('en-US');
${CHARTS_SCRIPT}${ROWS_SCRIPT}})();
`;
