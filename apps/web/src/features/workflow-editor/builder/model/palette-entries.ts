import { STEP_KINDS, STEP_TYPES, type StepType } from '@stet/domain/steps';

/** A step type in the palette: its purpose and the initial SLA of its steps. */
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
  sla: STEP_KINDS[type].defaults.sla,
}));
