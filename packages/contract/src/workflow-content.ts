import { type Step, chosenNext } from '@stet/domain/steps';
import {
  LIMITS,
  METADATA,
  METADATA_FIELDS,
  type LaterField,
  type MetadataField,
  type WorkflowContent,
  isLaterField,
  linearNext,
} from '@stet/domain/workflows';
import { z } from 'zod';
import { stepInput } from './steps/index.ts';

export const workflowKey = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/,
    'A key can contain letters, digits, dots, underscores and hyphens, at most 120 characters',
  );
export const workflowParams = z.strictObject({ key: workflowKey });

/**
 * Returns the request schema of a metadata field that was added later, so older stored workflow versions don't have it.
 * An empty value counts as absent.
 */
export const laterText = (field: MetadataField) =>
  z
    .string()
    .max(METADATA[field].limit)
    .optional()
    .transform((text) => (text === METADATA[field].empty ? undefined : text));

const laterFields = <Schema extends z.ZodType>(schemaOf: (field: MetadataField) => Schema) =>
  Object.fromEntries(METADATA_FIELDS.filter(isLaterField).map((field) => [field, schemaOf(field)])) as Record<
    LaterField,
    Schema
  >;

export const metadata = z.strictObject({
  title: z.string().trim().min(1, 'Workflow key and title are required').max(METADATA.title.limit),
  description: z.string().max(METADATA.description.limit).default(METADATA.description.empty),
  ...laterFields(laterText),
});

/**
 * Steps as stored. If no step has `next`, each leads to the one after it. Otherwise a step without `next` leads to its
 * branches, if it has any.
 */
export const steps = z
  .array(stepInput)
  .min(1, 'Workflow must have at least one step')
  .max(LIMITS.steps)
  .transform((list): Step[] => {
    const complete = list.map((step) => ({ ...step, next: step.next ?? chosenNext(step as Step) }) as Step);
    return list.every((step) => step.next === undefined) ? linearNext(complete) : complete;
  });

// `crypto` exists in Node and in browsers, but this package is compiled without the types of either.
declare const crypto: { randomUUID: () => string };

/** Gives each step without an id a new, unique one. */
const stepsWithIds = z.preprocess((given: z.input<typeof steps>): unknown => {
  const list: unknown = given;
  if (!Array.isArray(list)) return list;
  return list.map((step: unknown) =>
    typeof step === 'object' && step !== null && !('id' in step) ? { ...step, id: crypto.randomUUID() } : step,
  );
}, steps);

/** The request body for saving a draft (specification, section 3, draft creation request). */
export const workflowBody = z.strictObject({ key: workflowKey.optional(), metadata, steps: stepsWithIds });

/** A step in a response. It was validated on input, so the schema only describes it. */
export const step = z.custom<Step>().meta({
  type: 'object',
  description: 'A step: id, type, title, description, assignee, sla, config, next',
});
export const contentFields = {
  metadata: z.object({ title: z.string(), description: z.string(), ...laterFields(() => z.string().optional()) }),
  steps: z.array(step),
} satisfies Record<keyof WorkflowContent, z.ZodType>;
