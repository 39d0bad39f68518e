import { STEP_KINDS, STEP_TYPES, type Step, kindOf } from '../steps/index.ts';
import { UNASSIGNED } from '../access/assignee.ts';
import { LIMITS } from '../workflows/content.ts';
import { cutText } from '../workflows/cut-text.ts';
import type { LeftOut } from './process.ts';
import type { WayNode } from './ways.ts';

const TYPE_OF = new Map<string, Step['type']>(
  STEP_TYPES.flatMap((type) => STEP_KINDS[type].bpmn.readFrom.map((element) => [element, type] as const)),
);

/**
 * Returns the step for an element from another tool, with the defaults of its type. Everything that can't be imported
 * is added to `leftOut`.
 */
export function foreignStep(id: string, node: WayNode, targets: readonly string[][], leftOut: LeftOut[]): Step {
  const { element, ways } = node;
  const type = TYPE_OF.get(element.kind) ?? 'manual';
  const { bpmn, defaults } = kindOf(type);
  const title = cutText(element.name.trim() || bpmn.nameless, LIMITS.stepTitle);
  const assignee = element.assignee?.trim() || UNASSIGNED;
  const drawn = {
    kind: element.kind,
    hasAssignee: assignee !== UNASSIGNED,
    script: element.script ?? null,
    conditions: ways.map(({ flow }) => flow?.condition?.text.trim() ?? ''),
    targets,
  };
  return {
    id,
    title,
    description: cutText(element.documentation, LIMITS.stepDescription),
    assignee,
    sla: defaults.sla,
    next: [...new Set(targets.flat())],
    type,
    config: bpmn.configOf(drawn, (what, reason) => void leftOut.push({ what, name: title, reason })),
  };
}
