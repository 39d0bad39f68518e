import type { Step } from '@stet/domain/workflows';

/**
 * What of the steps decides where boxes stand: typing a title doesn't move any. Two lists of steps with the same text have
 * the same layout, but for the words in it.
 */
export function flowStructure(steps: readonly Step[]): string {
  return JSON.stringify(
    steps.map((step) => {
      const { id, type, next, config } = step;
      const ways =
        type === 'condition' ? [config.trueNext, config.falseNext] : type === 'approval' ? [config.onReject] : [];
      return [id, type, next, ways];
    }),
  );
}

/** Steps that have the layout of the text, with no words. */
export function stepsOfStructure(structure: string): Step[] {
  const rows = JSON.parse(structure) as [string, Step['type'], string[], (string | null | undefined)[]][];
  return rows.map(([id, type, next, [first, second]]) => {
    const common = { id, next, title: '', description: '', assignee: '', sla: '' };
    switch (type) {
      case 'condition':
        return { ...common, type, config: { ...(first && { trueNext: first }), ...(second && { falseNext: second }) } };
      case 'approval':
        return { ...common, type, config: { ...(first && { onReject: first }) } };
      case 'manual':
      case 'automated':
      case 'notification':
        return { ...common, type, config: {} };
    }
  });
}
