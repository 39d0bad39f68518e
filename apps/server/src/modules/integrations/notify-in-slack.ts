import { leaveJobs } from '../../db/outbox.ts';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { findConnection } from './slack-connections.sql.ts';
import { listStepsLike, wasToldLately } from './slack.sql.ts';
import { tellInSlackJob } from './tell-in-slack.job.ts';

const SCOPE = 'step.act_assigned';

/**
 * What a client sends when a step of its own run has become active (specification, section 7). The server tells of each
 * activation by itself, so this tells of the same ones, which is told once; of a step that is not known here it tells as it
 * was asked to, unless the same was told a short while ago.
 */
export const notifyInSlack: Handler<'POST /api/integrations/slack/notify'> = async (
  { db, pokeOutbox },
  { actor, once, body },
) => {
  // Members are told by their own clients, whatever their role; a program that may only read writes to nobody.
  if (actor.token && !actor.permissions.includes(SCOPE)) throw new Refused({ code: 'token_scope', permission: SCOPE });
  const { orgId } = actor;
  const named = { orgId, assignee: body.assignee, title: body.message, workflow: body.workflowName };
  const done = await db.changeOnce(actor, once, async (tx) => {
    const [connection, steps, lately] = await Promise.all([
      tx.maybeOne(findConnection, { orgId }),
      tx.many(listStepsLike, named),
      tx.maybeOne(wasToldLately, named),
    ]);
    if (!connection) return answer({ message: 'This organization is not connected to Slack' });
    const known = steps.map(({ run_id: runId, step_id: stepId, activation }) =>
      tellInSlackJob(orgId, { kind: 'step', runId, stepId, activation }),
    );
    const { assignee, title, workflow } = named;
    const asked = tellInSlackJob(orgId, { kind: 'call', id: newId(), assignee, title, workflow });
    leaveJobs(tx, known.length > 0 ? known : lately?.told ? [] : [asked]);
    return answer({ message: 'The assignee is told in Slack' });
  });
  pokeOutbox();
  return done;
};
