import type { WholeDraft } from '@stet/contract';
import type { InputField, Step } from '@stet/domain/steps';
import { contentHash, type WorkflowContent } from '@stet/domain/workflows';
import { BpmnModdle } from 'bpmn-moddle';
import type { ModdleElement } from 'bpmn-moddle';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, stepsNamed } from '../../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../../testing/server.ts';
import { storableContent } from '../../../testing/workflow-content.ts';
import { readBpmnFile } from './read-bpmn.ts';
import { writeBpmn } from './write-bpmn.ts';

const MODEL = 'xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"';
const processWith = (inside: string, root = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions ${MODEL} xmlns:camunda="http://camunda.org/schema/1.0/bpmn" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${root}<bpmn:process id="P" name="Claim">${inside}</bpmn:process></bpmn:definitions>`;
const flow = (id: string, from: string, to: string, more = ''): string =>
  `<bpmn:sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}">${more}</bpmn:sequenceFlow>`;

/** Any content whose graph has forks, joins and conditions if there are enough steps. */
const anyContent = storableContent.map(({ metadata, steps }): WorkflowContent => {
  const ids = steps.map(({ id }) => id);
  return {
    metadata,
    steps: steps.map((step, index): Step => {
      const next = ids.slice(index + 1, index + 3);
      if (step.type === 'approval') {
        const { onReject: _gone, ...config } = step.config;
        return {
          ...step,
          next,
          config: { ...config, ...(index > 0 && ids[index - 1] && { onReject: ids[index - 1] ?? '' }) },
        };
      }
      if (step.type !== 'condition') return { ...step, next };
      const { trueNext: _true, falseNext: _false, ...config } = step.config;
      const [first, second] = next;
      return {
        ...step,
        next,
        config: { ...config, ...(first && { trueNext: first }), ...(second && { falseNext: second }) },
      };
    }),
  };
});

async function parsed(xml: string): Promise<ModdleElement> {
  const { rootElement, warnings } = await new BpmnModdle().fromXML(xml);
  expect(warnings).toEqual([]);
  return rootElement;
}

describe('a workflow as BPMN', () => {
  it('is parsed without warnings and has the same hash after an import, whatever it contains', async () => {
    await fc.assert(
      fc.asyncProperty(anyContent, async (content) => {
        const xml = await writeBpmn('any', content);
        await parsed(xml);
        const read = await readBpmnFile(xml);
        if (!read.ok) throw new Error(JSON.stringify(read.problems));
        expect(read.leftOut).toEqual([]);
        const { metadata, steps } = read.file;
        expect(metadata && contentHash({ metadata, steps })).toBe(contentHash(content));
      }),
      { numRuns: 60 },
    );
  });

  it('has a diagram with every element and flow, without overlapping shapes', async () => {
    const root = await parsed(await writeBpmn('k', { metadata: { title: 'T', description: '' }, steps: branching() }));
    const [process] = root['rootElements'] as [{ flowElements: ModdleElement[] }];
    const [diagram] = root['diagrams'] as [{ plane: { planeElement: Drawn[] } }];
    const drawn = diagram.plane.planeElement;
    expect(new Set(drawn.map(({ bpmnElement }) => bpmnElement['id']))).toEqual(
      new Set(process.flowElements.map((element) => element['id'])),
    );
    const shapes = drawn.flatMap(({ bounds }) => (bounds ? [bounds] : []));
    shapes.forEach((one, index) => {
      for (const other of shapes.slice(index + 1)) {
        const apart =
          one.x + one.width <= other.x ||
          other.x + other.width <= one.x ||
          one.y + one.height <= other.y ||
          other.y + other.height <= one.y;
        expect(apart).toBe(true);
      }
    });
    for (const { waypoint } of drawn) if (waypoint) expect(waypoint.length).toBeGreaterThanOrEqual(2);
  });

  it('can be read back even if it has hundreds of steps and dozens of branches', async () => {
    const content = { metadata: { title: 'Big', description: '' }, steps: branching(300) };
    const read = await readBpmnFile(await writeBpmn('big', content));
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    expect(contentHash({ ...content, steps: read.file.steps })).toBe(contentHash(content));
  });
});

