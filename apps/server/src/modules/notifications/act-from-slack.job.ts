import type { Run } from '@stet/contract';
import type { PersonCommand } from '@stet/domain/runs';
import { z } from 'zod';
import { findAnswer } from '../../http/idempotency.ts';
import { memberActor } from '../../http/authenticate.ts';
import { answerTo } from '../../http/refusals.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Deps } from '../../kernel/deps.ts';
import { Refused } from '../../kernel/refused.ts';
import { SlackProblem, type SlackWorkspace } from '../../kernel/slack.ts';
import { connectedWorkspace, escaped } from '../integrations/index.ts';
import { actOnRun } from '../runs/index.ts';
import { keyOf } from './deliver-slack.job.ts';
import { enqueueUpdates, findActiveStep, findMemberByEmail, findStepState } from './slack.sql.ts';
import { outcomeOf } from './step-outcome.ts';

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
  /** Slack's id for this click on the button. */
  trigger: z.string(),
});
export type FromSlack = z.output<typeof fromSlack>;

/** `said` is the reply to the person who clicked the button. Null if the message itself shows the result. */
type Done = { said: string | null };

/**
 * Executes an action from Slack as the member whose address Slack confirms, with that member's permissions. A refusal
 * is shown only to this person. Running the job again doesn't repeat the action.
 */
export async function actFromSlack(deps: Deps, payload: unknown): Promise<void> {
  const action = fromSlack.parse(payload);
  const connected = await connectedWorkspace(deps, action.orgId);
  // Buttons in messages of a workspace that the organization is no longer connected to have no effect.
  if (connected?.connection.team_id !== action.teamId) return;
  const { workspace } = connected;
  const whisper = (text: string, link = '') =>
    bestEffort(deps, () =>
      workspace.whisper({ channel: action.channel, userId: action.slackUserId }, `${escaped(text)}${link}`),
    );

  const actor = await actorOf(deps, workspace, action);
  if (!actor) return whisper('Your address in Slack doesn’t belong to a member of this organization in Stet.');
  const once = { key: `slack:${action.trigger}`, digest: JSON.stringify([action.runId, action.stepId, action.action]) };
  try {
    const past = await outcomeBefore(deps, actor, action);
    if (past !== null) return await whisper(`${past}. There is nothing left to do here.`);
    const { runId } = action;
    const { body } = await actOnRun(deps, { actor, once, runId, command: commandOf(action), canHelp: false }, (run) =>
      doneBy(run, action),
    );
    if (body.said !== null) await whisper(body.said);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // The page asks the person to confirm that they want to help.
    const link =
      error.refusal.code === 'help_not_asked' ? ` <${deps.publicUrl}/app/runs/${action.runId}|Open the run>` : '';
    await whisper(`${answerTo(error.refusal).body.error}.`.replace(/\.\.$/, '.'), link);
  }
}

/** Finds the member with the address that Slack has confirmed. Null if there is none. */
async function actorOf(deps: Deps, workspace: SlackWorkspace, action: FromSlack): Promise<OrgActor | null> {
  const { orgId, teamId, slackUserId } = action;
  const email = await workspace.emailOf(slackUserId, teamId);
  if (email === null) return null;
  const member = await deps.db.transaction({ orgId, userId: null }, (tx) =>
    tx.maybeOne(findMemberByEmail, { orgId, email }),
  );
  if (!member) return null;
  // The session id makes the audit trail show that the action came from Slack.
  return memberActor(member, { orgId, sessionId: `slack:${teamId}:${slackUserId}` });
}

/**
 * Returns the outcome of the activation that this message is about, and enqueues an update that removes its buttons.
 * Null if the activation is still waiting, or if this click was already executed.
 */
async function outcomeBefore(
  { db, pokeOutbox }: Deps,
  { userId }: OrgActor,
  { orgId, runId, stepId, activation, trigger }: FromSlack,
): Promise<string | null> {
  const past = await db.transaction({ orgId, userId: null }, async (tx) => {
    const [active, saved, step] = await Promise.all([
      tx.maybeOne(findActiveStep, { orgId, runId, stepId, activation }),
      tx.maybeOne(findAnswer, { orgId, userId, key: `slack:${trigger}` }),
      tx.maybeOne(findStepState, { orgId, runId, stepId }),
    ]);
    if (active !== undefined || saved !== undefined) return null;
    tx.write(enqueueUpdates, { orgId, keys: [keyOf({ kind: 'step', runId, stepId, activation })] });
    return step ? outcomeOf(step, activation).outcome : 'This step is no longer waiting';
  });
  pokeOutbox();
  return past;
}

const commandOf = ({ action, stepId, text }: FromSlack): PersonCommand =>
  action === 'approve'
    ? { type: 'approve', stepId, comments: text === '' ? null : text }
    : { type: 'complete', stepId, output: { text } };

function doneBy(run: Run, { stepId }: FromSlack): Done {
  const step = run.steps.find(({ id }) => id === stepId);
  if (step?.state === 'completed' || step?.submittedBy) return { said: null };
  const votes = step?.approvals;
  const count = votes ? `: ${votes.votes.length} of ${votes.required}` : '';
  return { said: `Your approval has been recorded${count}.` };
}

/** Replies to the person. A failure of Slack is only logged, because the action is already committed or refused. */
async function bestEffort({ log }: Pick<Deps, 'log'>, say: () => Promise<void>): Promise<void> {
  try {
    await say();
  } catch (error) {
    if (!(error instanceof SlackProblem)) throw error;
    log.warn({ err: error }, 'could not show the result of a button in Slack');
  }
}
