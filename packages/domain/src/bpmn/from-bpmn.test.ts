import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkGraph } from '../workflows/graph-problems.ts';
import { linksOf } from '../workflows/workflow.arbitrary.ts';
import { fromBpmn } from './from-bpmn.ts';
import type { BpmnElement, BpmnProcess, ElementKind } from './process.ts';

/**
 * Returns a process as another tool would write it: elements by kind and name, flows as `a>b`, conditions as `a>b:
 * text`, defaults as `a>b!`.
 */
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

describe('a process from another tool', () => {
  it('becomes steps of the matching types, with the defaults of each type', () => {
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

  it('forks and joins through gateways; decisions become conditions, and the default flow becomes the false branch', () => {
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

  it('lists omissions: loops, boundary events, unknown elements, and steps reached only through those', () => {
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
      'loop: OK → A',
      'step: ESCALATE',
    ]);
    for (const { reason } of leftOut) expect(reason).toMatch(/^[A-Z]/);
  });

  it('becomes steps with a valid graph, whatever its elements', () => {
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
