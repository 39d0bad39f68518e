import type { WorkingHours } from '@stet/contract';
import type { WorkCalendar } from '@stet/domain/sla';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import type { EventOf } from '../../kernel/recorded-event.ts';
import type { ConfirmationRow } from '../confirmations/index.ts';

type PersonRow = { id: string; name: string; email: string };

const row = z.object({
  working_hours: z.custom<WorkCalendar | null>(),
  /** The change that is waiting for a second manager. */
  pending: z.custom<{ workingHours: WorkCalendar | null; by: PersonRow; at: string } | null>(),
  now: z.date(),
});
export type WorkingHoursRow = z.output<typeof row>;

const selectWorkingHours = `
  select o.working_hours, clock_timestamp() as now,
         (select json_build_object('workingHours', k.payload -> 'workingHours', 'at', k.proposed_at,
                                   'by', json_build_object('id', u.id, 'name', u.name, 'email', u.email))
          from confirmations k join users u on u.id = k.proposed_by
          where k.org_id = o.id and k.kind = 'working_hours' and k.subject_id = o.id::text and k.status = 'waiting') as pending
  from organizations o where o.id = $1`;

export const findWorkingHours = statement({
  name: 'find_working_hours',
  params: ['orgId'],
  row,
  text: selectWorkingHours,
});
/** All holidays that the working hours have ever had, according to the trail. */
export const listEarlierHolidays = statement({
  name: 'list_earlier_holidays',
  params: ['orgId'],
  row: z.object({ day: z.string() }),
  text: `select distinct day from audit_events e cross join lateral jsonb_array_elements_text(
           coalesce(e.payload::jsonb #> '{data,before,workingHours,holidays}', '[]')
           || coalesce(e.payload::jsonb #> '{data,after,workingHours,holidays}', '[]')) day
         where e.org_id = $1 and e.action = 'policy.changed'`,
});
/**
 * Locks the organization. The working hours must be read in a later statement, which sees the changes that were
 * committed while this one waited.
 */
export const lockWorkingHours = statement({
  name: 'lock_working_hours',
  params: ['orgId'],
  row: z.object({ id: z.uuid() }),
  text: `select id from organizations where id = $1 for no key update`,
});
const saveWorkingHours = statement({
  name: 'save_working_hours',
  params: ['orgId', 'workingHours'],
  text: `update organizations set working_hours = $2::jsonb where id = $1`,
});

/** Copies the readonly lists, because the response schema has mutable ones. */
export const presentHours = (hours: WorkCalendar | null | undefined): WorkingHours | null =>
  hours
    ? {
        timeZone: hours.timeZone,
        week: hours.week.map((day) => day.map(({ from, to }) => ({ from, to }))),
        holidays: [...hours.holidays],
      }
    : null;

/** Applies working hours and returns the event. `alone` describes a change that one manager made alone. */
export function changeWorkingHours(
  tx: Tx,
  actor: OrgActor,
  { before, after }: { before: WorkCalendar | null; after: WorkCalendar | null },
  about: Readonly<Record<string, unknown>>,
  alone?: string,
): EventOf<'policy.changed'> {
  const { orgId } = actor;
  tx.write(saveWorkingHours, { orgId, workingHours: after && JSON.stringify(after) });
  return {
    ...auditActor(actor),
    action: 'policy.changed',
    subject: { type: 'organization', id: orgId },
    data: { before: { workingHours: presentHours(before) }, after: { workingHours: presentHours(after) }, ...about },
    context: alone === undefined ? {} : { alone },
  };
}

/** Applies confirmed working hours. */
export async function applyWorkingHours(
  tx: Tx,
  actor: OrgActor,
  confirmation: ConfirmationRow,
): Promise<EventOf<'policy.changed'>[]> {
  const found = await tx.maybeOne(findWorkingHours, { orgId: actor.orgId });
  const { workingHours } = confirmation.payload as { workingHours: WorkCalendar | null };
  const proposal = { proposedBy: confirmation.proposer.id, proposedAt: confirmation.proposed_at.toISOString() };
  return [changeWorkingHours(tx, actor, { before: found?.working_hours ?? null, after: workingHours }, proposal)];
}
