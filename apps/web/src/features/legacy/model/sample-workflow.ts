import type { Step } from '@stet/domain/steps';
import { linearNext, newStep, type WorkflowContent } from '@stet/domain/workflows';

const step = (id: string, title: string, change: Partial<Pick<Step, 'assignee' | 'sla' | 'description'>>): Step => ({
  ...newStep(id),
  title,
  ...change,
});

/**
 * The sample draft's content. Its key contains the time in epoch milliseconds, so each sample is a separate workflow.
 */
export const sampleWorkflow = (timestamp: number): WorkflowContent & { key: string } => ({
  key: `sample-${timestamp}`,
  metadata: { title: 'Sample workflow', description: 'Three steps for trying things out.' },
  steps: linearNext([
    step('step-1', 'Collect the request', {
      assignee: 'editor',
      sla: '4 hours',
      description: 'Write down who asks for what.',
    }),
    step('step-2', 'Review it', { assignee: 'reviewer', sla: '1 day', description: 'Check that nothing is missing.' }),
    step('step-3', 'Answer', { assignee: 'editor', sla: '2 hours', description: 'Notify the requester.' }),
  ]),
});
