import { STEP_KINDS, STEP_TYPES, type StepType } from '@stet/domain/steps';

/** A step type in the palette, with its purpose and the SLA that new steps get. */
export type PaletteEntry = { type: StepType; purpose: string; sla: string };

const PURPOSES = {
  manual: 'A person does it and writes down the result',
  approval: 'One or more people must approve',
  automated: 'A script runs on the server',
  condition: 'Chooses the next step',
  notification: 'Notifies people by mail, in Slack or in the app',
} satisfies Record<StepType, string>;

export const PALETTE: readonly PaletteEntry[] = STEP_TYPES.map((type) => ({
  type,
  purpose: PURPOSES[type],
  sla: STEP_KINDS[type].defaults.sla,
}));
