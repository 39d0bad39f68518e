import type { StepType } from '@stet/domain/steps';
import { approval } from './approval/approval.ts';
import { automated } from './automated/automated.ts';
import { condition } from './condition/condition.ts';
import { manual } from './manual/manual.ts';
import { notification } from './notification/notification.ts';
import type { AnyParts, StepParts } from './parts.ts';

/** The parts of the web app for each step type. */
export const STEP_PARTS = { manual, approval, automated, condition, notification } satisfies {
  [T in StepType]: StepParts<T>;
};

/** A step type's parts, typed for any step. */
export const partsOf = (type: StepType): AnyParts => STEP_PARTS[type];
