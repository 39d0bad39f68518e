import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkGraph } from '../workflows/graph-problems.ts';
import { contentHash } from '../workflows/content-hash.ts';
import type { Step } from '../workflows/step.ts';
import { linksOf, stepsOf, workflowOf } from '../workflows/workflow.arbitrary.ts';
import { fromBpmn } from './from-bpmn.ts';
import type { BpmnElement, BpmnProcess, ElementKind } from './process.ts';
import { toBpmn } from './to-bpmn.ts';

const contentOf = (steps: Step[]) => ({
  metadata: { title: 'Vendor onboarding', description: 'From a request' },
  steps,
});

/** A process as another tool draws it: elements by kind and name, flows as `a>b`, conditions as `a>b: text`, defaults as `a>b!`. */
function drawn(elements: Record<string, [ElementKind, Partial<BpmnElement>?]>, flows: string[]): BpmnProcess {
  const process: BpmnProcess = {
    name: 'Drawn elsewhere',
    documentation: '',
    metadata: null,
    elements: Object.entries(elements).map(([id, [kind, more]]) => ({
      id,
      kind,
      name: kind.endsWith('Event') ? '' : id.toUpperCase(),
      documentation: '',
      step: null,
      ...more,
    })),
    flows: [],
    others: [],
  };
  for (const [index, text] of flows.entries()) {
    const [, from = '', to = '', isDefault, condition] = /^(\w+)>(\w+)(!)?(?:: (.*))?$/.exec(text) ?? [];
    const id = `f${index}`;
    process.flows.push({ id, from, to, name: '', condition: condition === undefined ? null : { text: condition } });
    const gateway = process.elements.find((element) => element.id === from);
    if (isDefault && gateway) gateway.defaultFlow = id;
  }
  return process;
}

