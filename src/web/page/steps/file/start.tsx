import type { JSX } from 'preact';
import { StepFrame } from '../../frame/step-frame.js';
import { fileText } from '../../messages/file.js';
import { about } from '../../state/about.js';
import { t } from '../../state/language.js';
import { Chooser } from './chooser.js';
import { Recent } from './recent.js';
import { Samples } from './samples.js';

/** The beginning: choose a file, take a sample, or go on with a list. */
export function StartView(): JSX.Element {
  return (
    <StepFrame title={t(fileText.title)}>
      {about.value?.center === null && (
        <div class="notice">
          <p>
            <strong>{t(fileText.noInstallation)}</strong> {t(fileText.noInstallationNext)}
          </p>
        </div>
      )}
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
