import { cutText } from '@stet/domain/workflows';
import { RUN_LIMITS } from '@stet/domain/defaults';
import { formatSharedDate } from '../../../lib/format/time.ts';

/** The priorities that the dialog offers (specification, section 5). */
export const DIALOG_PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;
export type DialogPriority = (typeof DIALOG_PRIORITIES)[number];

export type RunForm = { name: string; description: string; priority: DialogPriority };

/** The request body. Text is trimmed, and an empty description is omitted. */
export function runRequest(key: string, form: RunForm) {
  const description = form.description.trim();
  return { key, name: form.name.trim(), priority: form.priority, ...(description !== '' && { description }) };
}

/**
 * Suggested names for a run (specification, section 9), with the short date, a timestamp, a counter, Production or
 * Testing. A long title is cut so that each name fits the limit.
 */
export function nameSuggestions(title: string, at: { now: Date; counter: number }): string[] {
  const pad = (value: number): string => String(value).padStart(2, '0');
  const { now } = at;
  const stamp = `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())} ${pad(now.getHours())}:${pad(now.getMinutes())}`;
  const endings = [` - ${formatSharedDate(now)}`, ` - ${stamp}`, ` #${at.counter}`, ' - Production', ' - Testing'];
  return endings.map((ending) => cutText(title.trim(), RUN_LIMITS.nameMax - ending.length).trimEnd() + ending);
}

/** The next number for a run's name: 8 after 'Vendor onboarding #7', and 1 if the newest name has no number. */
export function nextCounter(newestRunName: string | null): number {
  const digits = /#(\d{1,9})$/.exec(newestRunName ?? '')?.[1];
  return digits === undefined ? 1 : Number(digits) + 1;
}
