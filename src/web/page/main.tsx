import { render } from 'preact';
import { OUTCOME_TRAITS } from '../../core/outcome.js';
import { App } from './frame/app.js';
import { followAddress } from './state/address.js';
import { watchServer } from './state/call.js';
import { loadWords } from './state/language.js';

// The colours stand with the outcomes, as those of the report do.
for (const [outcome, { colour }] of Object.entries(OUTCOME_TRAITS))
  document.documentElement.style.setProperty(`--outcome-${outcome}`, colour);

await loadWords();
followAddress();
watchServer();
render(<App />, document.body);
