import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_ANSWERS, applicationBody, toggled } from './answers.ts';
import type { Answers } from './answers.ts';
import { QUESTIONS, STEPS, questionNumber, reachableStep, stepAfter, stepBefore, stepProblem } from './steps.ts';
import type { Step } from './steps.ts';

const ANSWERED: Answers = {
  ...NO_ANSWERS,
  email: ' mara@haldenworks.example ',
  role: 'Process Owner',
  frequency: 'Weekly',
};

describe('the priority application', () => {
  test('has ten steps, eight of them questions', () => {
    expect(STEPS).toHaveLength(10);
    expect(QUESTIONS.map(questionNumber)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  const rules: [Step, Partial<Answers>, boolean][] = [
    ['start', {}, true],
    ['email', { email: '' }, false],
    ['email', { email: 'mara@haldenworks' }, false],
    ['email', { email: ' mara@haldenworks.example ' }, true],
    ['role', { role: null }, false],
    ['role', { role: 'Founder' }, true],
    ['role', { role: 'Other', otherRole: ' C ' }, false],
    ['role', { role: 'Other', otherRole: ' QA ' }, true],
    ['documentation-tools', { documentationTools: [] }, true],
    ['documentation-tools', { documentationTools: ['Other'], otherDocumentationTool: '' }, true],
    ['team-tools', { teamTools: [] }, true],
    ['frustrations', { frustrations: '' }, true],
    ['process-types', { processTypes: '' }, true],
    ['collaboration-size', { collaborationSize: '' }, true],
    ['frequency', { frequency: null }, false],
    ['frequency', { frequency: 'Monthly' }, true],
  ];
  test.each(rules)('the step %s with %j allows Continue: %s', (step, change, canGoOn) => {
    expect(stepProblem(step, { ...NO_ANSWERS, ...change }) === null).toBe(canGoOn);
  });

  test('Continue advances by one, stays if an answer is missing, and never leaves the last question', () => {
    const walked: Step[] = ['start'];
    for (let at = 0; at < 12; at++) walked.push(stepAfter(walked.at(-1) ?? 'start', ANSWERED));
    expect([...new Set(walked)]).toEqual(STEPS.slice(0, -1));
    expect(stepAfter('email', NO_ANSWERS)).toBe('email');
  });

  test('Back undoes Continue', () => {
    for (const step of STEPS.slice(0, -2)) expect(stepBefore(stepAfter(step, ANSWERED))).toBe(step);
    expect(stepBefore('start')).toBe('start');
  });

  test('a step can be reached once every required question before it is answered', () => {
    expect(reachableStep('team-tools', NO_ANSWERS)).toBe('email');
    expect(reachableStep('team-tools', { ...ANSWERED, role: null })).toBe('role');
    expect(reachableStep('role', { ...ANSWERED, role: null })).toBe('role');
    for (const step of STEPS) expect(reachableStep(step, ANSWERED)).toBe(step);
    expect(reachableStep('start', NO_ANSWERS)).toBe('start');
  });
});

describe('the sent application', () => {
  test('has trimmed text, and text for Other only if Other is chosen', () => {
    expect(
      applicationBody({
        ...ANSWERED,
        otherRole: 'Scribe',
        documentationTools: ['Notion', 'Other'],
        otherDocumentationTool: ' SharePoint lists ',
        otherTeamTool: 'kept, not sent',
        frustrations: ' Nobody reads them. ',
      }),
    ).toEqual({
      email: 'mara@haldenworks.example',
      role: 'Process Owner',
      otherRole: '',
      documentationTools: ['Notion', 'Other'],
      otherDocumentationTool: 'SharePoint lists',
      teamTools: [],
      otherTeamTool: '',
      frustrations: 'Nobody reads them.',
      processTypes: '',
      collaborationSize: '',
      frequency: 'Weekly',
    });
  });
});

test('toggling an option twice restores the list in the options’ order', () => {
  const options = ['a', 'b', 'c', 'd'] as const;
  fc.assert(
    fc.property(fc.subarray([...options]), fc.constantFrom(...options), (picked, option) => {
      const once = toggled(options, picked, option);
      expect(once.includes(option)).toBe(!picked.includes(option));
      expect(toggled(options, once, option)).toEqual(picked);
    }),
  );
});
