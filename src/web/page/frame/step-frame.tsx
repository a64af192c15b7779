import type { ComponentChildren, JSX } from 'preact';
import { t } from '../state/language.js';
import { useSignal } from '@preact/signals';

/** The one thing that a step leads to. */
export interface PrimaryAction {
  /** Says what it does. */
  readonly label: string;
  readonly run: () => void;
  /** Why it cannot be done yet: said beside the button. `null`: it can. */
  readonly blocked: string | null;
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
  const hasBar = command !== undefined || back !== undefined || primary !== undefined;
  return (
    <>
      <main id="content" tabIndex={-1}>
        <h1>{title}</h1>
        {facts.length > 0 && <p class="facts soft">{facts.join(' · ')}</p>}
        {children}
      </main>
      {hasBar && (
        <footer class="bar">
          {command !== undefined && <CommandLine command={command} />}
          <div class="actions">
            {primary && <Why blocked={primary.blocked} />}
            {back && (
              <button type="button" onClick={back}>
                {t('Back')}
              </button>
            )}
            {primary && <Primary {...primary} />}
          </div>
        </footer>
      )}
    </>
  );
}

const Why = ({ blocked }: Pick<PrimaryAction, 'blocked'>): JSX.Element => (
  <p id="why" class="why" role="status">
    {blocked}
  </p>
);

/** It can be focused while it is blocked, so that the reason can be heard. */
const Primary = ({ label, run, blocked }: PrimaryAction): JSX.Element => (
  <button
    type="button"
    class="primary"
    aria-disabled={blocked !== null}
    aria-describedby="why"
    onClick={() => {
      if (blocked === null) run();
    }}
  >
    {label}
  </button>
);

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
    <div class="command">
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
  );
}

/** What a step is given. */
export interface StepProps {
  /** Id of the list. */
  readonly list: string;
}