describe('a BPMN file from another tool', () => {
  it('is imported as steps, with a list of omitted elements', async () => {
    const read = await readBpmnFile(
      processWith(
        `<bpmn:laneSet id="L"><bpmn:lane id="L1" name="Finance"/></bpmn:laneSet>
         <bpmn:startEvent id="S"/>
         <bpmn:userTask id="A" name="Enter claim" camunda:assignee="sam@example.com"/>
         <bpmn:exclusiveGateway id="G" name="Above limit?" default="f4"/>
         <bpmn:subProcess id="B" name="Deep check"/>
         <bpmn:userTask id="C" name="Pay"/><bpmn:endEvent id="E"/>
         <bpmn:dataObjectReference id="D" name="Claim form"/>
         <bpmn:boundaryEvent id="T" name="Too late" attachedToRef="A"><bpmn:timerEventDefinition id="TD"/></bpmn:boundaryEvent>
         ${flow('f1', 'S', 'A')}${flow('f2', 'A', 'G')}
         ${flow('f3', 'G', 'B', '<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">= A.fields.sum &gt; 100</bpmn:conditionExpression>')}
         ${flow('f4', 'G', 'C')}${flow('f5', 'B', 'A')}${flow('f6', 'C', 'E')}
         <bpmn:textAnnotation id="N"><bpmn:text>Ask Sam</bpmn:text></bpmn:textAnnotation>`,
      ),
    );
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    expect(read.file.metadata?.title).toBe('Claim');
    expect(read.file.steps.map(({ id, type, title, assignee, next }) => ({ id, type, title, assignee, next }))).toEqual(
      [
        { id: 'A', type: 'manual', title: 'Enter claim', assignee: 'sam@example.com', next: ['G'] },
        { id: 'G', type: 'condition', title: 'Above limit?', assignee: 'Unassigned', next: ['C'] },
        { id: 'C', type: 'manual', title: 'Pay', assignee: 'Unassigned', next: [] },
      ],
    );
    expect(read.file.steps[1]?.config).toEqual({ condition: 'A.fields.sum > 100', falseNext: 'C' });
    expect(read.leftOut.map(({ what, name }) => `${what}: ${name}`)).toEqual([
      'lane: Finance',
      'data object reference: Claim form',
      'text annotation: Ask Sam',
      'sub process: Deep check',
      'timer event: Too late',
      'loop: Above limit? → Enter claim',
    ]);
  });

  it('lists forms of other tools as omitted', async () => {
    const extension = (inside: string) => `<bpmn:extensionElements>${inside}</bpmn:extensionElements>`;
    const read = await readBpmnFile(
      processWith(
        `<bpmn:userTask id="A" name="Claim">${extension('<camunda:formData><camunda:formField id="sum" type="long"/></camunda:formData>')}</bpmn:userTask>
         <bpmn:userTask id="B" name="Check" camunda:formKey="embedded:check.html"/>
         <bpmn:userTask id="C" name="Pay" camunda:priority="50">${extension('<camunda:properties/>')}</bpmn:userTask>
         ${flow('f1', 'A', 'B')}${flow('f2', 'B', 'C')}`,
      ),
    );
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const reason = 'The form is in the format of another tool';
    expect(read.leftOut).toEqual(['Claim', 'Check'].map((name) => ({ what: 'form', name, reason })));
  });

  it.each([
    ['', 'This is not BPMN 2.0 XML'],
    ['not XML', 'This is not BPMN 2.0 XML'],
    ['<svg/>', 'This is not BPMN 2.0 XML'],
    [`<!DOCTYPE d [<!ENTITY a "b">]>${processWith('')}`, 'A BPMN file can’t contain a DOCTYPE'],
    [`<bpmn:definitions ${MODEL}/>`, 'There is no process in this file'],
    [processWith(''), 'at least one step'],
    [processWith('<bpmn:task id="a"></bpmn:wrong>'), 'This is not BPMN 2.0 XML'],
    [processWith(Array.from({ length: 1001 }, (_, n) => `<bpmn:task id="t${n}"/>`).join('')), 'at most 1000 steps'],
    [
      processWith(Array.from({ length: 300 }, (_, n) => `<n${n}:x xmlns:n${n}="u${n}"/>`).join('')),
      'The file has too many namespaces',
    ],
    [processWith(' '.repeat(1024 * 1024)), 'The file is larger than 1 MiB'],
  ])("is refused with a readable message if it can't be imported: %#", async (text, words) => {
    const read = await readBpmnFile(text);
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.problems[0]?.problem).toContain(words);
  });

  it('is either read or refused, even with very deep nesting or thousands of cycles', async () => {
    const deep = processWith(`${'<bpmn:subProcess>'.repeat(20_000)}${'</bpmn:subProcess>'.repeat(20_000)}`);
    expect((await readBpmnFile(deep)).ok).toBe(false);
    const gates = Array.from({ length: 60 }, (_, n) => `<bpmn:parallelGateway id="g${n}"/>`).join('');
    const knot = Array.from({ length: 3600 }, (_, n) => flow(`f${n}`, `g${n % 60}`, `g${Math.floor(n / 60)}`)).join('');
    const ends = `<bpmn:startEvent id="s"/><bpmn:task id="t"/>${flow('a', 's', 'g0')}${flow('b', 'g59', 't')}`;
    const read = await readBpmnFile(processWith(gates + knot + ends));
    expect(read).toMatchObject({ ok: true, file: { steps: [{ id: 't', next: [] }] } });
  });
});

