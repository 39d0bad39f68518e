import { LIMITS } from '@stet/domain/workflows';
import { z } from 'zod';

export const stepId = z
  .string()
  .min(1)
  .max(120)
  // Step ids are part of URLs, where these texts would have a different meaning.
  .refine(
    (text) => text.trim() === text && text !== '.' && text !== '..',
    'can’t be . or .., or start or end with a space',
  );

/** A setting of every type. */
export const skip = z
  .literal('never')
  .optional()
  .describe('never: nobody can skip the step in a run. Absent: people can agree to skip it');

/** Fields of every step except its type and settings. */
export const commonFields = {
  id: stepId.describe('Unique within the workflow'),
  title: z.string().max(LIMITS.stepTitle),
  description: z.string().max(LIMITS.stepDescription).default('').describe('The task'),
  assignee: z
    .string()
    .trim()
    .max(LIMITS.assignee)
    .default('Unassigned')
    .describe(
      'Who does the step, separated by commas: emails, roles, groups (group:finance) and starter (who starts the run); or system, auto or Unassigned',
    ),
  sla: z
    .string()
    .trim()
    .max(100)
    .default('')
    .describe('For example 30m, 4h, 1 day 4 hours; a number without a unit means hours; empty means none'),
  next: z
    .array(stepId)
    .max(LIMITS.nextPerStep)
    .optional()
    .describe('Ids of the following steps; if no step in the file has this field, each step leads to the one after it'),
};
