import { type ActsFor, howMayAct, permissionsOf } from '@stet/domain/access';
import {
  type RunActor,
  type RunCommand,
  type RunFact,
  type RunState,
  type RunWorkflow,
  SYSTEM_ACTOR,
  decide,
  nextCrossingAt,
  pendingSystemSteps,
  stepStateOf,
} from '@stet/domain/runs';
import { CAST, type Who } from './cast.ts';
import type { RunAct, RunScript } from './run-script.ts';
import { beginningOf } from './schedule.ts';

/**
 * Plays the script of a run through the state machine, at times in the past. Throws if the product would refuse one of
 * its actions because of the run's state or a person's permissions, if an action is in the future, or if a step is left
 * that the server would already have executed.
 */
export function replay(
  workflow: RunWorkflow,
  script: RunScript,
  { ids, now }: { ids: Record<Who, string>; now: number },
): { facts: RunFact[]; state: RunState } {
  let at = startOf(script, now);
  const actorOf = (who: Who): RunActor => ({
    id: ids[who],
    name: CAST[who].name,
    email: CAST[who].email,
    kind: 'user',
  });
  const refused = (why: unknown): Error =>
    new Error(`The run "${script.name}" can't have happened: ${JSON.stringify(why)}`);

  const facts: RunFact[] = [];
  let state: RunState | null = null;
  const play = (command: RunCommand, actor: RunActor, actsFor: ActsFor | null = null): RunState => {
    if (at > now) throw refused({ at: new Date(at), command });
    const decision = decide(workflow, state, command, { at, actor, actsFor });
    if (!decision.ok) throw refused({ command, refusal: decision.refusal });
    facts.push(...decision.facts);
    return decision.state;
  };

  /** Emits the SLA crossings that the periodic check would have found by then. */
  const watchUntil = (until: number): void => {
    for (
      let next = state && nextCrossingAt(state);
      state && next !== null && next <= until;
      next = nextCrossingAt(state)
    ) {
      const decision = decide(
        workflow,
        state,
        { type: 'watch_clocks', againAfterMs: null },
        { at: next, actor: SYSTEM_ACTOR },
      );
      if (!decision.ok) throw refused(decision.refusal);
      facts.push(...decision.facts);
      state = decision.state;
    }
  };

  state = play({ type: 'start' }, actorOf(script.by));
  for (const act of script.acts) {
    at += act.after;
    watchUntil(at);
    if (act.by === 'system') {
      const activation = stepStateOf(state, act.command.stepId)?.activation ?? 0;
      state = play({ ...act.command, activation }, SYSTEM_ACTOR);
    } else {
      const how = howMayDo(workflow, act);
      if (how === null) throw refused({ may: act.by, command: act.command });
      state = play(act.command, actorOf(act.by), how === 'named' ? null : how);
    }
  }
  watchUntil(now);
  // The server would execute such a step, so the run would not stay in the state shown.
  const [pending] = pendingSystemSteps(workflow, state);
  if (pending) throw refused({ waitsForTheServer: pending.stepId });
  return { facts, state };
}

/** The start of a run, in epoch milliseconds. */
export function startOf({ when, acts }: RunScript, now: number): number {
  return beginningOf(
    when,
    acts.reduce((sum, { after }) => sum + after, 0),
    now,
  );
}

function howMayDo({ steps }: RunWorkflow, act: Extract<RunAct, { by: Who }>): 'named' | ActsFor | null {
  const { email, role } = CAST[act.by];
  const permissions = permissionsOf({ orgRole: role, globalRole: null });
  if (!('stepId' in act.command) || act.command.type === 'retry')
    return permissions.includes('run.control') ? 'named' : null;
  const { stepId } = act.command;
  const step = steps.find(({ id }) => id === stepId);
  if (!step) return null;
  const user = { id: act.by, email, orgRole: role };
  return howMayAct({ permissions, user, step, editorsMayHelp: true, standIn: null, isOrganizationToken: false });
}
