import { describe, expect, it } from 'vitest';
import { parseDuration } from '../sla/duration.ts';
import { assigneeProblem } from '../access/assignee.ts';
import { checkGraph } from './graph-problems.ts';
import { findTemplate, fromTemplate, TEMPLATE_IDS, TEMPLATES } from './templates.ts';
import { isWorkflowKey } from './workflow-key.ts';

const titles = (id: string) => findTemplate(id)?.steps.map(({ title }) => title);

describe('templates', () => {
  it('are the five in the specification, with the steps that the chooser shows', () => {
    expect(TEMPLATES.map(({ id }) => id)).toEqual([...TEMPLATE_IDS]);
    expect(TEMPLATES.map(({ name }) => name)).toEqual([
      'Blank Workflow',
      'Approval Process',
      'Customer Onboarding',
      'Document Review',
      'Project',
    ]);
    expect(titles('blank')).toEqual(['New Step']);
    expect(titles('approval')).toEqual(['Submit request', 'First review', 'Final approval', 'Notify requester']);
    expect(titles('customer-onboarding')).toEqual([
      'Collect information',
      'Validate data',
      'Create account',
      'Send welcome',
    ]);
    expect(titles('document-review')).toEqual([
      'Submit document',
      'First reading',
      'Expert review',
      'Revise',
      'Publish',
    ]);
    expect(titles('project')).toEqual([
      'Initial Review',
      'Technical Analysis',
      'Design Review',
      'Implementation',
      'Quality Assurance',
      'Final Approval',
    ]);
  });

  it('are found by id, or not at all if the id is unknown', () => {
    expect(findTemplate('approval')?.name).toBe('Approval Process');
    expect(findTemplate('toString')).toBeNull();
  });

  it.each([...TEMPLATES])('are linear workflows with valid SLAs and assignees ($id)', (template) => {
    const { key, metadata, steps } = fromTemplate(template, { timestamp: 1795228967000 });
    expect(key).toBe('workflow-1795228967000');
    expect(isWorkflowKey(key)).toBe(true);
    expect(metadata.title).toBe(template.id === 'blank' ? 'New Workflow' : `New ${template.name} Workflow`);
    expect(checkGraph(steps)).toEqual([]);
    expect(steps.map(({ next }) => next)).toEqual(
      steps.map((_, index) => steps.slice(index + 1, index + 2).map(({ id }) => id)),
    );
    for (const step of steps) {
      expect(parseDuration(step.sla)).toMatchObject({ ok: true });
      expect(assigneeProblem(step.assignee)).toBeNull();
      expect(['manual', 'approval']).toContain(step.type);
    }
  });

  it('are copied into each new workflow', () => {
    const [blank] = TEMPLATES;
    if (blank === undefined) throw new Error('no template');
    fromTemplate(blank, { timestamp: 1 }).steps[0]?.next.push('x');
    expect(fromTemplate(blank, { timestamp: 2 }).steps[0]?.next).toEqual([]);
  });
});
