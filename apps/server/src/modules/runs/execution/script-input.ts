import { outputsOf } from '@stet/domain/runs';
import type { SandboxInput } from '../../../kernel/sandbox.ts';
import type { Work } from './active-step.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

/** The data of a run that scripts, conditions and messages can use. */
export function scriptInput({ run, step, active }: Work): SandboxInput {
  const { state } = run;
  return {
    outputs: outputsOf(state),
    run: {
      id: run.id,
      name: run.name,
      description: run.description ?? '',
      priority: run.priority,
      workflow: run.workflow_key,
      version: run.version,
      startedBy: state.startedBy.name,
      startedByEmail: state.startedBy.email,
      startedAt: iso(state.startedAt),
    },
    step: {
      id: step.id,
      title: step.title,
      description: step.description,
      assignee: step.assignee,
      activatedAt: iso(active.activatedAt),
      dueAt: active.dueAt === null ? null : iso(active.dueAt),
    },
  };
}
