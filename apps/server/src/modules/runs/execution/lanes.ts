import { SIMULATION, type ServerStepType, type Step, isSimulated } from '@stet/domain/steps';

type StepLane = {
  /** The name of the lane's jobs. It is stored with them, so it never changes. */
  task: string;
  /** The maximum number of parallel jobs per server process. */
  atOnce: (scriptsAtOnce: number) => number;
  /** The maximum number of parallel jobs per organization and server process. */
  turns: (scriptsAtOnce: number) => number;
};

/**
 * The lane of each type of step that the server executes. Scripts and slow mail servers can take a long time, so each
 * type has its own workers. Within a lane, organizations take turns. The job that finds active steps without a job uses
 * this list too.
 */
export const STEP_LANES = {
  // A job that waits for a place occupies a worker, so there are more workers than places.
  automated: { task: 'carry_out_script', atOnce: (places) => 8 * places, turns: (places) => places },
  condition: { task: 'carry_out_condition', atOnce: () => 4, turns: () => 1 },
  notification: { task: 'carry_out_message', atOnce: () => 4, turns: () => 1 },
} as const satisfies Record<ServerStepType, StepLane>;

/** The task for steps that only wait, which don't need to take turns. */
export const WAITING_TASK = 'carry_out_step';

/** How long a simulated step waits, in milliseconds. Null for any other step. */
export const waitMsOf = (step: Step | undefined): number | null => (isSimulated(step) ? SIMULATION.waitMs : null);
