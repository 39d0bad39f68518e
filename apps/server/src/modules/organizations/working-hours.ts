import { type WorkCalendar, calendarProblems } from '@stet/domain/sla';
import { z } from 'zod';
import { appendAudit } from '../../db/append-audit.ts';
import { statement } from '../../db/statement.ts';
import type { Handlers } from '../../http/handler.ts';
import { selected } from '../../http/selected.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';

const row = z.object({ working_hours: z.custom<WorkCalendar | null>() });

const findWorkingHours = statement({
  name: 'find_working_hours',
  params: ['orgId'],
  row,
  text: `select working_hours from organizations where id = $1`,
});
const lockWorkingHours = statement({
  name: 'lock_working_hours',
  params: ['orgId'],
  row,
  text: `select working_hours from organizations where id = $1 for no key update`,
});
const saveWorkingHours = statement({
  name: 'save_working_hours',
  params: ['orgId', 'workingHours'],
  text: `update organizations set working_hours = $2::jsonb where id = $1`,
});

/** As the schema answers it: lists that can be written to. */
const presented = (hours: WorkCalendar | null | undefined) => ({
  workingHours: hours
    ? {
        timeZone: hours.timeZone,
        week: hours.week.map((day) => day.map(({ from, to }) => ({ from, to }))),
        holidays: [...hours.holidays],
      }
    : null,
});

/** The working hours that SLAs of this organization are counted in; what changes counts for later activations. */
export const workingHoursHandlers = {
  'GET /api/organizations/{id}/working-hours': async ({ db }, { actor, params }) => {
    const orgId = selected(actor, params.id);
    const found = await db.transaction(actor, (tx) => tx.maybeOne(findWorkingHours, { orgId }));
    return answer(presented(found?.working_hours));
  },

  'PATCH /api/organizations/{id}/working-hours': async ({ db }, { actor, params, body }) => {
    const orgId = selected(actor, params.id);
    const wanted = inOrder(body.workingHours);
    const problems = wanted ? calendarProblems(wanted) : [];
    if (problems.length > 0)
      throw new Refused({
        code: 'invalid',
        problems: problems.map((problem) => ({ field: 'workingHours', problem })),
      });
    return db.transaction(actor, async (tx) => {
      const before = await tx.maybeOne(lockWorkingHours, { orgId });
      const was = presented(before?.working_hours);
      const is = presented(wanted);
      if (JSON.stringify(was) !== JSON.stringify(is)) {
        tx.write(saveWorkingHours, { orgId, workingHours: wanted && JSON.stringify(wanted) });
        appendAudit(tx, [
          {
            ...by(actor),
            action: 'policy.changed',
            subject: { type: 'organization', id: orgId },
            data: { before: was, after: is },
          },
        ]);
      }
      return answer(is);
    });
  },
} satisfies Partial<Handlers>;

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
