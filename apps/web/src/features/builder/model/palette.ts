import { STEP_DEFAULTS, STEP_TYPES } from '@stet/domain/workflows';
import type { StepType } from '@stet/domain/workflows';

/** A step type in the palette: what it is for, and the SLA that its steps begin with. */
export type PaletteEntry = { type: StepType; purpose: string; sla: string };

const PURPOSES = {
  manual: 'A person does it and writes down the result',
  approval: 'People vote; a minimum must agree',
  automated: 'A script runs on the server',
  condition: 'Chooses the next step',
  notification: 'Tells people by mail, Slack or in the app',
} satisfies Record<StepType, string>;

export const PALETTE: readonly PaletteEntry[] = STEP_TYPES.map((type) => ({
  type,
  purpose: PURPOSES[type],
  sla: STEP_DEFAULTS[type].sla,
}));
