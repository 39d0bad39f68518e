import { STEP_ELEMENTS, type Step } from '../steps/index.ts';
import type { WorkflowMetadata } from '../workflows/content.ts';

/** The BPMN elements that can represent a workflow; all others are `other`. */
export const ELEMENT_KINDS = [
  'startEvent',
  'endEvent',
  ...STEP_ELEMENTS,
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
  /** The whole step, if Stet wrote the element. */
  step: Step | null;
  /** The script of a script task; `format` is a media type, empty if unspecified. */
  script?: { text: string; format: string };
  /** The assignee of a task; empty if there is none. */
  assignee?: string;
  /** The flow that a gateway takes if no condition is true. */
  defaultFlow?: string;
  /** A description of an `other` element. */
  what?: string;
  /** A boundary event: flows from it are not part of the normal order. */
  isBoundary?: boolean;
};

/** `condition` is in FEEL. Null if there is none; its `text` is empty if its language isn't supported. */
export type BpmnFlow = { id: string; from: string; to: string; name: string; condition: { text: string } | null };

export type BpmnProcess = {
  name: string;
  documentation: string;
  /** Title and description, if Stet wrote the process. */
  metadata: WorkflowMetadata | null;
  elements: BpmnElement[];
  flows: BpmnFlow[];
  /** Other elements in the file, such as lanes. */
  others: LeftOut[];
};

/** An element that a workflow can't represent: its kind, its name if any, and the reason. */
export type LeftOut = { what: string; name: string; reason: string };

/** Replaces characters that XML can't contain with U+FFFD. */
export function xmlText(text: string): string {
  // eslint-disable-next-line no-control-regex -- these characters are replaced
  return text.toWellFormed().replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD');
}

/** True if text came back from a file unchanged; diagram editors may normalize white space. */
export function sameInXml(a: string, b: string): boolean {
  const plain = (text: string): string => xmlText(text).replaceAll(/\s+/g, ' ').trim();
  return plain(a) === plain(b);
}
