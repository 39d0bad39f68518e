import type { OkOf } from '@stet/contract';
import {
  type WorkCalendar,
  addsOneHoliday,
  calendarProblems,
  calendarWords,
  dayIn,
  delaysDueTimes,
} from '@stet/domain/sla';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handlers } from '../../http/handler.ts';
import { selected } from '../../http/selected.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { ALONE, propose, replaceWaiting } from '../confirmations/reads.ts';
import {
  type WorkingHoursRow,
  changeWorkingHours,
  findWorkingHours,
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

/** The working hours that SLAs of this organization are counted in; what changes counts for later activations. */
export const workingHoursHandlers = {
  'GET /api/organizations/{id}/working-hours': async ({ db }, { actor, params }) => {
    const orgId = selected(actor, params.id);
    const found = await db.transaction(actor, (tx) => tx.maybeOne(findWorkingHours, { orgId }));
    return answer(presented(found?.working_hours ?? null, found?.pending ?? null));
  },

  // What moves no due time back holds at once; the rest waits for a second manager, or is marked if there is none.
  'PATCH /api/organizations/{id}/working-hours': async ({ db }, { actor, params, body }) => {
    const orgId = selected(actor, params.id);
    const { userId: id, name, email } = actor;
    const wanted = inOrder(body.workingHours);
    const problems = wanted ? calendarProblems(wanted) : [];
    if (problems.length > 0)
      throw new Refused({
        code: 'invalid',
        problems: problems.map((problem) => ({ field: 'workingHours', problem })),
      });
    return db.transaction(actor, async (tx) => {
      const [, found] = await Promise.all([
        tx.maybeOne(lockWorkingHours, { orgId }),
        tx.maybeOne(findWorkingHours, { orgId }),
      ]);
      if (!found) throw new Refused({ code: 'not_found', what: 'organization' });
      const { working_hours: before, pending, now } = found;
      if (isSame(before, wanted)) return answer(presented(before, pending));
      if (pending?.by.id === id && isSame(pending.workingHours, wanted)) return answer(presented(before, pending));

      const about: { note?: string } = {};
      if (isLooser(before, wanted, now)) {
        const proposed = await propose(tx, actor, {
          kind: 'working_hours',
          subjectId: orgId,
          payload: { workingHours: presentHours(wanted) },
          sentence: sentenceOf(before, wanted),
        });
        if (proposed.outcome === 'waits') {
          appendAudit(tx, [proposed.record]);
          const at = proposed.at.toISOString();
          return answer(presented(before, { workingHours: wanted, by: { id, name, email }, at }));
        }
        about.note = ALONE;
      } else if (pending) tx.write(replaceWaiting, { orgId, kind: 'working_hours', subjectId: orgId });
      appendAudit(tx, [changeWorkingHours(tx, actor, { before, after: wanted }, about)]);
      return answer(presented(wanted, null));
    });
  },
} satisfies Partial<Handlers>;

const isSame = (one: WorkCalendar | null, other: WorkCalendar | null): boolean =>
  JSON.stringify(presentHours(one)) === JSON.stringify(presentHours(other));

function isLooser(before: WorkCalendar | null, after: WorkCalendar | null, now: Date): boolean {
  const today = dayIn((after ?? before)?.timeZone ?? 'UTC', now.getTime());
  return delaysDueTimes(before, after, today) && !addsOneHoliday(before, after, today);
}

/** What would change, with the holidays that are new; so many of them are named. */
const HOLIDAYS_NAMED = 10;

function sentenceOf(before: WorkCalendar | null, after: WorkCalendar | null): string {
  const added = (after?.holidays ?? []).filter((day) => !before?.holidays.includes(day));
  const more = added.length > HOLIDAYS_NAMED ? ` and ${added.length - HOLIDAYS_NAMED} more` : '';
  const holidays = added.length === 0 ? '' : ` New holidays: ${added.slice(0, HOLIDAYS_NAMED).join(', ')}${more}.`;
  return `Change the working hours, by which due times can get later: ${calendarWords(before)} → ${calendarWords(after)}.${holidays}`;
}

/** Periods by time and holidays by date, each once, so that the same hours are the same however they were put in. */
function inOrder(hours: WorkCalendar | null): WorkCalendar | null {
  if (!hours) return null;
  const { timeZone, week, holidays } = hours;
  return {
    timeZone,
    week: week.map((day) => day.toSorted((one, other) => one.from - other.from)),
    holidays: [...new Set(holidays)].toSorted(),
  };
}
