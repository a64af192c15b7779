import { aboutRoutes, setupRoutes } from './about.js';
import { checkRoutes } from './check.js';
import { fileRoutes } from './list.js';
import { importRoutes } from './run.js';
import type { AnswerOf, Asked, RouteTable, Taken } from './route.js';
import { resultRoutes } from './result.js';
import { historyRoutes } from './history.js';
import { columnsRoutes } from './columns.js';

/**
 * Every route of the server. The server registers a handler for each, and the page calls them by their names. A step
 * adds its part here when its handlers are there.
 */
export const routes = {
  ...aboutRoutes,
  ...fileRoutes,
  ...checkRoutes,
  ...importRoutes,
  ...setupRoutes,
  ...resultRoutes,
  ...historyRoutes,
  ...columnsRoutes,
} as const satisfies RouteTable;

export type Routes = typeof routes;
export type Name = keyof Routes;

/** Names of the routes that answer in this way. */
export type NameOf<Kind> = {
  [N in Name]: Routes[N]['kind'] extends Kind ? N : never;
}[Name];

export type AskedOf<N extends Name> = Asked<N, Routes[N]>;
export type TakenOf<N extends Name> = Taken<N, Routes[N]>;
export type Answer<N extends Name> = AnswerOf<Routes[N]>;
