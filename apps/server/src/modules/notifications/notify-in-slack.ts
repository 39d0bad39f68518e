import { enqueueJobs } from '../../db/outbox.ts';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { findConnection } from '../integrations/index.ts';
import { slackJob } from './deliver-slack.job.ts';
import { listStepsLike, wasNotifiedRecently } from './slack.sql.ts';

const SCOPE = 'step.act_assigned';

/**
 * Clients call this when a step of their run has become active (specification, section 7). The server itself sends a
 * message for each activation. If an active step matches the request, no second message is sent. Otherwise, the server
 * sends the requested message, unless it has tried to send the same message in the last ten minutes.
 */
export const notifyInSlack: Handler<'POST /api/integrations/slack/notify'> = async (
  { db, pokeOutbox },
  { actor, once, body },
) => {
  // Members can call this in any role, but a read-only token can't.
  if (actor.token && !actor.permissions.includes(SCOPE)) throw new Refused({ code: 'token_scope', permission: SCOPE });
  const { orgId } = actor;
  const named = { orgId, assignee: body.assignee, title: body.message, workflow: body.workflowName };
  const done = await db.changeOnce(actor, once, async (tx) => {
    const [connection, steps, lately] = await Promise.all([
      tx.maybeOne(findConnection, { orgId }),
      tx.many(listStepsLike, named),
      tx.maybeOne(wasNotifiedRecently, named),
    ]);
    if (!connection) return answer({ message: 'This organization is not connected to Slack' });
    const known = steps.map(({ run_id: runId, step_id: stepId, activation }) =>
      slackJob(orgId, { kind: 'step', runId, stepId, activation }),
    );
    const { assignee, title, workflow } = named;
    const asked = slackJob(orgId, { kind: 'call', id: newId(), assignee, title, workflow });
    enqueueJobs(tx, known.length > 0 ? known : lately?.notified ? [] : [asked]);
    return answer({ message: 'The assignee will be notified in Slack' });
  });
  pokeOutbox();
  return done;
};
