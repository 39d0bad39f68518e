import { STEP_TYPES, type ServerStepType, type StepReport, type StepType } from '@stet/domain/steps';
import { z } from 'zod';
import { approval } from './approval.ts';
import { automated, automatedReport } from './automated.ts';
import { condition, conditionReport } from './condition.ts';
import { manual } from './manual.ts';
import { notification, notificationReport } from './notification.ts';

/** The schema of each step type. */
export const STEP_SCHEMAS = { manual, approval, automated, condition, notification } as const satisfies {
  [T in StepType]: z.ZodObject & z.ZodType<{ type: T }>;
};

/** The schema of the report for each step type that the server executes. */
export const STEP_REPORTS = {
  automated: automatedReport,
  condition: conditionReport,
  notification: notificationReport,
} as const satisfies { [T in ServerStepType]: z.ZodObject & z.ZodType<Extract<StepReport, { kind: T }>> };

const everyOf = <T extends object>(record: T) => Object.values(record) as [T[keyof T], ...T[keyof T][]];

const TYPE_PROBLEM = `type must be one of ${STEP_TYPES.join(', ')}`;

/** A step as a client may send it. */
export const stepInput = z.discriminatedUnion('type', everyOf(STEP_SCHEMAS), {
  error: ({ code }) => (code === 'invalid_union' ? TYPE_PROBLEM : undefined),
});

/** The report of a step that the server executed. */
export const stepReport = z.discriminatedUnion('kind', everyOf(STEP_REPORTS));
