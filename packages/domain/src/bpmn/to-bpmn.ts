import { STEP_KINDS, branchTaken, isBranching, type ConditionStep, type Step } from '../steps/index.ts';
import type { WorkflowContent } from '../workflows/content.ts';
import { graphOf } from '../workflows/graph.ts';
import { type BpmnElement, type BpmnFlow, type BpmnProcess } from './process.ts';

/**
 * Returns a workflow as a BPMN process. Every step becomes an element that contains the whole step. The order is drawn
 * with a start, ends, and gateways for forks and joins. The steps must have passed `checkGraph`. Joins are inclusive
 * gateways: like a run, they wait for the branches that were taken.
 */
export function toBpmn({ metadata, steps }: WorkflowContent): BpmnProcess {
  const graph = graphOf(steps);
  const drawing = new Drawing();
  const idOf = new Map(steps.map(({ id }, index) => [id, `Step_${index + 1}`]));
  const entryOf = (stepId: string): string =>
    graph.previous(stepId).length > 1 ? (idOf.get(stepId) ?? '').replace('Step', 'Join') : (idOf.get(stepId) ?? '');

  drawing.add({ id: 'Start', kind: 'startEvent' });
  drawing.lead('Start', graph.roots.map(entryOf), 'Fork_Start');
  for (const [index, step] of steps.entries()) {
    const id = idOf.get(step.id) ?? '';
    if (graph.previous(step.id).length > 1) {
      drawing.add({ id: entryOf(step.id), kind: 'inclusiveGateway' });
      drawing.link(entryOf(step.id), id);
    }
    drawing.add(elementOf(id, step));
    const targets = step.next.map(entryOf);
    if (isBranching(step)) leadByResult(drawing, id, step, entryOf, index + 1);
    else if (targets.length > 0) drawing.lead(id, targets, `Fork_${index + 1}`);
    else drawing.end(id, index + 1);
  }
  return {
    name: metadata.title,
    documentation: metadata.description,
    metadata,
    elements: drawing.elements,
    flows: drawing.flows,
    others: [],
  };
}

function elementOf(id: string, step: Step): BpmnElement {
  return {
    id,
    kind: STEP_KINDS[step.type].bpmn.element,
    name: step.title,
    documentation: step.description,
    step,
    ...(step.type === 'automated' &&
      step.config.script && { script: { text: step.config.script, format: 'application/javascript' } }),
  };
}

/** The 'yes' flow has the condition; the 'no' flow is the default. */
function leadByResult(
  drawing: Drawing,
  id: string,
  step: ConditionStep,
  entryOf: (stepId: string) => string,
  number: number,
): void {
  for (const result of [true, false]) {
    const targets = branchTaken(step, result).map(entryOf);
    const way = result ? 'Yes' : 'No';
    const [only, ...others] = targets;
    const to = others.length > 0 ? `${way}_${number}` : (only ?? `End_${number}_${way}`);
    if (others.length > 0) {
      drawing.add({ id: to, kind: 'parallelGateway' });
      for (const target of targets) drawing.link(to, target);
    } else if (only === undefined) drawing.add({ id: to, kind: 'endEvent' });
    const flow = drawing.link(id, to, way, result ? { text: step.config.condition ?? '' } : null);
    if (!result) drawing.makeDefault(id, flow);
  }
}

class Drawing {
  readonly elements: BpmnElement[] = [];
  readonly flows: BpmnFlow[] = [];

  add(element: Pick<BpmnElement, 'id' | 'kind'> & Partial<BpmnElement>): void {
    this.elements.push({ name: '', documentation: '', step: null, ...element });
  }

  link(from: string, to: string, name = '', condition: BpmnFlow['condition'] = null): string {
    const id = `Flow_${this.flows.length + 1}`;
    this.flows.push({ id, from, to, name, condition });
    return id;
  }

  /** Leads directly to one target, or through a gateway to several. */
  lead(from: string, targets: readonly string[], fork: string): void {
    if (targets.length > 1) {
      this.add({ id: fork, kind: 'parallelGateway' });
      this.link(from, fork);
    }
    for (const target of targets) this.link(targets.length > 1 ? fork : from, target);
  }

  end(from: string, number: number): void {
    this.add({ id: `End_${number}`, kind: 'endEvent' });
    this.link(from, `End_${number}`);
  }

  makeDefault(id: string, flow: string): void {
    const element = this.elements.find((each) => each.id === id);
    if (element) element.defaultFlow = flow;
  }
}
