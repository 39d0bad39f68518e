import type { Run } from '@stet/contract';
import { permissionsOf } from '@stet/domain/access';
import type { PersonCommand } from '@stet/domain/runs';
import { z } from 'zod';
import { answerTo } from '../../http/refusals.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Answer } from '../../kernel/answer.ts';
import type { Once } from '../../kernel/database.ts';
import type { Deps } from '../../kernel/deps.ts';
import { Refused } from '../../kernel/refused.ts';
import { SlackProblem, type SlackWorkspace } from '../../kernel/slack.ts';
import { findKeptAct, findMemberByEmail, findStepToTell } from './slack.sql.ts';
import { settledMessage } from './step-message.ts';
import { connectedWorkspace } from './workspace.ts';

const fromSlack = z.object({
  orgId: z.uuid(),
  runId: z.uuid(),
  stepId: z.string(),
  activation: z.number().int(),
  action: z.enum(['complete', 'approve']),
  text: z.string(),
  teamId: z.string(),
  slackUserId: z.string(),
  channel: z.string(),
  ts: z.string(),
  /** Slack's own name for the one time that the button was pressed. */
  trigger: z.string(),
});
export type FromSlack = z.output<typeof fromSlack>;

/** How a person acts on a run: the runs module's own way, with all its checks. */
export type ActOnRun = (
  deps: Deps,
  action: { actor: OrgActor; once: Once | null; runId: string; command: PersonCommand },
  present: (run: Run) => Done,
) => Promise<Answer<Done>>;
type Done = { said: string; isOver: boolean; title: string; run: string };

/**
 * Does what someone pressed in Slack, as the member whose address Slack confirms and with no right but theirs; whoever
 * may not is told why, and nobody else sees that. Coming again changes nothing more.
 */
export async function actFromSlack(deps: Deps, actOnRun: ActOnRun, payload: unknown): Promise<void> {
  const action = fromSlack.parse(payload);
  const connected = await connectedWorkspace(deps, action.orgId);
  // A message of a workspace that the organization has left acts on nothing.
  if (connected?.connection.team_id !== action.teamId) return;
  const { workspace } = connected;
  const here = { channel: action.channel, ts: action.ts };
  const whisper = (text: string) =>
    quietly(deps, () => workspace.whisper({ channel: action.channel, userId: action.slackUserId }, text));

  const actor = await actorOf(deps, workspace, action);
  if (!actor) return whisper('Your address in Slack is not that of a member of this organization in Stet.');
  const once = { key: `slack:${action.trigger}`, digest: JSON.stringify([action.runId, action.stepId, action.action]) };
  try {
    if (!(await isStillThere(deps, actor, action))) return await whisper('This step has moved on.');
    const { runId } = action;
    const { body } = await actOnRun(deps, { actor, once, runId, command: commandOf(action) }, (run) =>
      outcomeOf(run, action, actor.name),
    );
    if (!body.isOver) return await whisper(body.said);
    const link = `${deps.publicUrl}/app/runs/${runId}`;
    await quietly(deps, () => workspace.replace(here, settledMessage({ ...body, link })));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await whisper(`${answerTo(error.refusal).body.error}.`.replace(/\.\.$/, '.'));
  }
}

/** Null where nobody of the organization has the address that Slack has confirmed. */
async function actorOf(deps: Deps, workspace: SlackWorkspace, action: FromSlack): Promise<OrgActor | null> {
  const { orgId, teamId, slackUserId } = action;
  const email = await workspace.emailOf(slackUserId, teamId);
  if (email === null) return null;
  const member = await deps.db.transaction({ orgId, userId: null }, (tx) =>
    tx.maybeOne(findMemberByEmail, { orgId, email }),
  );
  if (!member) return null;
  const { id: userId, role, org_role: orgRole, name } = member;
  return {
    userId,
    email: member.email,
    name,
    role,
    orgId,
    orgRole,
    permissions: permissionsOf({ orgRole, globalRole: role }),
    organizations: [],
    asks: 'step.act_assigned',
    // The audit trail says where it came from.
    sessionId: `slack:${teamId}:${slackUserId}`,
    token: null,
  };
}

/** A step that was done, and is active once more, is not the one that the message told of. */
async function isStillThere(
  { db }: Deps,
  { userId }: OrgActor,
  { orgId, runId, stepId, activation, trigger }: FromSlack,
): Promise<boolean> {
  return db.transaction({ orgId, userId: null }, async (tx) => {
    const [step, kept] = await Promise.all([
      tx.maybeOne(findStepToTell, { orgId, runId, stepId, activation }),
      tx.maybeOne(findKeptAct, { orgId, userId, key: `slack:${trigger}` }),
    ]);
    return step !== undefined || kept !== undefined;
  });
}

const commandOf = ({ action, stepId, text }: FromSlack): PersonCommand =>
  action === 'approve'
    ? { type: 'approve', stepId, comments: text === '' ? null : text }
    : { type: 'complete', stepId, output: { text } };

function outcomeOf(run: Run, { stepId, action }: FromSlack, name: string): Done {
  const step = run.steps.find(({ id }) => id === stepId);
  const about = { title: step?.title ?? '', run: run.name };
  if (step?.state === 'completed')
    return { ...about, isOver: true, said: `${action === 'approve' ? 'Approved' : 'Completed'} by ${name} in Slack` };
  if (step?.submittedBy)
    return { ...about, isOver: true, said: `${name} has sent the input; it waits for an approval` };
  const votes = step?.approvals;
  const count = votes ? `: ${votes.votes.length} of ${votes.required}` : '';
  return { ...about, isOver: false, said: `Your approval is recorded${count}.` };
}

/** What is only said can fail: what was done is done. */
async function quietly({ log }: Pick<Deps, 'log'>, say: () => Promise<void>): Promise<void> {
  try {
    await say();
  } catch (error) {
    if (!(error instanceof SlackProblem)) throw error;
    log.warn({ err: error }, 'Slack did not show what became of a button');
  }
}
