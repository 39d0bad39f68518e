import { type DrawnStep, type NoteLeftOut, type ServerKind, SKIP, type Skippable, skipRule } from '../kind.ts';

export type ConditionConfig = Skippable & {
  /** A FEEL expression over the run's outputs. */
  condition?: string;
  /** Step ids; each is also in the step's `next`. */
  trueNext?: string;
  falseNext?: string;
};

export type ConditionReport = { result: boolean };

/** The server evaluates an expression; the run continues along the branch of the result. */
export const condition = {
  name: 'Condition',
  performedBy: 'server',
  isWork: false,
  defaults: { sla: '1m', config: {} },
  settings: {
    condition: { label: 'Condition', limit: 5000, form: 'code', isExact: true },
    trueNext: { label: 'If true', names: 'next', answer: 'Yes' },
    falseNext: { label: 'If false', names: 'next', answer: 'No' },
    skip: SKIP,
  },
  bpmn: {
    element: 'exclusiveGateway',
    readFrom: ['exclusiveGateway'],
    nameless: 'Decision',
    configOf: (drawn, note) => ({ ...expressionOf(drawn, note), ...branchesFor(drawn, note) }),
  },
  outputs: () => [{ name: 'result', label: 'Whether the condition was true', sample: true, kind: 'yes_no' }],
  rules: ({ skip }) => skipRule(skip),
  findings: ({ config }) => [
    ...(config.condition?.trim()
      ? []
      : [
          {
            severity: 'error',
            code: 'no_condition',
            sentence: 'The condition is missing, so every run stops here.',
          } as const,
        ]),
    ...(config.trueNext || config.falseNext
      ? []
      : [
          {
            severity: 'error',
            code: 'no_branch',
            sentence: 'Neither Yes nor No has its own next step, so the condition has no effect.',
          } as const,
        ]),
  ],
  integrations: () => [],
  reportWords: ({ result }) => `the condition is ${result ? 'true' : 'false'}`,
} as const satisfies ServerKind<ConditionConfig, ConditionReport>;

function expressionOf({ conditions }: DrawnStep, note: NoteLeftOut): { condition?: string } {
  const [yes = '', ...others] = conditions;
  if (others.length > 1) note('branches', 'A condition has only two branches; the other paths follow if it is false');
  if (yes !== '') return { condition: yes };
  note('condition', 'The condition in FEEL is missing; write one');
  return {};
}

function branchesFor({ targets }: DrawnStep, note: NoteLeftOut): Pick<ConditionConfig, 'trueNext' | 'falseNext'> {
  const [onYes = [], ...rest] = targets;
  const onNo = [...new Set(rest.flat())];
  if (onYes.length > 1 && onNo.length > 1)
    note('branches', 'Both branches lead to several steps; choose which steps belong to which branch');
  return branchesOf(onYes, onNo);
}

/**
 * Returns the branches that make a condition's results lead to these steps. If one result leads to several steps, only
 * the other one is named.
 */
export function branchesOf(
  onYes: readonly string[],
  onNo: readonly string[],
): Pick<ConditionConfig, 'trueNext' | 'falseNext'> {
  const [trueNext, ...moreYes] = onYes;
  const [falseNext, ...moreNo] = onNo;
  return {
    ...(trueNext !== undefined && (moreYes.length === 0 || moreNo.length > 0) && { trueNext }),
    ...(falseNext !== undefined && moreNo.length === 0 && { falseNext }),
  };
}
