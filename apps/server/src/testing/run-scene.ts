import type { Run } from '@stet/contract';
import { expect } from 'vitest';
import { publish, teamOf } from './organization.ts';
import { runOf, start } from './runs.ts';
import { startTestServer } from './server.ts';

export type StepInput = NonNullable<Parameters<typeof publish>[3]>[number];

/** A server with a team, and helpers that create a separate workflow for each run. */
export async function startRunScene(environment: Record<string, string> = {}) {
  const server = await startTestServer(environment);
  const team = await teamOf(server, ['editor', 'reviewer', 'viewer']);
  let keys = 0;

  /** Waits until `isThere` returns true for the run. */
  const until = async (id: string, isThere: (run: Run) => boolean, timeout = 50_000): Promise<Run> => {
    let run = await runOf(team.owner, id);
    await expect.poll(async () => isThere((run = await runOf(team.owner, id))), { timeout, interval: 50 }).toBe(true);
    return run;
  };
  return {
    server,
    ...team,
    /** Starts a run of a new workflow with these steps. */
    startOf: async (...steps: StepInput[]): Promise<Run> => {
      keys += 1;
      await publish(team.owner, team.reviewer, `flow-${keys}`, steps);
      return start(team.owner, `flow-${keys}`, `Run ${keys}`);
    },
    until,
    ended: (id: string): Promise<Run> => until(id, ({ status }) => status !== 'running'),
  };
}

/** An automated step with this script. */
export function script(id: string, text: string, more: Partial<StepInput> & { timeout?: number } = {}): StepInput {
  const { timeout, ...step } = more;
  return { id, title: id, type: 'automated', config: { script: text, ...(timeout && { timeout }) }, ...step };
}

/** The actions in a run's history that concern a step. */
export const entries = (run: Run, stepId: string): string[] =>
  run.history.filter((entry) => entry.stepId === stepId).map(({ action }) => action);
