import type { Step } from '@stet/domain/steps';
import { cutText } from '@stet/domain/workflows';
import { metadata, problemWords, stepInput } from '@stet/contract';
import { type BpmnElement, type BpmnFlow, type BpmnProcess, ELEMENT_KINDS, type LeftOut } from '@stet/domain/bpmn';
import type { ModdleElement } from 'bpmn-moddle';
import { FEEL } from './moddle.ts';

/** Finds the process in a file. If there are several, returns the one with the most elements. Null if there is none. */
export function processOf(definitions: ModdleElement): BpmnProcess | null {
  const roots = elementsIn(definitions, 'rootElements');
  const processes = roots.filter(({ $type }) => $type === 'bpmn:Process');
  const sizeOf = (process: ModdleElement): number => elementsIn(process, 'flowElements').length;
  const [process, ...rest] = processes.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  if (!process) return null;
  const participants = roots.flatMap((root) => elementsIn(root, 'participants'));
  const pool = participants.find((participant) => participant['processRef'] === process);
  const flowElements = elementsIn(process, 'flowElements');
  const flows = flowElements.filter(({ $type }) => $type === 'bpmn:SequenceFlow');
  const nodes = flowElements.filter((each) => each.$type !== 'bpmn:SequenceFlow' && !isData(each));
  return {
    name: textIn(process, 'name') || (pool ? textIn(pool, 'name') : ''),
    documentation: documentationOf(process),
    metadata: writtenMetadata(process),
    elements: nodes.map(elementOf),
    flows: flows.flatMap(flowOf),
    others: [
      ...rest.map((other) => leftOut('process', other, 'A workflow has only one process')),
      ...elementsIn(process, 'laneSets')
        .flatMap((set) => elementsIn(set, 'lanes'))
        .map((lane) => leftOut('lane', lane, 'A step has its own assignee')),
      ...flowElements.filter(isData).map((data) => leftOut(wordsOf(data), data, 'A workflow has no data objects')),
      ...elementsIn(process, 'artifacts')
        .filter(({ $type }) => $type === 'bpmn:TextAnnotation')
        .map((note) => ({
          what: 'text annotation',
          name: cutText(textIn(note, 'text'), 80),
          reason: 'A workflow has no notes outside its steps',
        })),
      ...nodes.flatMap(leftOutSettings),
      ...nodes.filter(hasForeignForm).map((node) => leftOut('form', node, 'The form is in the format of another tool')),
    ],
  };
}

const isData = ({ $type }: ModdleElement): boolean => $type.startsWith('bpmn:Data');

function elementOf(element: ModdleElement): BpmnElement {
  const name = element.$type.replace(/^bpmn:/, '');
  const camel = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const kind = ELEMENT_KINDS.find((each) => each === camel) ?? 'other';
  const ends = element['default'];
  const assignee = assigneeOf(element);
  return {
    id: textIn(element, 'id'),
    kind,
    name: textIn(element, 'name'),
    documentation: documentationOf(element),
    step: writtenStep(element),
    ...(kind === 'scriptTask' && {
      script: { text: textIn(element, 'script'), format: textIn(element, 'scriptFormat') },
    }),
    ...(assignee !== '' && { assignee }),
    ...(isElement(ends) && { defaultFlow: textIn(ends, 'id') }),
    ...(kind === 'other' && { what: wordsOf(element) }),
    ...(element.$type === 'bpmn:BoundaryEvent' && { isBoundary: true }),
  };
}

function flowOf(flow: ModdleElement): BpmnFlow[] {
  const { sourceRef, targetRef, conditionExpression } = flow;
  if (!isElement(sourceRef) || !isElement(targetRef)) return [];
  return [
    {
      id: textIn(flow, 'id'),
      from: textIn(sourceRef, 'id'),
      to: textIn(targetRef, 'id'),
      name: textIn(flow, 'name'),
      condition: isElement(conditionExpression) ? { text: feelOf(conditionExpression) } : null,
    },
  ];
}

