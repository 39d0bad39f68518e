import type { Run } from '@stet/contract';
import { permissionsOf } from '@stet/domain/access';
import type { PersonCommand } from '@stet/domain/runs';
import { z } from 'zod';
import { accountStanding, grantedPermissions } from '../../http/authenticate.ts';
import { answerTo } from '../../http/refusals.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Answer } from '../../kernel/answer.ts';
import type { Once } from '../../kernel/database.ts';
import type { Deps } from '../../kernel/deps.ts';
import { Refused } from '../../kernel/refused.ts';
import { SlackProblem, type SlackWorkspace } from '../../kernel/slack.ts';
import { findKeptAct, findMemberByEmail, findStepStanding, findStepToTell } from './slack.sql.ts';
import { refreshInSlack } from './refresh-in-slack.job.ts';
import { escaped } from './step-message.ts';
import { standingOf } from './step-standing.ts';
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
type ActOnRun = (
  deps: Deps,
  action: { actor: OrgActor; once: Once | null; runId: string; command: PersonCommand },
  present: (run: Run) => Done,
) => Promise<Answer<Done>>;
/** `said` is for the person who pressed; null where the message itself will say it to all who see it. */
type Done = { said: string | null };

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
  const whisper = (text: string) =>
    quietly(deps, () => workspace.whisper({ channel: action.channel, userId: action.slackUserId }, escaped(text)));

  const actor = await actorOf(deps, workspace, action);
  if (!actor) return whisper('Your address in Slack is not that of a member of this organization in Stet.');
  const once = { key: `slack:${action.trigger}`, digest: JSON.stringify([action.runId, action.stepId, action.action]) };
  try {
    const past = await whatBecameOf(deps, actor, action);
    if (past !== null) return await whisper(`${past}. There is nothing left to do here.`);
    const { runId } = action;
    const { body } = await actOnRun(deps, { actor, once, runId, command: commandOf(action) }, (run) =>
      outcomeOf(run, action),
    );
    if (body.said !== null) await whisper(body.said);
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
  const standing = accountStanding(member);
  return {
    userId,
    email: member.email,
    name,
    role,
    orgId,
    orgRole,
    permissions: grantedPermissions(permissionsOf({ orgRole, globalRole: role }), standing),
    standing,
    organizations: [],
    asks: 'step.act_assigned',
    // The audit trail says where it came from.
    sessionId: `slack:${teamId}:${slackUserId}`,
    token: null,
  };
}

/**
 * Null where the step still waits, or this very press was carried out already. A step that was done, and is active once more,
 * is not the one that the message told of. The buttons that were pressed all the same go.
 */
async function whatBecameOf(
  { db, pokeOutbox }: Deps,
  { userId }: OrgActor,
  { orgId, runId, stepId, activation, trigger }: FromSlack,
): Promise<string | null> {
  const past = await db.transaction({ orgId, userId: null }, async (tx) => {
    const [step, kept, standing] = await Promise.all([
      tx.maybeOne(findStepToTell, { orgId, runId, stepId, activation }),
      tx.maybeOne(findKeptAct, { orgId, userId, key: `slack:${trigger}` }),
      tx.maybeOne(findStepStanding, { orgId, runId, stepId }),
    ]);
    if (step !== undefined || kept !== undefined) return null;
    refreshInSlack(tx, { orgId, runId, steps: [{ stepId, activation }] });
    return standing ? standingOf(standing, activation).said : 'This step has moved on';
  });
  pokeOutbox();
  return past;
}

const commandOf = ({ action, stepId, text }: FromSlack): PersonCommand =>
  action === 'approve'
    ? { type: 'approve', stepId, comments: text === '' ? null : text }
    : { type: 'complete', stepId, output: { text } };

function outcomeOf(run: Run, { stepId }: FromSlack): Done {
  const step = run.steps.find(({ id }) => id === stepId);
  if (step?.state === 'completed' || step?.submittedBy) return { said: null };
  const votes = step?.approvals;
  const count = votes ? `: ${votes.votes.length} of ${votes.required}` : '';
  return { said: `Your approval is recorded${count}.` };
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
