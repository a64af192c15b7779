import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { STEPS } from '../../shared/page.js';
import type { PageProblem } from '../state/answers.js';
import { Link, ProblemNote, Waiting, stepText, Button } from '../parts/parts.js';
import { place } from '../state/address.js';
import { t } from '../state/language.js';

/** The one thing that a step leads to. */
export interface PrimaryAction {
  /** Says what it does. */
  readonly label: string;
  readonly run: () => void;
  /** Why it cannot be done yet: said beside the button. `null`: it can. */
  readonly blocked: string | null;
  /** Whether it does more than lead on: Enter from the heading is no order for that. @default false */
  readonly isFinal?: boolean;
  /** What is worth knowing before, and holds nothing up. */
  readonly hint?: string | null;
}

interface StepFrameProps {
  readonly title: string;
  /** Said below the title, such as how many rows. */
  readonly facts?: readonly string[];
  /** What does the same on the command line. */
  readonly command?: string | undefined;
  readonly back?: (() => void) | undefined;
  readonly primary?: PrimaryAction | undefined;
  readonly children: ComponentChildren;
}

/** What all steps have: title, content, and the bar at the bottom. */
export function StepFrame(props: StepFrameProps): JSX.Element {
  const { title, facts = [], command, back, primary, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The focus goes to the heading of a step that the person has gone to, and to the one that takes its place.
    const isReplaced = focused?.isConnected === false && document.activeElement === document.body;
    if (location.pathname === arrivedAt && !isReplaced) return;
    arrivedAt = location.pathname;
    focused = heading.current;
    focused?.focus({ preventScroll: true });
  });
  usePrimaryKeys(primary);
  const at = place.value;
  const hasBar = command !== undefined || back !== undefined || primary !== undefined;
  return (
    <>
      <main id="content" tabIndex={-1}>
        {/* Where there is no room for all of the steps. */}
        {at.kind === 'list' && (
          <p class="step-count soft">
            {t(
              'Step {1} of {2}: {3}',
              STEPS.indexOf(at.step) + 1,
              STEPS.length,
              t(stepText[at.step]),
            )}
          </p>
        )}
        <div class="heading">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {facts.length > 0 && <p class="facts soft">{facts.join(' · ')}</p>}
        </div>
        {children}
      </main>
      {hasBar && (
        <footer class="bar">
          {command !== undefined && <CommandLine command={command} />}
          <div class="actions">
            {primary && (
              <p id="why" class="why" role="status">
                {primary.blocked ?? primary.hint}
              </p>
            )}
            {back && <Button onClick={back} label={t('Back')} />}
            {/* It can be focused while it is blocked, so that the reason can be heard. */}
            {primary && (
              <Button
                class="primary"
                aria-disabled={primary.blocked !== null}
                aria-describedby="why"
                onClick={() => {
                  if (primary.blocked === null) primary.run();
                }}
                label={primary.label}
              />
            )}
          </div>
        </footer>
      )}
    </>
  );
}

/** In place of a step whose list cannot be shown yet, or at all. */
export const NotReady = ({
  problem,
  ...frame
}: Pick<StepFrameProps, 'title' | 'back'> & {
  readonly problem: PageProblem | null;
}): JSX.Element => (
  <StepFrame {...frame}>
    {problem === null ? (
      <Waiting />
    ) : (
      <ProblemNote problem={problem}>
        <p>
          <Link to={{ kind: 'start' }}>{t('Choose another file')}</Link>
        </p>
      </ProblemNote>
    )}
  </StepFrame>
);

/** Where the person was last: a view that is drawn anew does not take the focus again. */
let arrivedAt = location.pathname;

/** The heading that got the focus then. */
let focused: HTMLHeadingElement | null = null;

/** Ctrl+Enter leads on from anywhere, Enter from the heading. A key that is held down leads on once. */
function usePrimaryKeys(primary: PrimaryAction | undefined): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || event.defaultPrevented || event.repeat) return;
      if (primary?.blocked !== null || document.querySelector('dialog[open]')) return;
      const isHeading = event.target instanceof HTMLHeadingElement && primary.isFinal !== true;
      if (!event.ctrlKey && !event.metaKey && !isHeading) return;
      const field = event.target instanceof HTMLElement ? event.target : null;
      // What stands in a form is for its own button.
      if (field?.closest('form')) return;
      event.preventDefault();
      // What was typed counts once the field is left; an import is not started before it does.
      const isTyped = field?.matches('input, textarea, select') === true;
      if (isTyped) field.blur();
      if (!isTyped || primary.isFinal !== true) primary.run();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}

/** How long it is said that it was copied, in milliseconds. */
const SHOWN_MS = 2_000;

/** What does the same on the command line. */
export function CommandLine({ command }: { readonly command: string }): JSX.Element {
  const isCopied = useSignal(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(command);
    isCopied.value = true;
    setTimeout(() => (isCopied.value = false), SHOWN_MS);
  };
  return (
    <details class="menu command">
      <summary>{t('The same on the command line')}</summary>
      <div>
        <code
          tabIndex={0}
          role="group"
          aria-label={t('The same on the command line')}
          title={command}
        >
          <span aria-hidden="true">$ </span>
          {command}
        </code>
        <button type="button" class="plain" onClick={() => void copy()}>
          <span aria-live="polite">{t(isCopied.value ? 'Copied' : 'Copy')}</span>
        </button>
      </div>
    </details>
  );
}

/** What a step is given. */
export interface StepProps {
  /** Id of the list. */
  readonly list: string;
}
