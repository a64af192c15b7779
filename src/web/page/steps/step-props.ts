/** What a step is given. */
export interface StepProps {
  /** Id of the list. */
  readonly list: string;
}
