import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentHash } from '../workflows/content-hash.ts';
import type { Step } from '../steps/index.ts';
import { linksOf, stepsOf, workflowOf } from '../workflows/workflow.arbitrary.ts';
import { fromBpmn } from './from-bpmn.ts';
import { toBpmn } from './to-bpmn.ts';

const contentOf = (steps: Step[]) => ({
  metadata: { title: 'Vendor onboarding', description: 'From a request' },
  steps,
});

describe('a workflow as a process', () => {
  it('has a start, ends, and gateways for forks and joins', () => {
    const { elements, flows } = toBpmn(
      contentOf(
        stepsOf(
          { a: 'b c', b: 'd', c: 'd', d: 'e f', e: '', f: '' },
          { d: { type: 'condition', config: { condition: 'b.text = "x"', trueNext: 'e', falseNext: 'f' } } },
        ),
      ),
    );
    expect(elements.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      'Start startEvent',
      'Step_1 userTask',
      'Fork_1 parallelGateway',
      'Step_2 userTask',
      'Step_3 userTask',
      'Join_4 inclusiveGateway',
      'Step_4 exclusiveGateway',
      'Step_5 userTask',
      'End_5 endEvent',
      'Step_6 userTask',
      'End_6 endEvent',
    ]);
    const [yes, no] = flows.filter(({ from }) => from === 'Step_4');
    expect(yes).toMatchObject({ to: 'Step_5', name: 'Yes', condition: { text: 'b.text = "x"' } });
    expect(no).toMatchObject({ to: 'Step_6', name: 'No', condition: null });
    expect(elements.find(({ id }) => id === 'Step_4')?.defaultFlow).toBe(no?.id);
  });

  it('has flows only between elements: from every element except the ends, and to every element except the start', () => {
    fc.assert(
      fc.property(workflowOf({ maxSteps: 12 }), (steps) => {
        const { elements, flows } = toBpmn(contentOf(steps));
        const ids = elements.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { kind, id } of elements) {
          expect(flows.some(({ from }) => from === id)).toBe(kind !== 'endEvent');
          expect(flows.some(({ to }) => to === id)).toBe(kind !== 'startEvent');
        }
        for (const { from, to } of flows) expect(ids).toEqual(expect.arrayContaining([from, to]));
      }),
    );
  });

  it('becomes the same workflow with the same hash when read again, without omissions', () => {
    fc.assert(
      fc.property(workflowOf({ maxSteps: 12 }), (steps) => {
        const content = contentOf(steps);
        const { leftOut, ...read } = fromBpmn(toBpmn(content));
        expect(leftOut).toEqual([]);
        expect(contentHash(read)).toBe(contentHash(content));
      }),
    );
  });
});

describe('a process that was edited in a modeler', () => {
  const content = contentOf(
    stepsOf(
      { a: 'b', b: 'c d', c: 'd', d: '' },
      {
        a: { sla: '4h', assignee: 'sam@example.com' },
        b: { type: 'condition', config: { condition: 'a.text = "x"', trueNext: 'c', falseNext: 'd' } },
        d: { type: 'approval', config: { minimumApprovers: 2, onReject: 'c' } },
      },
    ),
  );

  it('becomes a workflow with those edits, and keeps details that a diagram doesn’t show', () => {
    const process = toBpmn(content);
    const first = process.elements.find(({ id }) => id === 'Step_1');
    if (first) first.name = 'Renamed';
    process.name = 'Renamed too';
    // This adds a task between the first step and the decision.
    process.elements.push({ id: 'Activity_1', kind: 'userTask', name: 'Look again', documentation: '', step: null });
    const flow = process.flows.find(({ from }) => from === 'Step_1');
    if (flow) flow.to = 'Activity_1';
    process.flows.push({ id: 'new', from: 'Activity_1', to: 'Step_2', name: '', condition: null });
    const { metadata, steps, leftOut } = fromBpmn(process);
    expect(metadata).toEqual({ title: 'Renamed too', description: 'From a request' });
    expect(linksOf(steps)).toEqual({ a: 'Activity_1', Activity_1: 'b', b: 'c d', c: 'd', d: '' });
    expect(steps[0]).toMatchObject({ title: 'Renamed', sla: '4h', assignee: 'sam@example.com' });
    expect(steps.at(-1)).toEqual(content.steps.at(-1));
    expect(leftOut).toEqual([]);
  });

  it('follows redirected branches, and reports the lost step and the lost target of a rejection', () => {
    const process = toBpmn(content);
    for (const flow of process.flows) if (flow.from === 'Step_2' && flow.to === 'Step_3') flow.to = 'End_4';
    const { steps, leftOut } = fromBpmn(process);
    expect(linksOf(steps)).toEqual({ a: 'b', b: 'd', d: '' });
    expect(steps[1]?.config).toEqual({ condition: 'a.text = "x"', falseNext: 'd' });
    expect(steps[2]?.config).toEqual({ minimumApprovers: 2 });
    expect(leftOut.map(({ what, name }) => `${what} ${name}`)).toEqual(['step C', 'return D']);
  });
});
