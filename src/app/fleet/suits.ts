import { CardlineError } from '../../core/errors.js';
import { USER_AGENT } from '../../client/user-agent.js';
import { connect } from '../connect/connect.js';
import type { RunOptions } from '../requests.js';
import { currentLists } from '../run/send-rows.js';
import type { ReadPlan, SharedPlan } from './shared-plan.js';

/** Whether a process can work on a run. `why`: absent where the person did not want it to. */
export type Suits =
  | { readonly kind: 'suits'; readonly plan: SharedPlan }
  | { readonly kind: 'not'; readonly why?: string };

/**
 * Looks whether this process has all that a run needs: the version that has handed it over, the secrets and certificates of
 * its installation, and its lists of numbers.
 */
export async function suits(
  read: ReadPlan,
  installations: readonly string[] | undefined,
  env: RunOptions['env'],
): Promise<Suits> {
  const name = read.kind === 'own' ? read.plan.installation.name : read.installation;
  if (installations && !installations.includes(name)) return { kind: 'not' };
  if (read.kind === 'other')
    return {
      kind: 'not',
      why: `it was handed over by ${read.version}, and this is ${USER_AGENT}: use one version on all machines`,
    };
  const { plan } = read;
  const lists = currentLists(plan);
  try {
    const request: RunOptions = { installation: name, ...(env ? { env } : {}) };
    await connect(request, plan.installation).center.close();
    await lists?.current();
    return { kind: 'suits', plan };
  } catch (error) {
    if (!(error instanceof CardlineError)) throw error;
    return { kind: 'not', why: error.message };
  } finally {
    lists?.close();
  }
}
