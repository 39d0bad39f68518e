import { type PersonKind, SKIP, type Skippable, skipRule } from '../kind.ts';

export type ApprovalConfig = Skippable & {
  assignedRole?: string;
  requiresApproval?: boolean;
  /** The number of people who have to approve; at least 1. */
  minimumApprovers?: number;
  /** The earlier step that a rejection returns the run to. If it is absent, a rejection fails the run. */
  onReject?: string;
  /** True if the people who did the last work before the step can't vote. */
  separateFrom?: boolean;
};

const DEFAULTS = { sla: '48h', config: { minimumApprovers: 1 } } as const;

/** People vote, and the step is approved once enough of them agree. */
export const approval = {
  name: 'Approval',
  performedBy: 'person',
  isWork: true,
  defaults: DEFAULTS,
  settings: {
    assignedRole: { label: 'Role', limit: 60, form: 'whole', isExact: true },
    requiresApproval: { label: 'Needs approval', form: 'whole' },
    minimumApprovers: { label: 'Approvers', limit: 100 },
    onReject: { label: 'Returns to', form: 'whole', names: 'earlier' },
    separateFrom: { label: 'Not by the person who completed the previous step', form: 'whole' },
    skip: SKIP,
  },
  bpmn: {
    element: 'userTask',
    readFrom: [],
    nameless: 'Approval',
    configOf: () => ({ ...DEFAULTS.config }),
  },
  outputs: () => [
    { name: 'approved', label: 'Whether it was approved', sample: true, kind: 'yes_no' },
    { name: 'text', label: 'Comments', sample: 'Sample comment', kind: 'text' },
  ],
  rules: ({ minimumApprovers = DEFAULTS.config.minimumApprovers, separateFrom, assignedRole, skip }) => {
    const role = assignedRole?.trim();
    return [
      ...(minimumApprovers > 1 ? [`${minimumApprovers} people must approve`] : []),
      ...(role ? [`People with the role ${role} may decide`] : []),
      ...(separateFrom ? ['The person who completed the previous step can’t decide here'] : []),
      ...skipRule(skip),
    ];
  },
  findings: ({ config, assignee }) =>
    isNobody(assignee) && isNobody(config.assignedRole ?? '')
      ? [
          {
            severity: 'warning',
            code: 'approval_for_nobody',
            sentence: 'It names nobody, so anyone who can review may decide.',
          },
        ]
      : [],
  integrations: () => [],
} as const satisfies PersonKind<ApprovalConfig>;

const isNobody = (name: string): boolean => ['', 'unassigned'].includes(name.trim().toLowerCase());
