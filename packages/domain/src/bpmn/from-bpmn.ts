import { checkGraph } from '../workflows/graph-problems.ts';
import { branchTaken, isBranching } from '../workflows/graph.ts';
import type { Step, WorkflowMetadata } from '../workflows/step.ts';
import { foreignStep } from './foreign-step.ts';
import { type BpmnProcess, type LeftOut, sameInXml } from './process.ts';
import { branchesOf } from './result-branches.ts';
import { type Ways, waysOf } from './ways.ts';

/** What a process says as a workflow; `title` is empty where it has no name. */
type ReadBpmn = { metadata: WorkflowMetadata; steps: Step[]; leftOut: LeftOut[] };

/**
 * The workflow of a BPMN process (rulings, section 4, import). Tasks and deciding gateways are steps; other gateways, events
 * and what is unknown are drawn through, so that what was before them leads to what is behind. Ways back, and steps that only
 * those or an event at a task's edge lead to, are left out, and each of them is named. A process that `toBpmn` made gives
 * the same workflow, to the hash; one that was edited gives what was drawn.
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

/** The ids that the steps had, where they are told apart by them; else those of the elements. */
function stepIds({ nodes }: Ways): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    nodes.map(({ element }) => {
      let id = element.step?.id ?? element.id;
      // A copied element brings the step's id along.
      for (let n = 2; taken.has(id); n += 1) id = `${element.id}-${n}`;
      taken.add(id);
      return [element.id, id];
    }),
  );
}

/** A step that Stet wrote, with what was changed in the diagram since. */
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

/** A rejection returns to a step before it; one whose step is gone, or not before it any more, fails the run. */
function withPossibleReturns(steps: readonly Step[], leftOut: LeftOut[]): Step[] {
  const lost = new Set(
    checkGraph(steps).flatMap((problem) => (problem.code === 'on_reject_not_ancestor' ? [problem.stepId] : [])),
  );
  return steps.map((step): Step => {
    if (step.type !== 'approval' || !lost.has(step.id)) return step;
    const { onReject: _gone, ...config } = step.config;
    leftOut.push({ what: 'return', name: step.title, reason: 'The step that a rejection returns to is not before it' });
    return { ...step, config };
  });
}
