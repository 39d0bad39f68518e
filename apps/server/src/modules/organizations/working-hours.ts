import type { OkOf } from '@stet/contract';
import { type WorkCalendar, addsOneHoliday, calendarProblems, dayIn, delaysDueTimes } from '@stet/domain/sla';
import { calendarWords } from '@stet/presentation/calendar-words';
import type { Handlers } from '../../http/handler.ts';
import { selected } from '../../http/selected.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { ALONE, propose, replaceWaiting } from '../confirmations/index.ts';
import {
  type WorkingHoursRow,
  changeWorkingHours,
  findWorkingHours,
  listEarlierHolidays,
  lockWorkingHours,
  presentHours,
} from './apply-working-hours.ts';

type Presented = OkOf<'GET /api/organizations/{id}/working-hours'>;

const presented = (hours: WorkCalendar | null, pending: WorkingHoursRow['pending']): Presented => ({
  workingHours: presentHours(hours),
  pending: pending && {
    workingHours: presentHours(pending.workingHours),
    proposedBy: pending.by,
    proposedAt: new Date(pending.at).toISOString(),
  },
});

/** The working hours that an organization's SLAs use. A change applies to steps that become active later. */
export const workingHoursHandlers = {
  'GET /api/organizations/{id}/working-hours': async ({ db }, { actor, params }) => {
    const orgId = selected(actor, params.id);
    const found = await db.transaction(actor, (tx) => tx.maybeOne(findWorkingHours, { orgId }));
    return answer(presented(found?.working_hours ?? null, found?.pending ?? null));
  },

  // A change applies immediately if it makes no due time later, or if `addsOneHoliday` allows it. Any other change
  // needs a second manager (docs/second-person.md).
  'PATCH /api/organizations/{id}/working-hours': async ({ db }, { actor, params, body }) => {
    const orgId = selected(actor, params.id);
    const { userId: id, name, email } = actor;
    const wanted = inOrder(body.workingHours);
    const problems = wanted ? calendarProblems(wanted) : [];
    if (problems.length > 0)
      throw new Refused({
        code: 'invalid',
        problems: problems.map(({ field, problem }) => ({ field: `workingHours.${field}`, problem })),
      });
    return db.transaction(actor, async (tx) => {
      const [, found] = await Promise.all([
        tx.maybeOne(lockWorkingHours, { orgId }),
        tx.maybeOne(findWorkingHours, { orgId }),
      ]);
      if (!found) throw new Refused({ code: 'not_found', what: 'organization' });
      const { working_hours: before, pending, now } = found;
      if (isSame(before, wanted)) return answer(presented(before, pending));
      const about: { note?: string } = {};
      let alone: string | undefined;
      const earlier = (await tx.many(listEarlierHolidays, { orgId })).map(({ day }) => day);
      if (isLooser(before, wanted, now, earlier)) {
        const sentence = sentenceOf(before, wanted);
        const proposal = {
          kind: 'working_hours' as const,
          subjectId: orgId,
          payload: { workingHours: presentHours(wanted) },
          sentence,
        };
        const isRepeated = pending !== null && pending.by.id === id && isSame(pending.workingHours, wanted);
        const proposed = await propose(tx, actor, proposal, { isRepeated });
        if (proposed.outcome === 'repeated') return answer(presented(before, pending));
        if (proposed.outcome === 'waits') {
          appendAudit(tx, [proposed.record]);
          const at = proposed.at.toISOString();
          return answer(presented(before, { workingHours: wanted, by: { id, name, email }, at }));
        }
        about.note = ALONE;
        alone = sentence;
      } else if (pending) tx.write(replaceWaiting, { orgId, kind: 'working_hours', subjectId: orgId });
      appendAudit(tx, [changeWorkingHours(tx, actor, { before, after: wanted }, about, alone)]);
      return answer(presented(wanted, null));
    });
  },
} satisfies Partial<Handlers>;

const isSame = (one: WorkCalendar | null, other: WorkCalendar | null): boolean =>
  JSON.stringify(presentHours(one)) === JSON.stringify(presentHours(other));

function isLooser(
  before: WorkCalendar | null,
  after: WorkCalendar | null,
  now: Date,
  earlier: readonly string[],
): boolean {
  const today = dayIn((after ?? before)?.timeZone ?? 'UTC', now.getTime());
  return delaysDueTimes(before, after, today) && !addsOneHoliday(before, after, today, earlier);
}

/** Maximum number of new holidays named in a change's description. */
const HOLIDAYS_NAMED = 10;

function sentenceOf(before: WorkCalendar | null, after: WorkCalendar | null): string {
  const added = (after?.holidays ?? []).filter((day) => !before?.holidays.includes(day));
  const more = added.length > HOLIDAYS_NAMED ? ` and ${added.length - HOLIDAYS_NAMED} more` : '';
  const holidays = added.length === 0 ? '' : ` New holidays: ${added.slice(0, HOLIDAYS_NAMED).join(', ')}${more}.`;
  return `Change the working hours: ${calendarWords(before)} → ${calendarWords(after)}. Due times can become later.${holidays}`;
}

/**
 * Sorts periods by time and holidays by date, and removes duplicate holidays, so that equivalent working hours compare
 * as equal.
 */
function inOrder(hours: WorkCalendar | null): WorkCalendar | null {
  if (!hours) return null;
  const { timeZone, week, holidays } = hours;
  return {
    timeZone,
    week: week.map((day) => day.toSorted((one, other) => one.from - other.from)),
    holidays: [...new Set(holidays)].toSorted(),
  };
}
