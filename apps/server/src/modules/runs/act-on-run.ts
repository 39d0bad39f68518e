import { mayActOnStep } from '@stet/domain/access';
import { type PersonCommand, applyFacts, decide } from '@stet/domain/runs';
import type { Once } from '../../kernel/database.ts';
import { type OrgActor, by } from '../../kernel/actor.ts';
import { type Answer, answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { Refused, granted } from '../../kernel/refused.ts';
import { mentionablePeople } from '../notifications/reads.ts';
import { type PresentedRun, presentRun } from './run.presenter.ts';
import { saveDecided } from './record-facts.ts';
import { saidWith, tellOfMentions } from './tell-of-mentions.ts';
import { listHistory, lockRun, readClock } from './runs.sql.ts';

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
    const workflow = { steps: row.steps };
    if ('stepId' in command && command.type !== 'retry') assertMayAct(actor, row.steps, command.stepId);

    const { actor: runActor, sessionId = null } = by(actor);
    const { facts } = granted(
      decide(workflow, row.state, command, { at: clock.now, actor: runActor, calendar: row.working_hours }),
    );
    const state = applyFacts(workflow, row.state, facts);
    const stepId = 'stepId' in command ? command.stepId : null;
    const title = row.steps.find(({ id }) => id === stepId)?.title ?? row.name;
    tellOfMentions(tx, actor, { runId, runName: row.name, stepId, title, said }, people);
    saveDecided(tx, { orgId, runId, runName: row.name, sessionId, workflow, state, facts });
    return answer(present(presentRun({ row, state, now: clock.now, history, newFacts: facts, actor })));
  });
  pokeOutbox();
  return done;
}

function assertMayAct(actor: OrgActor, steps: Parameters<typeof presentRun>[0]['row']['steps'], stepId: string): void {
  const step = steps.find(({ id }) => id === stepId);
  if (!step) throw new Refused({ code: 'unknown_step', stepId });
  const user = { id: actor.userId, email: actor.email, orgRole: actor.orgRole };
  if (!mayActOnStep({ permissions: actor.permissions, user, step })) throw new Refused({ code: 'not_assigned' });
}