describe('BPMN over HTTP', () => {
  let server: TestServer;
  let person: Person;
  const XML = { 'content-type': 'application/xml' };
  beforeAll(async () => {
    server = await startTestServer();
    person = await server.signUp();
  });
  afterAll(() => server.stop());

  it('is exported as a file and imported as a draft with the same content', async () => {
    await publish(person, person, 'claims', stepsNamed('First', 'Second'));
    const file = await person.call<string>('GET', '/api/workflows/claims/export-bpmn');
    expect(file.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="claims.bpmn"');
    const imported = await person.call<{ draftId: string; leftOut: unknown[] }>(
      'POST',
      '/api/workflows/claims-2/import-bpmn',
      file.body,
      XML,
    );
    expect(imported).toMatchObject({ status: 201, body: { leftOut: [] } });
    const copy = await person.get<WholeDraft>(`/api/workflows/claims-2/drafts/${imported.body.draftId}`);
    const live = await person.get<{ version: number; contentHash: string }>('/api/workflows/claims/versions/1');
    expect(copy.contentHash).toBe(live.contentHash);
  });

  /** A workflow with a form as BPMN, in which the form's second field was edited. */
  const withEdit = async (edited: object): Promise<string> => {
    const amount: InputField = { id: 'amount', label: 'Amount', kind: 'number', required: true };
    const reason: InputField = { id: 'reason', label: 'Reason', kind: 'text', required: false };
    const [step] = branching(1);
    const fields = [amount, { ...reason, ...edited }];
    const steps = [{ ...step, config: { fields } } as Step];
    return writeBpmn('edited', { metadata: { title: 'Edited', description: '' }, steps });
  };

  it('is refused if a field’s condition can’t be used, as in other files', async () => {
    const good = await withEdit({ requiredIf: 'amount > 5' });
    expect((await person.call('POST', '/api/workflows/condition/import-bpmn', good, XML)).status).toBe(201);
    const bad = await withEdit({ requiredIf: 'for x in 1..9999999 return x' });
    for (const path of ['workflows/loop/import-bpmn', 'workflow-files/read?format=bpmn'])
      expect(await person.call('POST', `/api/${path}`, bad, XML)).toMatchObject({
        status: 400,
        body: { code: 'invalid_file', details: [{ problem: expect.stringContaining('Field "Reason"') as string }] },
      });
  });

  it('lists the settings of a step that can’t be read, and imports the rest of the step', async () => {
    const text = await withEdit({ kind: 'hologram' });
    const { status, body } = await person.call<{ leftOut: object[] }>(
      'POST',
      '/api/workflows/settings/import-bpmn',
      text,
      XML,
    );
    expect({ status, leftOut: body.leftOut }).toMatchObject({
      status: 201,
      leftOut: [
        { what: 'settings', name: 'Step 0', reason: expect.stringContaining('config.fields.1.kind') as string },
      ],
    });
  });

  it('is refused with a readable message if it has more connections than a diagram can show', async () => {
    const steps = branching(200).map((step, index, all) => ({
      ...step,
      next: all.slice(index + 1, index + 51).map(({ id }) => id),
    }));
    await person.post('/api/workflows/dense/drafts', { metadata: { title: 'Dense' }, steps });
    expect(await person.call('GET', '/api/workflows/dense/export-bpmn')).toMatchObject({
      status: 400,
      body: { error: 'This workflow has too many connections for a diagram. Export it as YAML.' },
    });
  });

  it('can be previewed before the import, and is refused if it is invalid', async () => {
    const text = processWith('<bpmn:userTask id="A" name="Look"/><bpmn:callActivity id="B" name="Other"/>');
    expect(await person.call('POST', '/api/workflow-files/read?format=bpmn', text, XML)).toMatchObject({
      status: 200,
      body: { steps: [{ id: 'A', title: 'Look' }], leftOut: [{ what: 'call activity', name: 'Other' }] },
    });
    expect(await person.call('POST', '/api/workflow-files/read?format=bpmn', '<a>\n<b></a>', XML)).toMatchObject({
      status: 400,
      body: { code: 'invalid_file' },
    });
  });
});

type Bounds = { x: number; y: number; width: number; height: number };
type Drawn = { bpmnElement: ModdleElement; bounds?: Bounds; waypoint?: unknown[] };

/** Steps of which every tenth one forks. The branches join again. */
function branching(count = 30): Step[] {
  const ids = Array.from({ length: count }, (_, index) => `s${index}`);
  return ids.map((id, index): Step => ({
    id,
    type: 'manual',
    title: `Step ${index}`,
    description: '',
    assignee: 'Unassigned',
    sla: '',
    config: {},
    next: index % 10 === 0 ? ids.slice(index + 1, index + 3) : ids.slice(index + 1, index + 2),
  }));
}
