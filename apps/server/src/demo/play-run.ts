import { isDeepStrictEqual } from 'node:util';
import { type PersonCommand, outputsOf, stepStateOf } from '@stet/domain/runs';
import { executeStep } from '../modules/runs/execution/execute-step.job.ts';
import { reportStep } from '../modules/runs/report-step.ts';
import { findRun } from '../modules/runs/runs.sql.ts';
import type { Send } from './api.ts';
import type { People } from './people.ts';
import type { Execution, RunAct, RunScript } from './run-script.ts';
import { runTimes } from './schedule.ts';
import { type Moment, type Stage, mailerTo } from './stage.ts';

/** The moments of a run: its start, and each of its acts. */
export function runMoments(stage: Stage, people: People, script: RunScript, now: number): Moment[] {
  const times = runTimes(script, now);
  let runId = '';
  const start = async (): Promise<void> => {
    const { workflow: key, name, description, priority } = script;
    const body = { key, name, priority, ...(description !== undefined && { description }) };
    const run = await people[script.by].call<{ id: string; workflowVersion: number }>('POST', '/api/runs', { body });
    if (run.workflowVersion !== script.version)
      throw new Error(`${key} v${run.workflowVersion} is live when "${name}" starts`);
    runId = run.id;
  };
  return [
    { at: times.start, by: people[script.by], play: start },
    ...script.acts.map((act, n) => ({
      at: times.acts[n] ?? 0,
      ...(act.by !== 'system' && { by: people[act.by] }),
      play: () => playAct(stage, people, runId, act),
    })),
  ];
}

async function playAct(stage: Stage, people: People, runId: string, act: RunAct): Promise<void> {
  if ('command' in act) {
    const { path, body } = requestOf(act.command);
    await people[act.by].call('POST', `/api/runs/${runId}/${path}`, { body });
  } else if ('report' in act) {
    const { activation } = await stepOf(stage, people, runId, act.report.stepId);
    const command = { ...act.report, activation };
    await reportStep(stage.server.deps, { orgId: people.orgId, runId, command });
  } else await execute(stage, people, runId, act.execute);
}

/** The path, relative to the run, and the body of the request with which a person gives a command. */
function requestOf(command: PersonCommand): { path: string } & Send {
  switch (command.type) {
    case 'complete': {
      const { stepId, output } = command;
      return { path: 'complete', body: { stepId, output } };
    }
    case 'approve':
    case 'reject':
      return { path: `steps/${command.stepId}/${command.type}`, body: { comments: command.comments } };
    case 'skip':
      return { path: `steps/${command.stepId}/skip`, body: { reason: command.reason } };
    case 'retry':
      return { path: `steps/${command.stepId}/retry` };
    case 'cancel':
      return { path: 'cancel', body: { reason: command.reason } };
    case 'pause':
    case 'resume':
      return { path: command.type };
    default:
      throw new Error(`the demo has no ${command.type}`);
  }
}

/** Executes a step in the same way as its job. */
async function execute(
  stage: Stage,
  people: People,
  runId: string,
  { stepId, output, refused = [] }: Execution,
): Promise<void> {
  const { orgId } = people;
  const { activation } = await stepOf(stage, people, runId, stepId);
  const mailer = mailerTo(({ to }) => {
    if (refused.includes(to.address)) throw Object.assign(new Error('550 No such mailbox'), { responseCode: 550 });
  });
  await executeStep(stage.server.deps, mailer, { orgId, runId, stepId, activation });
  const after = await stepOf(stage, people, runId, stepId);
  if (after.state !== 'completed') throw new Error(`the server could not execute ${stepId}`);
  if (output !== undefined && !isDeepStrictEqual(after.output, output))
    throw new Error(`${stepId} returned ${JSON.stringify(after.output)}`);
}

async function stepOf({ server }: Stage, { orgId }: People, runId: string, stepId: string) {
  const run = await server.deps.db.transaction({ orgId, userId: null }, (tx) => tx.maybeOne(findRun, { orgId, runId }));
  const step = run && stepStateOf(run.state, stepId);
  if (!step || !('activation' in step)) throw new Error(`no step ${stepId} was active`);
  return { state: step.state, activation: step.activation, output: outputsOf(run.state)[stepId] };
}
