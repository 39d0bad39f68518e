import { describe, expect, it } from 'vitest';
import { builderSaveProblem, newBuilderStep, withListSaveDefaults } from './builder-save.ts';
import { STEP_KINDS, STEP_TYPES, type Step } from '../steps/index.ts';
import type { WorkflowContent } from './content.ts';
import { stepOf } from './workflow.arbitrary.ts';

const content = (...steps: Step[]): WorkflowContent => ({ metadata: { title: 'T', description: '' }, steps });

describe('the builder', () => {
  it.each(STEP_TYPES)('creates a step of type %s with the SLA and settings of its type', (type) => {
    const step = newBuilderStep('s', type);
    expect(step).toMatchObject({
      id: 's',
      type,
      title: '',
      description: '',
      sla: STEP_KINDS[type].defaults.sla,
      next: [],
    });
    expect(step.config).toEqual(STEP_KINDS[type].defaults.config);
  });

  it.each([
    [{ metadata: { title: ' ', description: '' }, steps: [] }, 'Workflow title is required'],
    [content(), 'Workflow must have at least one step'],
    [content(stepOf({ id: 'a' })), null],
  ])('explains why it can’t save %j: %s', (given, problem) => {
    expect(builderSaveProblem(given)).toBe(problem);
  });

  it('fills empty fields and uses the role in the settings as the assignee', () => {
    const saved = withListSaveDefaults(
      content(newBuilderStep('a', 'manual'), newBuilderStep('b', 'condition')),
      content(),
    );
    expect(saved.steps[0]).toMatchObject({
      title: 'Untitled Step',
      description: 'No description provided',
      assignee: 'editor',
      sla: '24h',
    });
    expect(saved.steps[1]?.assignee).toBe('Unassigned');
    const cleared = stepOf({ id: 'c', sla: ' ' });
    expect(withListSaveDefaults(content(cleared), content(stepOf({ id: 'c', sla: '4h' }))).steps[0]?.sla).toBe('1 day');
  });

  it('preserves fields that were already empty', () => {
    const before = content(stepOf({ id: 'a', sla: '', description: '' }));
    const edited = content(stepOf({ id: 'a', sla: '', description: '', title: 'Renamed' }));
    expect(withListSaveDefaults(edited, before)).toBe(edited);
  });
});
