import { type OutputName, type PersonKind, SKIP, type Skippable, skipRule } from '../kind.ts';
import { FIELD_LIMITS, type FieldKind, type InputField } from './input-fields.ts';

export type ManualConfig = Skippable & {
  assignedRole?: string;
  /** True if another person has to approve the input. */
  requiresApproval?: boolean;
  /** The form that a person fills in; fields in order. */
  fields?: InputField[];
};

const SAMPLES = {
  text: () => 'Sample text',
  long_text: () => 'Sample text',
  number: ({ min = 100, max = Math.max(min, 100) }) => Math.min(Math.max(100, min), max),
  date: () => '2026-11-18',
  choice: (field) => field.options?.[0] ?? 'Option',
  many_of: (field) => field.options?.slice(0, 1) ?? [],
  yes_no: () => true,
  person: () => 'sam@example.com',
  file: () => [],
  photo: () => [],
  file_link: () => 'https://files.example/sample.pdf',
} as const satisfies Record<FieldKind, (field: InputField) => OutputName['sample']>;

const DEFAULTS = { sla: '24h', config: { assignedRole: 'editor' } } as const;

/** A person does the work and records the result. */
export const manual = {
  name: 'Manual',
  performedBy: 'person',
  isWork: true,
  defaults: DEFAULTS,
  settings: {
    assignedRole: { label: 'Role', limit: 60, form: 'whole', isExact: true },
    requiresApproval: { label: 'Needs approval', form: 'whole' },
    fields: { label: 'Fields', limit: FIELD_LIMITS.fields },
    skip: SKIP,
  },
  bpmn: {
    element: 'userTask',
    readFrom: [],
    nameless: 'Task',
    configOf: ({ hasAssignee }) => (hasAssignee ? {} : { ...DEFAULTS.config }),
  },
  outputs: ({ fields = [] }) => [
    { name: 'text', label: 'Text', sample: 'Sample text', kind: 'text' },
    ...fields.map((field) => ({
      name: `fields.${field.id}`,
      label: field.label,
      sample: SAMPLES[field.kind](field),
      kind: field.kind,
      ...(field.options && { options: field.options }),
    })),
  ],
  rules: ({ requiresApproval, assignedRole, skip }) => {
    const role = assignedRole?.trim();
    const who = role ? `A second person with the role ${role}` : 'A second person';
    return [...(requiresApproval ? [`${who} must approve the input`] : []), ...skipRule(skip)];
  },
  findings: () => [],
  integrations: () => [],
} as const satisfies PersonKind<ManualConfig>;
