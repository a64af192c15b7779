/** Why nobody is to send anything more for a shared run. */
export interface SharedStop {
  readonly by: 'canary' | 'failures';
  /** How many rows have ended badly. */
  readonly bad: number;
}

/** Why a run stops, of its line in `shared`; `NULL`: it does not. */
export const STOP = `CASE WHEN gate <= 0 THEN 'canary' WHEN rejected + failed > allowed THEN 'failures' END`;
