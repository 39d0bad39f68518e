import type { FlowEdge } from '@stet/presentation/flow';
import type { Step } from '@stet/domain/steps';
import { isolated, stepTitle } from '@stet/domain/workflows';

export const EDGE_WORDS = { next: null, yes: 'Yes', no: 'No', rejected: 'Rejected' } as const satisfies Record<
  FlowEdge['kind'],
  string | null
>;

/** Describes a step and its next steps in one sentence, for screen readers. */
export function stepWords(
  step: Step,
  number: number,
  ways: readonly FlowEdge[],
  nameOf: (id: string) => string,
): string {
  const leads = ways.map(({ to, kind }) => `${kind === 'next' ? '' : `${EDGE_WORDS[kind]}: `}${nameOf(to)}`);
  const onward = leads.length === 0 ? 'The end of a path' : `Then ${leads.join('; ')}`;
  return `${number} ${isolated(stepTitle(step))}, ${step.type}. ${onward}`;
}
