import type { Step, StepType, WorkflowMetadata } from '../workflows/step.ts';

/** The elements of BPMN that a workflow is written with, and read from; every other one is `other`. */
export const ELEMENT_KINDS = [
  'startEvent',
  'endEvent',
  'task',
  'userTask',
  'manualTask',
  'scriptTask',
  'serviceTask',
  'sendTask',
  'exclusiveGateway',
  'inclusiveGateway',
  'parallelGateway',
  'other',
] as const;
export type ElementKind = (typeof ELEMENT_KINDS)[number];

/** A node of a process. */
export type BpmnElement = {
  id: string;
  kind: ElementKind;
  name: string;
  documentation: string;
  /** The whole step, where Stet wrote the element. */
  step: Step | null;
  /** Of a script task; `format` is a media type, empty where none is said. */
  script?: { text: string; format: string };
  /** Whom a task names; empty where nobody. */
  assignee?: string;
  /** Of a gateway: the flow that is taken where no condition holds. */
  defaultFlow?: string;
  /** Of `other`: what it is, in words. */
  what?: string;
  /** Of an event at a task's edge: what leads on from it is no part of the way on. */
  isBoundary?: boolean;
};

/** `condition` in FEEL; null where it has none, `text` empty where it is in a language that can't be read. */
export type BpmnFlow = { id: string; from: string; to: string; name: string; condition: { text: string } | null };

export type BpmnProcess = {
  name: string;
  documentation: string;
  /** Title and description, where Stet wrote the process. */
  metadata: WorkflowMetadata | null;
  elements: BpmnElement[];
  flows: BpmnFlow[];
  /** What the file has besides, such as lanes. */
  others: LeftOut[];
};

/** Something of a file that a workflow doesn't have: what it is, its name where it has one, and why. */
export type LeftOut = { what: string; name: string; reason: string };

/** The element that stands for a step of the type. */
export const ELEMENT_OF = {
  manual: 'userTask',
  approval: 'userTask',
  automated: 'scriptTask',
  condition: 'exclusiveGateway',
  notification: 'sendTask',
} as const satisfies Record<StepType, ElementKind>;

/** The text without the characters that XML can't have. */
export function xmlText(text: string): string {
  // eslint-disable-next-line no-control-regex -- those characters are what is taken out
  return text.toWellFormed().replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD');
}

/** True when a text has come through a file unchanged: editors of diagrams may put white space in order. */
export function sameInXml(a: string, b: string): boolean {
  const plain = (text: string): string => xmlText(text).replaceAll(/\s+/g, ' ').trim();
  return plain(a) === plain(b);
}
