import type { JSX } from 'preact';
import { StepFrame } from '../../frame/step-frame.js';
import { fileText } from '../../messages/file.js';
import { about } from '../../state/about.js';
import { t } from '../../state/language.js';
import { Made, NoCenter } from '../setup/no-center.js';
import { Chooser } from './chooser.js';
import { Recent } from './recent.js';
import { Samples } from './samples.js';

/** The beginning: choose a file, take a sample, or go on with a list. */
export function StartView(): JSX.Element {
  return (
    <StepFrame title={t(fileText.title)}>
      {about.value?.center === null && <NoCenter />}
      <Made />
      {about.value?.readOnly === false && (
        <>
          <Chooser />
          <Samples />
        </>
      )}
      <Recent />
    </StepFrame>
  );
}
