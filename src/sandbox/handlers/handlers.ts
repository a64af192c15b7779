import type { Context } from '../context.js';
import type { Handlers } from '../handler.js';
import { addApplicationsHandler } from './add-applications.js';
import { addClientsHandler } from './add-clients.js';
import { applicationHandlers } from './applications.js';
import { callbackHandlers } from './callbacks.js';
import { campaignHandlers } from './campaigns.js';
import { clientHandlers } from './clients.js';
import { contactHandlers } from './contacts.js';

/** A handler for each operation of the contract. */
export function handlersOf(context: Context): Handlers {
  return {
    ...addClientsHandler(context),
    ...clientHandlers(context),
    ...contactHandlers(context),
    ...addApplicationsHandler(context),
    ...applicationHandlers(context),
    ...campaignHandlers(context),
    ...callbackHandlers(context),
  };
}
