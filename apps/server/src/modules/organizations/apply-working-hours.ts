import type { WorkingHours } from '@stet/contract';
import type { AuditRecord } from '@stet/domain/audit';
import type { WorkCalendar } from '@stet/domain/sla';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import { type OrgActor, by } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import type { ConfirmationRow } from '../confirmations/reads.ts';

type PersonRow = { id: string; name: string; email: string };

const row = z.object({
  working_hours: z.custom<WorkCalendar | null>(),
  /** What waits for a second manager. */
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
/** Locks the organization; what it waited for may have changed, so the hours are read by a later statement. */
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

/** As the schema answers it: lists that can be written to. */
export const presentHours = (hours: WorkCalendar | null | undefined): WorkingHours | null =>
  hours
    ? {
        timeZone: hours.timeZone,
        week: hours.week.map((day) => day.map(({ from, to }) => ({ from, to }))),
        holidays: [...hours.holidays],
      }
    : null;

/** Makes working hours hold, and answers the event that says so. */
export function changeWorkingHours(
  tx: Tx,
  actor: OrgActor,
  { before, after }: { before: WorkCalendar | null; after: WorkCalendar | null },
  about: Readonly<Record<string, unknown>>,
): AuditRecord {
  const { orgId } = actor;
  tx.write(saveWorkingHours, { orgId, workingHours: after && JSON.stringify(after) });
  return {
    ...by(actor),
    action: 'policy.changed',
    subject: { type: 'organization', id: orgId },
    data: { before: { workingHours: presentHours(before) }, after: { workingHours: presentHours(after) }, ...about },
  };
}

/** Makes confirmed working hours hold. */
export async function applyWorkingHours(
  tx: Tx,
  actor: OrgActor,
  confirmation: ConfirmationRow,
): Promise<AuditRecord[]> {
  const found = await tx.maybeOne(findWorkingHours, { orgId: actor.orgId });
  const { workingHours } = confirmation.payload as { workingHours: WorkCalendar | null };
  const proposal = { proposedBy: confirmation.proposer.id, proposedAt: confirmation.proposed_at.toISOString() };
  return [changeWorkingHours(tx, actor, { before: found?.working_hours ?? null, after: workingHours }, proposal)];
}
