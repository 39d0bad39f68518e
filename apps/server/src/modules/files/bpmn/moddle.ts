import { BpmnModdle } from 'bpmn-moddle';

/**
 * What a diagram doesn't show, kept beside each element: the step, and the workflow's title and description, as JSON in ASCII,
 * so that no reader or writer of XML changes a character of it.
 */
const EXTENSION = {
  name: 'Stet',
  prefix: 'stet',
  uri: 'urn:stet:bpmn:1',
  xml: { tagAlias: 'lowerCase' },
  types: ['Step', 'Workflow'].map((name) => ({
    name,
    superClass: ['Element'],
    properties: [{ name: 'json', isBody: true, type: 'String' }],
  })),
};

export const FEEL = 'https://www.omg.org/spec/DMN/20191111/FEEL/';

export const newModdle = (): BpmnModdle => new BpmnModdle({ stet: EXTENSION });

/** JSON in characters that every XML text may have. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7E]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
