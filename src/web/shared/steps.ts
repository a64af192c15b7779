/** The steps of a list, in order. Each has its address: `/lists/:id/<step>`. In the browser too, so without schemas. */
export const STEPS = ['file', 'columns', 'check', 'import', 'result'] as const;
export type Step = (typeof STEPS)[number];
