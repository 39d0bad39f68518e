import { describe, expect, it } from 'vitest';
import { isWellFormed } from './canonical-json.ts';
import { copyForChangesDescription, copyTitle, displayTitle, newWorkflowTitle } from './names.ts';
import { LIMITS } from './step.ts';

describe('names', () => {
  it('of new workflows tell the template, but for the blank one', () => {
    expect(newWorkflowTitle({ id: 'blank', name: 'Blank Workflow' })).toBe('New Workflow');
    expect(newWorkflowTitle({ id: 'approval', name: 'Approval Process' })).toBe('New Approval Process Workflow');
  });

  it('of a duplicate end in (Copy), also where the title is as long as it may be', () => {
    expect(copyTitle('Vendor onboarding')).toBe('Vendor onboarding (Copy)');
    const longest = copyTitle('x'.repeat(LIMITS.title));
    expect(longest).toHaveLength(LIMITS.title);
    expect(longest.endsWith('x (Copy)')).toBe(true);
    expect(isWellFormed(copyTitle('😀'.repeat(LIMITS.title / 2)))).toBe(true);
  });

  it('say once that a draft is a copy for changes', () => {
    expect(copyForChangesDescription('How we buy.')).toBe('How we buy. (copy for changes)');
    expect(copyForChangesDescription('How we buy. (copy for changes)')).toBe('How we buy. (copy for changes)');
  });

  it('fall back to the key', () => {
    expect(displayTitle('vendor-onboarding', ' ')).toBe('vendor-onboarding');
    expect(displayTitle('vendor-onboarding', 'Vendors')).toBe('Vendors');
  });
});