describe('a workflow as a process', () => {
  it('has a gateway where paths part and meet, a start and its ends', () => {
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

  it('leads from every element but ends, to every element but the start, by flows between elements', () => {
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

  it('that is read again is the same workflow, to the hash, and nothing is left out', () => {
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

  it('gives what was drawn, and keeps what a diagram does not show', () => {
    const process = toBpmn(content);
    const first = process.elements.find(({ id }) => id === 'Step_1');
    if (first) first.name = 'Renamed';
    process.name = 'Renamed too';
    // A task between the first step and the decision.
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

  it('follows branches that were led elsewhere, and says where a return is lost', () => {
    const process = toBpmn(content);
    for (const flow of process.flows) if (flow.from === 'Step_2' && flow.to === 'Step_3') flow.to = 'End_4';
    const { steps, leftOut } = fromBpmn(process);
    expect(linksOf(steps)).toEqual({ a: 'b', b: 'd', d: '' });
    expect(steps[1]?.config).toEqual({ condition: 'a.text = "x"', falseNext: 'd' });
    expect(steps[2]?.config).toEqual({ minimumApprovers: 2 });
    expect(leftOut.map(({ what, name }) => `${what} ${name}`)).toEqual(['step C', 'return D']);
  });
});

describe('a process of another tool', () => {
  it('gives steps of the types that map, with the defaults of the type', () => {
    const { steps, leftOut } = fromBpmn(
      drawn(
        {
          s: ['startEvent'],
          u: ['userTask', { assignee: 'sam@example.com', documentation: 'Do it' }],
          m: ['manualTask'],
          x: ['scriptTask', { script: { text: 'return 1', format: 'application/javascript' } }],
          g: ['scriptTask', { script: { text: 'println 1', format: 'groovy' } }],
          v: ['serviceTask'],
          n: ['sendTask'],
          e: ['endEvent'],
        },
        ['s>u', 'u>m', 'm>x', 'x>g', 'g>v', 'v>n', 'n>e'],
      ),
    );
    expect(steps.map(({ type, title, assignee }) => [type, title, assignee])).toEqual([
      ['manual', 'U', 'sam@example.com'],
      ['manual', 'M', 'Unassigned'],
      ['automated', 'X', 'Unassigned'],
      ['automated', 'G', 'Unassigned'],
      ['automated', 'V', 'Unassigned'],
      ['notification', 'N', 'Unassigned'],
    ]);
    expect(steps[0]).toMatchObject({ description: 'Do it', sla: '24h', config: {} });
    expect(steps[2]?.config).toEqual({ timeout: 300, script: 'return 1' });
    expect(steps[3]?.config).toEqual({ timeout: 300 });
    expect(leftOut.map(({ what, name }) => `${what} ${name}`)).toEqual(['script G', 'service V', 'message N']);
  });

  it('parts and joins through gateways, decisions become conditions, the default is the other branch', () => {
    const { steps, leftOut } = fromBpmn(
      drawn(
        {
          s: ['startEvent'],
          fork: ['parallelGateway'],
          a: ['userTask'],
          b: ['userTask'],
          join: ['parallelGateway'],
          ok: ['exclusiveGateway'],
          c: ['userTask'],
          d: ['userTask'],
          merge: ['exclusiveGateway'],
          z: ['userTask'],
        },
        [
          's>fork',
          'fork>a',
          'fork>b',
          'a>join',
          'b>join',
          'join>ok',
          'ok>d!',
          'ok>c: a.text = "x"',
          'c>merge',
          'd>merge',
          'merge>z',
        ],
      ),
    );
    expect(linksOf(steps)).toEqual({ a: 'ok', b: 'ok', ok: 'c d', c: 'z', d: 'z', z: '' });
    expect(steps[2]).toMatchObject({
      type: 'condition',
      config: { condition: 'a.text = "x"', trueNext: 'c', falseNext: 'd' },
    });
    expect(leftOut).toEqual([]);
  });

  it('names what it leaves out: loops, events at an edge, unknown elements, what only those lead to', () => {
    const { steps, leftOut } = fromBpmn(
      drawn(
        {
          s: ['startEvent'],
          a: ['userTask'],
          wait: ['other', { what: 'timer event' }],
          ok: ['exclusiveGateway'],
          z: ['userTask'],
          late: ['other', { what: 'boundary event', isBoundary: true }],
          escalate: ['userTask'],
        },
        ['s>a', 'a>wait', 'wait>ok', 'ok>a!', 'ok>z: a.text = "x"', 'late>escalate'],
      ),
    );
    expect(linksOf(steps)).toEqual({ a: 'ok', ok: 'z', z: '' });
    expect(steps[1]?.config).toEqual({ condition: 'a.text = "x"', trueNext: 'z' });
    expect(leftOut.map(({ what, name }) => `${what}: ${name}`)).toEqual([
      'timer event: WAIT',
      'boundary event: LATE',
      'way back: OK → A',
      'step: ESCALATE',
    ]);
    for (const { reason } of leftOut) expect(reason).toMatch(/^[A-Z]/);
  });

  it('whatever is drawn, gives a workflow that can run, or nothing', () => {
    const kinds: ElementKind[] = [
      'userTask',
      'scriptTask',
      'sendTask',
      'exclusiveGateway',
      'parallelGateway',
      'inclusiveGateway',
      'startEvent',
      'endEvent',
      'other',
    ];
    const any = fc
      .array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 12 })
      .chain((list) => {
        const pair = fc.tuple(fc.nat(list.length - 1), fc.nat(list.length - 1), fc.constantFrom('', '!', ': x > 1'));
        return fc.tuple(fc.constant(list), fc.array(pair, { maxLength: 24 }));
      })
      .map(([list, pairs]) =>
        drawn(
          Object.fromEntries(list.map((kind, index) => [`n${index}`, [kind] as [ElementKind]])),
          pairs.map(([from, to, mark]) => `n${from}>n${to}${mark}`),
        ),
      );
    fc.assert(
      fc.property(any, (process) => {
        const { steps } = fromBpmn(process);
        expect(checkGraph(steps)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
