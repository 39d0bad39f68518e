import { defaultConfig, type Step, type StepType } from '@stet/domain/steps';

/** The step as another type, with the initial settings of that type. Its texts and next steps stay. */
export function withType(step: Step, type: StepType): Step {
  return step.type === type ? step : ({ ...step, type, config: defaultConfig(type) } as Step);
}
