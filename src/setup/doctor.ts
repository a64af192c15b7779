import { CardlineError, ContactCenterError, EXIT, type ExitCode } from '../core/errors.js';
import * as checks from './doctor-checks.js';
import type { DoctorRequest, CheckContext, Check } from './doctor-checks.js';
import { CHECKS, type CheckName, type Diagnosis, type Finding, failed } from './finding.js';

/** What each name checks. */
const CHECKS_BY_NAME = checks satisfies Record<CheckName, Check>;

export interface DoctorResult {
  /** 64: a file has to be mended; 3: the contact center or this machine stands in the way. */
  readonly exitCode: ExitCode;
  readonly results: readonly Finding[];
}

/**
 * Checks everything that an import needs, in order. It sends one request that reads, or a few where the campaigns are
 * listed, and changes nothing.
 * @param onFinding told of each check as soon as it has been made
 */
export async function examine(
  request: DoctorRequest,
  onFinding: (finding: Finding) => void,
): Promise<DoctorResult> {
  const context: CheckContext = { request };
  const results: Finding[] = [];
  const causes = new Map<CheckName, CheckName>();
  const codes = new Set<ExitCode>();
  try {
    for (const name of CHECKS) {
      const { needs, isAsked, run }: Check = CHECKS_BY_NAME[name];
      if (isAsked?.(context) === false) continue;
      request.signal.throwIfAborted();
      const cause = needs.map((need) => causes.get(need)).find((one) => one !== undefined);
      const result = cause === undefined ? await resultOf(run, context) : skippedFor(cause);
      if (result.state === 'failed') codes.add(result.exitCode);
      if (result.state === 'failed' || result.state === 'skipped') causes.set(name, cause ?? name);
      const finding = { check: name, state: result.state, text: result.text };
      results.push(finding);
      onFinding(finding);
    }
  } finally {
    await context.center?.close();
  }
  return { exitCode: exitCodeOf(codes), results };
}

const skippedFor = (cause: CheckName) =>
  ({ state: 'skipped', text: `not checked, because of "${cause}"` }) as const;

/** What is wrong on purpose is what the check found. */
async function resultOf(run: Check['run'], context: CheckContext): Promise<Diagnosis> {
  try {
    return await run(context);
  } catch (error) {
    if (!(error instanceof CardlineError) || context.request.signal.aborted) throw error;
    return failed(textOf(error), error.exitCode === EXIT.usage ? EXIT.usage : EXIT.stopped);
  }
}

/** Which operation failed means nothing to a person who did not ask for one. */
function textOf(error: CardlineError): string {
  const { message } = error;
  if (!(error instanceof ContactCenterError)) return message;
  const prefix = `${error.operation}: `;
  return message.startsWith(prefix) ? `${message.slice(prefix.length)}.` : message;
}

/** Files come first: what a person can mend at once. */
function exitCodeOf(codes: ReadonlySet<ExitCode>): ExitCode {
  if (codes.has(EXIT.usage)) return EXIT.usage;
  return codes.has(EXIT.stopped) ? EXIT.stopped : EXIT.ok;
}
