import { SCRIPT_SECONDS } from '@stet/domain/defaults';
import {
  FIELD_ID,
  FIELD_KINDS,
  FIELD_LIMITS,
  LIMITS,
  NOTIFICATION_CHANNELS,
  STEP_TYPES,
  checkFieldList,
  linearNext,
} from '@stet/domain/workflows';
import type { InputField, Step, WorkflowContent } from '@stet/domain/workflows';
import { z } from 'zod';

export const workflowKey = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/, 'A key has letters, digits, dots, underscores and hyphens, at most 120');
export const workflowParams = z.strictObject({ key: workflowKey });

const role = z.string().trim().max(60);
const stepId = z
  .string()
  .min(1)
  .max(120)
  // It stands in addresses, where these would name another place.
  .refine(
    (text) => text.trim() === text && text !== '.' && text !== '..',
    'must not be . or .., nor begin or end with a space',
  );

const inputField = z.strictObject({
  id: z.string().regex(FIELD_ID, 'A field name has letters, digits and underscores, and begins with no digit'),
  label: z.string().max(FIELD_LIMITS.label),
  kind: z.enum(FIELD_KINDS),
  options: z.array(z.string().max(FIELD_LIMITS.option)).max(FIELD_LIMITS.options).optional().describe('Of a choice'),
  required: z.boolean().default(false),
});

/** The form of a manual step; what is wrong with it as a whole is said at the field. */
const inputFields = z
  .array(inputField)
  .max(FIELD_LIMITS.fields)
  .superRefine((fields, context) => {
    for (const { index, problem } of checkFieldList(fields as InputField[])) {
      context.addIssue({ code: 'custom', path: [index], message: problem });
    }
  });

const configs = {
  manual: z.strictObject({
    assignedRole: role.optional().describe('Who has the role may act besides the assignee'),
    requiresApproval: z.boolean().optional().describe('Another person of the role approves the input'),
    fields: inputFields.optional().describe('The form that a person fills in'),
  }),
  approval: z.strictObject({
    assignedRole: role.optional().describe('Who has the role may act besides the assignee'),
    requiresApproval: z.boolean().optional(),
    minimumApprovers: z.number().int().min(1).max(100).optional().describe('How many people have to approve'),
    onReject: stepId
      .optional()
      .describe('A step before this one that a rejection returns to; without it the run fails'),
    separateFrom: z.boolean().optional().describe('Who completed the step before may not approve this one'),
  }),
  automated: z.strictObject({
    script: z.string().max(50_000).optional().describe('Body of a function of outputs, run and step'),
    timeout: z.number().int().min(1).max(SCRIPT_SECONDS.longestTimeout).optional().describe('Seconds'),
  }),
  condition: z.strictObject({
    condition: z.string().max(5000).optional().describe("FEEL expression over the run's outputs"),
    trueNext: stepId.optional().describe('The step that follows where it holds; also in next'),
    falseNext: stepId.optional().describe("The step that follows where it doesn't hold; also in next"),
  }),
  notification: z.strictObject({
    recipients: z.array(z.string().trim().max(254)).max(100).optional(),
    template: z
      .string()
      .max(20_000)
      .optional()
      .describe('May contain {{run.name}}, {{step.title}}, {{output.<step id>}}'),
    channels: z.array(z.enum(NOTIFICATION_CHANNELS)).max(3).optional(),
  }),
};

const common = {
  id: stepId.describe('Unique within the workflow'),
  title: z.string().max(LIMITS.stepTitle),
  description: z.string().max(LIMITS.stepDescription).default('').describe('The task'),
  assignee: z.string().trim().max(254).default('Unassigned').describe('An email, a role, system, auto or Unassigned'),
  sla: z
    .string()
    .trim()
    .max(100)
    .default('')
    .describe('Such as 30m, 4h, 1 day 4 hours; a bare number is hours; empty means none'),
  next: z
    .array(stepId)
    .max(LIMITS.nextPerStep)
    .optional()
    .describe(
      'Ids of the steps that follow; where no step of the file has it, the steps follow each other in their order',
    ),
};

const TYPE_PROBLEM = `type must be one of ${STEP_TYPES.join(', ')}`;

/** A step as it may be written: absent type means manual, `review` is how an older client stored approval (rulings, section 4). */
export const stepInput = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      ...common,
      type: z
        .literal('manual')
        .optional()
        .transform((): 'manual' => 'manual'),
      config: configs.manual.default({}),
    }),
    z.strictObject({
      ...common,
      type: z.enum(['approval', 'review']).transform((): 'approval' => 'approval'),
      config: configs.approval.default({}),
    }),
    z.strictObject({ ...common, type: z.literal('automated'), config: configs.automated.default({}) }),
    z.strictObject({ ...common, type: z.literal('condition'), config: configs.condition.default({}) }),
    z.strictObject({ ...common, type: z.literal('notification'), config: configs.notification.default({}) }),
  ],
  { error: ({ code }) => (code === 'invalid_union' ? TYPE_PROBLEM : undefined) },
);

export const metadata = z.strictObject({
  title: z.string().trim().min(1, 'Workflow key and title are required').max(LIMITS.title),
  description: z.string().max(LIMITS.description).default(''),
});

/** Steps as they are stored. Where no step says what follows it, the steps follow each other in their order. */
export const steps = z
  .array(stepInput)
  .min(1, 'Workflow must have at least one step')
  .max(LIMITS.steps)
  .transform((list): Step[] => {
    const complete = list.map((step) => ({ ...step, next: step.next ?? [] }) as Step);
    return list.every((step) => step.next === undefined) ? linearNext(complete) : complete;
  });

/** Body of draft calls (specification, section 3, draft creation request). */
export const workflowBody = z.strictObject({ key: workflowKey.optional(), metadata, steps });

/** A step in an answer: already checked when it came in, so its form is only described. */
export const step = z.custom<Step>().meta({
  type: 'object',
  description: 'A step: id, type, title, description, assignee, sla, config, next',
});
export const contentFields = {
  metadata: z.object({ title: z.string(), description: z.string() }),
  steps: z.array(step),
} satisfies Record<keyof WorkflowContent, z.ZodType>;
