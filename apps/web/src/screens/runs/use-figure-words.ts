import { useDocument } from '../../features/documentation/api/use-workflow.ts';
import { type FigureKind, type RunFilters, figureParts } from '../../features/runs/model/run-filters.ts';

const WORDS: Record<FigureKind, (step: string) => string> = {
  completed: (step) => `Completed: ${step}`,
  skipped: (step) => `Skipped: ${step}`,
  failed: (step) => `Failed: ${step}`,
  returned: (step) => `Returned to: ${step}`,
  sentBack: (step) => `Sent back by: ${step}`,
  handedOver: (step) => `Handed over: ${step}`,
  late: (step) => `Late: ${step}`,
  lateNow: (step) => `Late now: ${step}`,
  path: () => 'One path',
};

/** The figure whose runs are listed, in words: `Late: Check invoice`. Null if the list isn't limited to a figure. */
export function useFigureWords({ workflow, version, figure }: RunFilters): string | null {
  const parts = figureParts(figure);
  const document = useDocument(workflow, { version: version || null, asOf: null }, parts !== null);
  if (!parts) return null;
  return WORDS[parts.kind](document.data?.steps.find(({ id }) => id === parts.id)?.title ?? parts.id);
}
