import type { Answer } from '../../server/handlers.js';

/** What the server answers with: types alone, as its handlers have them. */
export type { Answer };

export type About = Answer<'GET /api/about'>;
export type Center = NonNullable<About['center']>;
export type PageProblem = NonNullable<CheckState['problem']>;

export type List = Answer<'GET /api/lists/:list'>;
export type Preview = Answer<'GET /api/lists/:list/preview'>;
export type Extent = Answer<'GET /api/lists/:list/extent'>;

export type Columns = Answer<'GET /api/lists/:list/columns'>;
export type Column = Columns['columns'][number];
export type ColumnUse = Column['uses'][number];
export type Decision = Columns['decisions'][number];
export type Card = Columns['cards'][number];
export type Target = Columns['targets'][number];
export type Missing = Columns['missing'][number];
export type Mistake = Columns['mistakes'][number];

export type CheckState = Answer<'GET /api/lists/:list/check'>;
export type RejectsOf = NonNullable<CheckState['rejectsOf']>;
export type ProblemGroup = CheckState['groups'][number];
export type ListFacts = CheckState['facts'];
export type CheckedRows = Answer<'GET /api/lists/:list/check/rows'>;
export type CheckedRow = CheckedRows['rows'][number];
export type CheckedCell = CheckedRow['cells'][number];
export type Mends = Answer<'GET /api/lists/:list/check/mends'>;
export type Remedies = Answer<'GET /api/lists/:list/check/remedies'>;
export type Corrected = Answer<'GET /api/lists/:list/corrections'>['corrections'][number];

export type ImportPlan = Answer<'GET /api/lists/:list/import'>;
export type Campaign = Answer<'GET /api/campaigns'>['campaigns'][number];
export type Live = Answer<'GET /api/runs/:run/live'>;

export type Result = Answer<'GET /api/runs/:run/result'>;
export type ResultRows = Answer<'GET /api/runs/:run/rows'>;
export type ResultReason = Result['reasons'][number];
export type UndoPreview = Answer<'GET /api/runs/:run/undo'>;

export type PastRun = Answer<'GET /api/runs'>['runs'][number];
export type Comparison = Answer<'GET /api/runs/:run/compared/:other'>;
export type RunTrend = Answer<'GET /api/runs/:run/trend'>;
