import { cutText } from '../workflows/cut-text.ts';
import { UNASSIGNED } from '../workflows/assignee.ts';
import { defaultConfig, STEP_DEFAULTS } from '../workflows/step-defaults.ts';
import { LIMITS, type Step, type StepType } from '../workflows/step.ts';
import type { BpmnElement, LeftOut } from './process.ts';
import { branchesOf } from './result-branches.ts';
import type { WayNode } from './ways.ts';

const TYPE_OF: Partial<Record<BpmnElement['kind'], StepType>> = {
  scriptTask: 'automated',
  serviceTask: 'automated',
  sendTask: 'notification',
  exclusiveGateway: 'condition',
};

const NAMELESS = {
  manual: 'Task',
  approval: 'Approval',
  automated: 'Script',
  condition: 'Decision',
  notification: 'Message',
};

/** The step of an element that another tool drew, with the defaults of its type; what can't be taken over is noted. */
export function foreignStep(id: string, node: WayNode, targets: readonly string[][], leftOut: LeftOut[]): Step {
  const { element } = node;
  const type = TYPE_OF[element.kind] ?? 'manual';
  const title = cutText(element.name.trim() || NAMELESS[type], LIMITS.stepTitle);
  const common = {
    id,
    title,
    description: cutText(element.documentation, LIMITS.stepDescription),
    assignee: element.assignee?.trim() || UNASSIGNED,
    sla: STEP_DEFAULTS[type].sla,
    next: [...new Set(targets.flat())],
  };
  const note = (what: string, reason: string): void => void leftOut.push({ what, name: title, reason });
  switch (type) {
    case 'manual':
      return { ...common, type, config: common.assignee === UNASSIGNED ? defaultConfig(type) : {} };
    case 'approval':
      return { ...common, type, config: defaultConfig(type) };
    case 'automated':
      return { ...common, type, config: { ...defaultConfig(type), ...scriptOf(element, note) } };
    case 'condition':
      return { ...common, type, config: { ...conditionOf(node, note), ...branchesFor(targets, note) } };
    case 'notification':
      note('message', 'Recipients and text of a message are to be filled in');
      return { ...common, type, config: defaultConfig(type) };
  }
}

type Note = (what: string, reason: string) => void;

function scriptOf({ kind, script }: BpmnElement, note: Note): { script?: string } {
  if (kind === 'serviceTask') note('service', 'A service is not called; until it has a script, the step is simulated');
  if (!script || script.text.trim() === '') return {};
  if (script.format === '' || /javascript|ecmascript/i.test(script.format)) return { script: script.text };
  note('script', `Scripts are JavaScript, and this one is ${script.format}`);
  return {};
}

function conditionOf({ ways }: WayNode, note: Note): { condition?: string } {
  const [yes, ...others] = ways;
  if (others.length > 1)
    note('branches', 'A decision has two branches; the further ones follow where it does not hold');
  const text = yes?.flow?.condition?.text.trim() ?? '';
  if (text !== '') return { condition: text };
  note('condition', 'It has no condition in FEEL; it is to be written');
  return {};
}

function branchesFor(targets: readonly string[][], note: Note): { trueNext?: string; falseNext?: string } {
  const [onYes = [], ...rest] = targets;
  const onNo = [...new Set(rest.flat())];
  if (onYes.length > 1 && onNo.length > 1)
    note('branches', 'Both branches lead to several steps; they are to be told apart');
  return branchesOf(onYes, onNo);
}
