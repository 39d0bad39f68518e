import type { ActsFor } from '@stet/domain/access';
import { type PersonCommand, applyFacts, decide, isSamePerson, stepStateOf } from '@stet/domain/runs';
import type { Once, Tx } from '../../kernel/database.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import { type Answer, answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { Refused, granted } from '../../kernel/refused.ts';
import { mentionablePeople } from '../notifications/reads.ts';
import { type PresentedRun, presentRun } from './run.presenter.ts';
import { saveDecided } from './record-facts.ts';
import { saidWith, tellOfMentions } from './tell-of-mentions.ts';
import { runActorOf } from './run-actor.ts';
import { type RunRow, listHistory, lockRun, readClock } from './runs.sql.ts';
import { assertMayAct, assertMayRetry, othersRetry, stepAccess } from './step-access.ts';
import { assertUnaltered } from './unaltered-version.ts';

type Action = { actor: OrgActor; once: Once | null; runId: string; command: PersonCommand };

/**
 * Does what a person asks of a run: reads it under its lock, lets the state machine decide, writes once. Two who act on
 * the same step at the same time wait for each other; the second then meets the state that the first has left.
 */
export async function actOnRun<T>(
  { db, pokeOutbox }: Deps,
  { actor, once, runId, command }: Action,
  present: (run: PresentedRun) => T,
): Promise<Answer<T>> {
  const { orgId } = actor;
  const done = await db.changeOnce(actor, once, async (tx) => {
    const said = saidWith(command);
    const [row, clock, history, people] = await Promise.all([
      tx.maybeOne(lockRun, { orgId, runId }),
      tx.maybeOne(readClock, {}),
      tx.many(listHistory, { orgId, runId }),
      mentionablePeople(tx, orgId, said),
    ]);
    if (!row || !clock) throw new Refused({ code: 'not_found', what: 'run' });
    assertUnaltered(row);
    const workflow = { steps: row.steps };
    const { now } = clock;
    const runActor = runActorOf(actor);
    if (command.type === 'retry') assertMayRetry(actor, row, command.stepId);
    const actsFor = await actsForOthers(tx, { actor, row, command, now });
    const asked =
      command.type === 'retry'
        ? { ...command, othersCan: await othersRetry(tx, { actor, row, state: row.state }) }
        : command;
    const { facts } = granted(
      decide(workflow, row.state, asked, { at: now, actor: runActor, calendar: row.working_hours, actsFor }),
    );
    const state = applyFacts(workflow, row.state, facts);
    const stepId = 'stepId' in command ? command.stepId : null;
    const title = row.steps.find(({ id }) => id === stepId)?.title ?? row.name;
    tellOfMentions(tx, actor, { runId, runName: row.name, stepId, title, said }, people);
    const { sessionId } = actor;
    saveDecided(tx, {
      orgId,
      runId,
      runName: row.name,
      sessionId,
      workflow,
      calendar: row.working_hours,
      state,
      facts,
    });
    const access = await stepAccess(tx, { actor, row, state, now });
    return answer(present(presentRun({ row, state, now, history, newFacts: facts, actor, access })));
  });
  pokeOutbox();
  return done;
}

type Asked = { actor: OrgActor; row: RunRow; command: PersonCommand; now: number };

/** For whom the actor acts on the step that the command names; throws if they may not act on it. */
async function actsForOthers(tx: Tx, { actor, row, command, now }: Asked): Promise<ActsFor | null> {
  // Whether one may retry is a right of its own, which the route asks for.
  if (!('stepId' in command) || command.type === 'retry') return null;
  const step = row.steps.find(({ id }) => id === command.stepId);
  if (!step) throw new Refused({ code: 'unknown_step', stepId: command.stepId });
  const access = await stepAccess(tx, { actor, row, state: row.state, now, steps: [step] });
  const active = stepStateOf(row.state, step.id);
  const runActor = runActorOf(actor);
  const hasVoted = active?.state === 'active' && active.votes.some((vote) => isSamePerson(vote.by, runActor));
  return assertMayAct(access, step, actor, { act: command.type, editorsMayHelp: row.editors_may_help, hasVoted });
}
