import { type Step, outlineOf } from '@stet/domain/steps';

/**
 * The properties of the steps that determine the layout, as text. Lists of steps with equal texts have the same layout,
 * even if their titles differ.
 */
export const flowStructure = (steps: readonly Step[]): string => JSON.stringify(steps.map(outlineOf));

/** The steps with this structure, without titles. */
export const stepsOfStructure = (structure: string): Step[] => JSON.parse(structure) as Step[];
