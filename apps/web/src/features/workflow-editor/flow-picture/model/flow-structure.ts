import { type Step, outlineOf } from '@stet/domain/steps';

/**
 * The part of the steps that determines the layout; titles don't. Two lists of steps with the same result have the same
 * layout, apart from the texts.
 */
export const flowStructure = (steps: readonly Step[]): string => JSON.stringify(steps.map(outlineOf));

/** Steps with this structure, without texts. */
export const stepsOfStructure = (structure: string): Step[] => JSON.parse(structure) as Step[];
