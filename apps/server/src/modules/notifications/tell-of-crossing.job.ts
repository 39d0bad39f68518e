import { z } from 'zod';
import { leaveJobs } from '../../db/outbox.ts';
import type { Deps } from '../../kernel/deps.ts';
import type { Mailer } from '../../kernel/mail.ts';
import { crossingLetter } from './crossing.mail.ts';
import { findCrossing, listMembersToTell } from './notifications.sql.ts';

const crossing = z.object({
  orgId: z.uuid(),
  runId: z.uuid(),
  stepId: z.string().nullable(),
  crossing: z.enum(['sla_at_risk', 'sla_breached', 'sla_reminded']),
  reminders: z.number(),
});
const toAll = crossing.extend({ emails: z.array(z.string()), roles: z.array(z.string()) });
const toOne = crossing.extend({ userId: z.uuid() });

/** Finds whom a crossing is told to, and leaves a mail for each: one that fails is sent again without the others. */
export async function tellOfCrossing(
  { db, pokeOutbox }: Pick<Deps, 'db' | 'pokeOutbox'>,
  payload: unknown,
): Promise<void> {
  const { emails, roles, ...told } = toAll.parse(payload);
  await db.transaction({ orgId: told.orgId, userId: null }, async (tx) => {
    const members = await tx.many(listMembersToTell, { orgId: told.orgId, emails, roles });
    leaveJobs(
      tx,
      members.map(({ id }) => ({ task: 'mail_crossing', payload: { ...told, userId: id }, turnOf: told.orgId })),
    );
  });
  pokeOutbox();
}

/** Tells one person by mail; not of a risk that is over, since the step is done or its run has ended. */
export async function mailCrossing(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  mailer: Mailer,
  payload: unknown,
): Promise<void> {
  const { orgId, runId, stepId, userId, crossing: kind } = toOne.parse(payload);
  const found = await db.transaction({ orgId, userId: null }, (tx) =>
    tx.maybeOne(findCrossing, { orgId, runId, stepId, userId }),
  );
  if (!found || (kind !== 'sla_breached' && found.is_over)) return;
  await mailer.send(
    crossingLetter({
      kind,
      name: found.name,
      email: found.email,
      step: found.step_title,
      run: found.run_name,
      workflow: found.workflow_title,
      due: found.due_at,
      link: `${publicUrl}/app/runs/${runId}`,
    }),
  );
}
