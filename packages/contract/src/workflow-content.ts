import { LIMITS, NOTIFICATION_CHANNELS, linearNext } from '@stet/domain/workflows';
import type { Step, WorkflowContent } from '@stet/domain/workflows';
import { z } from 'zod';

export const workflowKey = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/, 'A key has letters, digits, dots, underscores and hyphens, at most 120');
export const workflowParams = z.strictObject({ key: workflowKey });

const role = z.string().trim().max(60);
const stepId = z.string().min(1).max(120);

const configs = {
  manual: z.strictObject({ assignedRole: role.optional(), requiresApproval: z.boolean().optional() }),
  approval: z.strictObject({
    assignedRole: role.optional(),
    requiresApproval: z.boolean().optional(),
    minimumApprovers: z.number().int().min(1).max(100).optional(),
    onReject: stepId.optional(),
    separateFrom: z.boolean().optional(),
  }),
  automated: z.strictObject({ script: z.string().max(50_000).optional(), timeout: z.number().int().min(1).max(3600).optional() }),
  condition: z.strictObject({
    condition: z.string().max(5000).optional(),
    trueNext: stepId.optional(),
    falseNext: stepId.optional(),
  }),
  notification: z.strictObject({
    recipients: z.array(z.string().trim().max(254)).max(100).optional(),
    template: z.string().max(20_000).optional(),
    channels: z.array(z.enum(NOTIFICATION_CHANNELS)).max(3).optional(),
  }),
};

const common = {
  id: stepId,
  title: z.string().max(LIMITS.stepTitle),
  description: z.string().max(LIMITS.stepDescription).default(''),
  assignee: z.string().trim().max(254).default('Unassigned'),
  sla: z.string().trim().max(100).default(''),
  next: z.array(stepId).max(LIMITS.nextPerStep).optional(),
};

/** Absent means manual; `review` is how an older client stored approval (rulings, section 4). */
const withType = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const type = 'type' in value ? value.type : undefined;
  return { ...value, type: type === undefined ? 'manual' : type === 'review' ? 'approval' : type };
};

const stepInput = z.preprocess(
  withType,
  z.discriminatedUnion('type', [
    z.strictObject({ ...common, type: z.literal('manual'), config: configs.manual.default({}) }),
    z.strictObject({ ...common, type: z.literal('approval'), config: configs.approval.default({}) }),
    z.strictObject({ ...common, type: z.literal('automated'), config: configs.automated.default({}) }),
    z.strictObject({ ...common, type: z.literal('condition'), config: configs.condition.default({}) }),
    z.strictObject({ ...common, type: z.literal('notification'), config: configs.notification.default({}) }),
  ]),
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
export type WorkflowBody = z.input<typeof workflowBody>;

/** A step in an answer: already checked when it came in, so its form is only described. */
export const step = z.custom<Step>().meta({
  type: 'object',
  description: 'A step: id, type, title, description, assignee, sla, config, next',
});
export const contentFields = {
  metadata: z.object({ title: z.string(), description: z.string() }),
  steps: z.array(step),
} satisfies Record<keyof WorkflowContent, z.ZodType>;
