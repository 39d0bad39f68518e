import { describe, expect, it } from 'vitest';
import { isWellFormed } from './canonical-json.ts';
import { copyForChangesDescription, copyTitle, displayTitle, newWorkflowTitle } from './names.ts';
import { METADATA } from './content.ts';

describe('names', () => {
  it('of new workflows include the template’s name, except for the blank one', () => {
    expect(newWorkflowTitle({ id: 'blank', name: 'Blank Workflow' })).toBe('New Workflow');
    expect(newWorkflowTitle({ id: 'approval', name: 'Approval Process' })).toBe('New Approval Process Workflow');
  });

  it('of a duplicate end in (Copy), even if the title has the maximum length', () => {
    expect(copyTitle('Vendor onboarding')).toBe('Vendor onboarding (Copy)');
    const longest = copyTitle('x'.repeat(METADATA.title.limit));
    expect(longest).toHaveLength(METADATA.title.limit);
    expect(longest.endsWith('x (Copy)')).toBe(true);
    expect(isWellFormed(copyTitle('😀'.repeat(METADATA.title.limit / 2)))).toBe(true);
  });

  it('mark a copy for changes only once', () => {
    expect(copyForChangesDescription('How we buy.')).toBe('How we buy. (copy for changes)');
    expect(copyForChangesDescription('How we buy. (copy for changes)')).toBe('How we buy. (copy for changes)');
  });

  it('fall back to the key', () => {
    expect(displayTitle('vendor-onboarding', ' ')).toBe('vendor-onboarding');
    expect(displayTitle('vendor-onboarding', 'Vendors')).toBe('Vendors');
  });
});
