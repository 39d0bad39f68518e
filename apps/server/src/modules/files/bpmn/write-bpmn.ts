import { type BpmnElement, type BpmnProcess, toBpmn, xmlText } from '@stet/domain/bpmn';
import type { WorkflowContent } from '@stet/domain/workflows';
import type { BpmnModdle, ModdleElement } from 'bpmn-moddle';
import { drawProcess } from './draw-process.ts';
import { asciiJson, FEEL, newModdle } from './moddle.ts';

/** Writes a workflow as BPMN 2.0 XML with a diagram. When it is imported, the content has the same hash. */
export async function writeBpmn(key: string, content: WorkflowContent): Promise<string> {
  const moddle = newModdle();
  const process = toBpmn(content);
  const { root, byId } = elementsOf(moddle, key, process);
  const definitions = moddle.create('bpmn:Definitions', {
    id: 'Definitions_1',
    targetNamespace: 'urn:stet:workflow',
    exporter: 'Stet',
    rootElements: [root],
    diagrams: [drawProcess(moddle, root, process, byId)],
  });
  root.$parent = definitions;
  const { xml } = await moddle.toXML(definitions, { format: true });
  return xml;
}

type Made = { root: ModdleElement; byId: Map<string, ModdleElement> };

function elementsOf(moddle: BpmnModdle, key: string, process: BpmnProcess): Made {
  const byId = new Map<string, ModdleElement>();
  for (const element of process.elements) byId.set(element.id, elementOf(moddle, element));
  const flows = process.flows.map((flow): ModdleElement => {
    const [sourceRef, targetRef] = [byId.get(flow.from), byId.get(flow.to)];
    const made = moddle.create('bpmn:SequenceFlow', {
      id: flow.id,
      ...(flow.name !== '' && { name: flow.name }),
      sourceRef,
      targetRef,
      ...(flow.condition && {
        conditionExpression: moddle.create('bpmn:FormalExpression', {
          language: FEEL,
          body: xmlText(flow.condition.text),
        }),
      }),
    });
    append(sourceRef, 'outgoing', made);
    append(targetRef, 'incoming', made);
    byId.set(flow.id, made);
    return made;
  });
  for (const { id, defaultFlow } of process.elements) {
    const gateway = byId.get(id);
    if (gateway && defaultFlow !== undefined) gateway['default'] = byId.get(defaultFlow);
  }
  const nodes = process.elements.flatMap(({ id }) => byId.get(id) ?? []);
  const root = moddle.create('bpmn:Process', {
    id: 'Process_1',
    name: xmlText(process.name),
    isExecutable: false,
    ...documented(moddle, process.documentation),
    extensionElements: extension(moddle, 'stet:Workflow', { key, metadata: process.metadata }),
    flowElements: [...nodes, ...flows],
  });
  for (const each of [...nodes, ...flows]) each.$parent = root;
  return { root, byId };
}

function elementOf(moddle: BpmnModdle, { id, kind, name, documentation, step, script }: BpmnElement): ModdleElement {
  return moddle.create(`bpmn:${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, {
    id,
    ...(name !== '' && { name: xmlText(name) }),
    ...documented(moddle, documentation),
    ...(step && { extensionElements: extension(moddle, 'stet:Step', step) }),
    ...(script && { scriptFormat: script.format, script: xmlText(script.text) }),
  });
}

function documented(moddle: BpmnModdle, text: string): Record<string, unknown> {
  return text === '' ? {} : { documentation: [moddle.create('bpmn:Documentation', { text: xmlText(text) })] };
}

function extension(moddle: BpmnModdle, type: string, value: unknown): ModdleElement {
  return moddle.create('bpmn:ExtensionElements', { values: [moddle.create(type, { json: asciiJson(value) })] });
}

function append(element: ModdleElement | undefined, property: string, value: ModdleElement): void {
  const list = element?.[property];
  if (Array.isArray(list)) list.push(value);
  else if (element) element[property] = [value];
}
