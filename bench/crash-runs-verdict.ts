/** A run as the API returns it. */
export type RunSeen = {
  status: string;
  currentStepIds: string[];
  steps: { id: string; state: string; output: unknown }[];
  history: { stepId: string | null; action: string; data: { activation?: number } }[];
};

const notification = {
  type: 'notification',
  config: { recipients: ['owner'], channels: ['in-app', 'email'], template: '{{output.ask}}' },
};

/** Every type of step that the server executes, a fork, a join, and a branch that is not taken. */
export const STEPS = [
  { id: 'ask', title: 'Ask', type: 'manual', config: {}, next: ['count', 'robot'] },
  {
    id: 'count',
    title: 'Count',
    type: 'automated',
    config: {
      script: 'let n = 0; while (n < 200000) n++; log(n); return { length: outputs.ask.text.length }',
      timeout: 20,
    },
    next: ['decide'],
  },
  {
    id: 'decide',
    title: 'Decide',
    type: 'condition',
    config: { condition: 'count.length > 3', trueNext: 'tell', falseNext: 'check' },
    next: ['tell', 'check'],
  },
  { id: 'tell', title: 'Tell', ...notification, next: ['last'] },
  { id: 'check', title: 'Check', type: 'automated', config: { script: 'return outputs.count' }, next: ['last'] },
  { id: 'robot', title: 'Robot', type: 'automated', config: {}, next: ['last'] },
  { id: 'last', title: 'Last', type: 'manual', config: {}, next: [] },
];

/**
 * Returns the problems of a run whose first step was completed with this input. `messages` is its number of in-app
 * messages.
 */
export function problemsOf(run: RunSeen, answer: string, messages: number): string[] {
  const isLong = answer.length > 3;
  const skipped = isLong ? 'check' : 'tell';
  const problems: string[] = [];
  if (run.status !== 'completed') problems.push(`is ${run.status} at ${run.currentStepIds.join(', ') || 'no step'}`);
  if (messages !== (isLong ? 1 : 0)) problems.push(`${messages} messages were sent`);
  for (const { id } of STEPS) {
    const actions = run.history.filter(({ stepId }) => stepId === id).map(({ action }) => action);
    const expected = id === skipped ? 'skipped' : 'activated completed';
    if (run.status === 'completed' && actions.join(' ') !== expected) problems.push(`${id} was ${actions.join(', ')}`);
    if (new Set(actions).size < actions.length) problems.push(`${id} has duplicate actions: ${actions.join(', ')}`);
  }
  const count = run.steps.find(({ id }) => id === 'count')?.output as { length?: number } | null;
  if (run.status === 'completed' && count?.length !== answer.length) problems.push('the script has a different output');
  return problems;
}
