import type { Campaign } from '../../../shared/run.js';
import { importText } from '../../messages/import.js';
import { calendarDay, t, weekday } from '../../state/language.js';

/** When a campaign begins, ends and calls, in words. The interface does not show more of its state. */
export function scheduleOf(campaign: Campaign, today = new Date()): string {
  const { firstDay, lastDay, isAutomatic, weekdays, weekends, clientTime, days } = campaign;
  const now = today.toISOString().slice(0, 10);
  const parts: string[] = [];
  if (lastDay !== null && lastDay < now) parts.push(t(importText.ended, calendarDay(lastDay)));
  else {
    if (isAutomatic && firstDay !== null)
      parts.push(t(importText.automatic, calendarDay(firstDay)));
    else if (firstDay !== null) parts.push(t(importText.from, calendarDay(firstDay)));
    if (lastDay !== null) parts.push(t(importText.until, calendarDay(lastDay)));
  }
  if (days.length > 0 && days.length < 7) parts.push(days.map(weekday).join(' '));
  if (weekdays) parts.push(t(importText.calls, spanOf(weekdays)));
  if (weekends) parts.push(t(importText.weekends, spanOf(weekends)));
  if (clientTime) parts.push(t(importText.clientTime, spanOf(clientTime)));
  if (parts.length === 0) return t(importText.noSchedule);
  if (!isAutomatic) parts.push(t(importText.byHand));
  return parts.join(' · ');
}

const spanOf = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  `${from}–${to}`;