/** Returns a condition's text in FEEL. Empty if it is in another language. */
function feelOf(expression: ModdleElement): string {
  const language = textIn(expression, 'language');
  const text = textIn(expression, 'body').trim();
  if (language !== '' && language !== FEEL && !/feel/i.test(language)) return '';
  // Engines mark their own expression languages: `${…}` is not FEEL, but text after a leading `=` is.
  return /^[$#]\{/.test(text) ? '' : text.replace(/^=\s*/, '');
}

/**
 * Returns the assignee from the attributes that the most common tools use. Ignores expressions, because they don't name
 * anyone.
 */
function assigneeOf(element: ModdleElement): string {
  const beside = extensionsOf(element).find(({ $type }) => $type === 'zeebe:assignmentDefinition');
  const names = [
    element.$attrs?.['camunda:assignee'],
    beside?.['assignee'],
    element.$attrs?.['camunda:candidateGroups'],
    beside?.['candidateGroups'],
  ];
  const named = names.find((name): name is string => typeof name === 'string' && name !== '' && !/^[=$#]/.test(name));
  return cutText((named ?? '').trim(), 254);
}

function writtenStep(element: ModdleElement): Step | null {
  const { data } = parsedStep(element);
  return data ? ({ ...data, next: data.next ?? [] } as Step) : null;
}

const parsedStep = (element: ModdleElement) =>
  stepInput.safeParse(written(element, 'stet:Step'), { error: problemWords });

/** Lists the settings of a step from Stet if they can't be read. The step is then read like one from another tool. */
function leftOutSettings(element: ModdleElement): LeftOut[] {
  if (!extensionsOf(element).some(({ $type }) => $type === 'stet:Step')) return [];
  const [problem] = parsedStep(element).error?.issues ?? [];
  if (!problem) return [];
  const place = problem.path.join('.');
  return [leftOut('settings', element, `They can’t be read: ${place === '' ? '' : `${place}: `}${problem.message}`)];
}

/** True if another tool's form belongs to an element, for example `camunda:formData` or `zeebe:formDefinition`. */
const hasForeignForm = (element: ModdleElement): boolean =>
  [...extensionsOf(element).map(({ $type }) => $type), ...Object.keys(element.$attrs ?? {})].some((name) =>
    /^(?!stet:)\w+:form/.test(name),
  );

function writtenMetadata(process: ModdleElement): BpmnProcess['metadata'] {
  const value = written(process, 'stet:Workflow');
  const parsed = metadata.safeParse(
    typeof value === 'object' && value !== null && 'metadata' in value ? value.metadata : null,
  );
  return parsed.success ? parsed.data : null;
}

function written(element: ModdleElement, type: string): unknown {
  const json = extensionsOf(element).find(({ $type }) => $type === type)?.['json'];
  try {
    return typeof json === 'string' ? JSON.parse(json) : null;
  } catch {
    return null;
  }
}

function extensionsOf(element: ModdleElement): ModdleElement[] {
  const extension = element['extensionElements'];
  return isElement(extension) ? elementsIn(extension, 'values') : [];
}

function documentationOf(element: ModdleElement): string {
  return elementsIn(element, 'documentation')
    .map((each) => textIn(each, 'text'))
    .join('\n');
}

/**
 * Returns the name of an element's type. For example, an `IntermediateCatchEvent` with a timer is a "timer event", and
 * a `SubProcess` is a "sub process".
 */
function wordsOf(element: ModdleElement): string {
  const split = (type: string): string =>
    type
      .replace(/^\w+:/, '')
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase();
  const [definition] = elementsIn(element, 'eventDefinitions');
  const event = definition ? split(definition.$type).replace(' event definition', '') : '';
  return event === '' ? split(element.$type) : `${event} event`;
}

function leftOut(what: string, element: ModdleElement, reason: string): LeftOut {
  return { what, name: textIn(element, 'name') || textIn(element, 'id'), reason };
}

const isElement = (value: unknown): value is ModdleElement =>
  typeof value === 'object' && value !== null && '$type' in value;

function elementsIn(element: ModdleElement, property: string): ModdleElement[] {
  const value = element[property];
  return Array.isArray(value) ? (value as unknown[]).filter(isElement) : [];
}

function textIn(element: ModdleElement, property: string): string {
  const value = element[property];
  return typeof value === 'string' ? value : '';
}
