import { cutText } from '@stet/domain/workflows';
import { RUN_LIMITS, RUN_NAME_PROBLEMS } from '@stet/domain/defaults';
import { formatDateForAll } from '../../../lib/format/time.ts';

/** Priorities that the dialog offers (specification, section 5). */
export const DIALOG_PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;
export type DialogPriority = (typeof DIALOG_PRIORITIES)[number];

export type RunForm = { name: string; description: string; priority: DialogPriority };

/** What is wrong with the name, as the specification says it, else null (section 5). */
export function nameProblem(name: string): string | null {
  const length = name.trim().length;
  if (length === 0) return 'Run name is required';
  if (length < RUN_LIMITS.nameMin) return RUN_NAME_PROBLEMS.short;
  if (length > RUN_LIMITS.nameMax) return RUN_NAME_PROBLEMS.long;
  return null;
}

export function descriptionProblem(description: string): string | null {
  return description.trim().length > RUN_LIMITS.description
    ? `Description must be at most ${RUN_LIMITS.description} characters long`
    : null;
}

/** The body of the call: texts trimmed, an empty description left out. */
export function runRequest(key: string, form: RunForm) {
  const description = form.description.trim();
  return { key, name: form.name.trim(), priority: form.priority, ...(description !== '' && { description }) };
}

/**
 * Names for a run (specification, section 9): with the short date, timestamp style, counter style, Production, Testing.
 * Each fits the limit: a long title is cut, the part that tells runs apart stays.
 */
export function nameSuggestions(title: string, at: { now: Date; counter: number }): string[] {
  const pad = (value: number): string => String(value).padStart(2, '0');
  const { now } = at;
  const stamp = `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())} ${pad(now.getHours())}:${pad(now.getMinutes())}`;
  const endings = [` - ${formatDateForAll(now)}`, ` - ${stamp}`, ` #${at.counter}`, ' - Production', ' - Testing'];
  return endings.map((ending) => cutText(title.trim(), RUN_LIMITS.nameMax - ending.length).trimEnd() + ending);
}

/** The number that goes on from the newest run's name: 8 after 'Vendor onboarding #7', else 1. */
export function nextCounter(newestRunName: string | null): number {
  const digits = /#(\d{1,9})$/.exec(newestRunName ?? '')?.[1];
  return digits === undefined ? 1 : Number(digits) + 1;
}
