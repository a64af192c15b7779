import type { List } from '../../shared/list.js';
import type { Site } from '../site.js';
import { commandOf } from './command.js';
import type { StoredList } from './lists.js';

/** A list as the page sees it. */
export const shownList = (list: StoredList, { settings }: Pick<Site, 'settings'>): List => ({
  ...list,
  isUnsaved: list.mappingFile === null,
  command: commandOf(list, settings),
});
