import { BpmnModdle } from 'bpmn-moddle';

/**
 * The extension elements for data that BPMN doesn't have: a complete step, or the workflow's key and metadata. The data
 * is stored as ASCII JSON, so that no XML reader or writer changes it.
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

/** Writes JSON with only those characters that are allowed in every XML text. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7E]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
