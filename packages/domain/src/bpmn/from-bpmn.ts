import { checkGraph } from '../workflows/graph-problems.ts';
import { type Step, branchTaken, branchesOf, isBranching, withReferences } from '../steps/index.ts';
import type { WorkflowMetadata } from '../workflows/content.ts';
import { foreignStep } from './foreign-step.ts';
import { type BpmnProcess, type LeftOut, sameInXml } from './process.ts';
import { type Ways, waysOf } from './ways.ts';

/** A process as a workflow; `title` is empty if it has no name. */
type ReadBpmn = { metadata: WorkflowMetadata; steps: Step[]; leftOut: LeftOut[] };

/**
 * Returns the workflow of a BPMN process. Tasks and exclusive decisions become steps. Other gateways, events and
 * unknown elements are removed: their predecessors lead to their successors. Loops are omitted, as are steps reached
 * only through a loop or a boundary event; each omission is listed. A process from `toBpmn` becomes the same workflow,
 * with the same hash; an edited one becomes the workflow with those edits.
 */
export function fromBpmn(process: BpmnProcess): ReadBpmn {
  const ways = waysOf(process);
  const leftOut = [...process.others, ...ways.leftOut];
  const ids = stepIds(ways);
  const steps = ways.nodes.map((node): Step => {
    const id = ids.get(node.element.id) ?? node.element.id;
    const targets = node.ways.map((way) => way.to.map((to) => ids.get(to) ?? to));
    const known = node.element.step;
    if (known) return edited({ ...known, id }, node.element, targets, node.isDecision);
    return foreignStep(id, node, targets, leftOut);
  });
  const known = process.metadata;
  const metadata = {
    title: known && sameInXml(known.title, process.name) ? known.title : process.name.trim(),
    description:
      known && sameInXml(known.description, process.documentation) ? known.description : process.documentation,
  };
  return { metadata, steps: withPossibleReturns(steps, leftOut), leftOut };
}

/** Returns the original step ids if they are unique; otherwise ids derived from the element ids. */
function stepIds({ nodes }: Ways): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    nodes.map(({ element }) => {
      let id = element.step?.id ?? element.id;
      // A copied element has a copy of the step's id.
      for (let n = 2; taken.has(id); n += 1) id = `${element.id}-${n}`;
      taken.add(id);
      return [element.id, id];
    }),
  );
}

/** Returns a step that Stet exported, with later changes from the diagram. */
function edited(
  step: Step,
  element: { name: string; documentation: string; script?: { text: string } },
  targets: readonly string[][],
  isDecision: boolean,
): Step {
  const title = sameInXml(step.title, element.name) ? step.title : element.name;
  const description = sameInXml(step.description, element.documentation) ? step.description : element.documentation;
  const texts = { ...step, title, description };
  const script = element.script?.text ?? '';
  const scripted: Step =
    texts.type === 'automated' && !sameInXml(texts.config.script ?? '', script)
      ? { ...texts, config: { ...texts.config, script } }
      : texts;
  const drawn = [...new Set(targets.flat())];
  if (!isDecision || scripted.type !== 'condition' || targets.length < 2) {
    return { ...scripted, next: sameSet(scripted.next, drawn) ? scripted.next : drawn };
  }
  const [onYes = [], onNo = []] = targets;
  const same =
    isBranching(scripted) &&
    sameSet(scripted.next, drawn) &&
    sameSet(branchTaken(scripted, true), onYes) &&
    sameSet(branchTaken(scripted, false), onNo);
  if (same) return scripted;
  const { trueNext: _true, falseNext: _false, ...config } = scripted.config;
  return { ...scripted, next: drawn, config: { ...config, ...branchesOf(onYes, onNo) } };
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  const set = new Set(a);
  return set.size === new Set(b).size && b.every((each) => set.has(each));
}

/**
 * A rejection returns to an earlier step. If that step was removed or isn't earlier any more, the rejection fails the
 * run.
 */
function withPossibleReturns(steps: readonly Step[], leftOut: LeftOut[]): Step[] {
  const lost = new Set(
    checkGraph(steps).flatMap((problem) => (problem.code === 'on_reject_not_ancestor' ? [problem.stepId] : [])),
  );
  return steps.map((step) => {
    if (!lost.has(step.id)) return step;
    leftOut.push({
      what: 'return',
      name: step.title,
      reason: 'The step that a rejection returns to is missing or doesn’t come before this step',
    });
    return withReferences(step, ({ names, target }) => (names === 'earlier' ? undefined : target));
  });
}
