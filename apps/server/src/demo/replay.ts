import { type ActsFor, howMayAct, permissionsOf } from '@stet/domain/access';
import {
  type RunActor,
  type RunCommand,
  type RunFact,
  type RunState,
  type RunWorkflow,
  SYSTEM_ACTOR,
  applyFacts,
  decide,
  nextCrossingAt,
  pendingSystemSteps,
  stepStateOf,
} from '@stet/domain/runs';
import { CAST, type Who } from './cast.ts';
import type { RunAct, RunScript } from './run-script.ts';
import { beginningOf } from './schedule.ts';

/**
 * What the state machine makes of a run's script when it is played at its moments of the past. Throws where the script asks
 * for what the product would refuse: by the state of the run, by the rights of a person, or because it hasn't happened yet.
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
    const [first, ...rest] = decision.facts;
    if (!first) throw refused({ command });
    return applyFacts(workflow, state, [first, ...rest]);
  };

  /** What the sweep of the clocks would have told until then. */
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
      state = applyFacts(workflow, state, decision.facts);
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
  // The server would carry such a step out, and the run would not stay as it is shown.
  const [pending] = pendingSystemSteps(workflow, state);
  if (pending) throw refused({ waitsForTheServer: pending.stepId });
  return { facts, state };
}

/** When a run begins, epoch milliseconds. */
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
