import { diffSteps } from '@stet/domain/drafts';
import type { Step } from '@stet/domain/steps';

export type FlowMark = 'added' | 'removed' | 'modified' | 'moved';
/** The marked parts of a diagram: steps by id, and links as `from to`. */
export type FlowMarks = { steps: ReadonlyMap<string, FlowMark>; links: ReadonlySet<string> };

/** A figure of a step in words, and its share of the largest one, from 0 to 1. The box is filled up to the share. */
export type StepHeat = { text: string; share: number };
export type FlowHeat = ReadonlyMap<string, StepHeat>;

/** The marks for the diagrams of both sides of a change. Each side marks the links that only it has. */
export function flowMarks(before: readonly Step[], after: readonly Step[]): { before: FlowMarks; after: FlowMarks } {
  const steps = new Map(
    diffSteps(before, after).detailed.map((entry): [string, FlowMark] => [
      entry.id,
      entry.type === 'modified' && 'position' in entry.changes ? 'moved' : entry.type,
    ]),
  );
  const [old, now] = [linksOf(before), linksOf(after)];
  const without = (own: ReadonlySet<string>, other: ReadonlySet<string>) =>
    new Set([...own].filter((link) => !other.has(link)));
  return { before: { steps, links: without(old, now) }, after: { steps, links: without(now, old) } };
}

const linksOf = (steps: readonly Step[]): Set<string> =>
  new Set(steps.flatMap(({ id, next }) => next.map((to) => `${id} ${to}`)));
