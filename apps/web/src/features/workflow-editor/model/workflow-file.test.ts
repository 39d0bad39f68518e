import { newStep } from '@stet/domain/workflows';
import { describe, expect, test } from 'vitest';
import { aDraft, STEPS } from '../testing/workflows.ts';
import { fileRefusal, formatOf, importedContent, jsonFile, textRefusal } from './workflow-file.ts';

const content = { metadata: aDraft().metadata, steps: [...STEPS] };
const live = { kind: 'live', version: 1, updatedAt: '' } as const;

describe('importing a file', () => {
  test.each([
    ['a.json', 'json'],
    ['A.YAML', 'yaml'],
    ['b.c.yml', 'yaml'],
    ['claim.bpmn', 'bpmn'],
    ['claim.XML', 'bpmn'],
    ['a.txt', null],
    ['yaml', null],
    ['a.json.exe', null],
  ])('the format of the file %s is %s', (name, format) => {
    expect(formatOf(name)).toBe(format);
  });

  test.each([
    ['a.txt', 10, live, 'Unsupported file format'],
    ['a.yaml', 10, { kind: 'unsaved' } as const, 'YAML import requires an existing workflow'],
    ['a.json', 10, { kind: 'unsaved' } as const, null],
    ['a.bpmn', 10, { kind: 'unsaved' } as const, null],
    ['a.yaml', 10, live, null],
    ['a.yaml', 1024 * 1024 + 1, live, 'The file is larger than 1 MiB'],
  ])('the refusal of %s with %d bytes for %j is %j', (name, size, record, refusal) => {
    expect(fileRefusal({ name, size }, record)).toBe(refusal);
  });

  test.each([
    ['{}', 'Invalid workflow format'],
    ['[]', 'Invalid workflow format'],
    ['{"steps":5}', 'Invalid workflow format'],
    ['null', 'Invalid workflow format'],
    ['{"steps":[]}', null],
    ['{', null],
  ])('the refusal of the JSON %s is %j', (text, refusal) => {
    expect(textRefusal(text, 'json')).toBe(refusal);
    expect(textRefusal(text, 'yaml')).toBeNull();
  });
});

test('a file without metadata changes neither the metadata nor the objects of unchanged steps', () => {
  const read = { key: null, metadata: null, steps: structuredClone([...STEPS, newStep('s4')]), leftOut: [] };
  const after = importedContent(read, content);
  expect(after.metadata).toBe(content.metadata);
  expect(after.steps.slice(0, 3).every((step, index) => step === STEPS[index])).toBe(true);
  expect(after.steps[3]?.id).toBe('s4');
});

test('a JSON export contains the key and the unchanged document', () => {
  expect(JSON.parse(jsonFile('k', content))).toEqual({ stet: 1, key: 'k', ...content });
});
