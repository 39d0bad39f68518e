import { describe, expect, it } from 'vitest';
import type { Step } from '../steps/index.ts';
import { stepOf } from '../workflows/workflow.arbitrary.ts';
import { directionControls } from './direction-controls.ts';

const OVERRIDE = '\u202E';
const fieldsOf = (steps: Step[], ...stored: Step[][]) =>
  directionControls(
    { steps },
    stored.map((each) => ({ steps: each })),
  ).map(({ stepId, field }) => `${stepId} ${field}`);

describe('direction controls', () => {
  it.each<[field: string, step: Step]>([
    ['id', stepOf({ id: `a${OVERRIDE}` })],
    ['assignee', stepOf({ id: 'a', assignee: `moc.elpmaxe${OVERRIDE}@anna` })],
    ['assignedRole', stepOf({ id: 'a', config: { assignedRole: 'ed\u200Eitor' } })],
    ['script', stepOf({ id: 'a', type: 'automated', config: { script: 'return /* \u2066 */ 1' } })],
    ['condition', stepOf({ id: 'a', type: 'condition', config: { condition: 'a\u061C > 1' } })],
    ['recipients', stepOf({ id: 'a', type: 'notification', config: { recipients: ['a@b.cd', '\u200Fx@b.cd'] } })],
  ])('are found in %s', (field, step) => {
    expect(fieldsOf([step])).toEqual([`${step.id} ${field}`]);
  });

  it('are allowed in texts for people', () => {
    const text = `שלום ${OVERRIDE}`;
    expect(fieldsOf([stepOf({ id: 'a', title: text, description: text, sla: text })])).toEqual([]);
    expect(fieldsOf([stepOf({ id: 'a', type: 'notification', config: { template: text } })])).toEqual([]);
  });

  it('are accepted if the same field of the same step already had them', () => {
    const bad = `x${OVERRIDE}@b.cd`;
    const stored = [stepOf({ id: 'a', type: 'notification', config: { recipients: [bad] } })];
    const more = [stepOf({ id: 'a', type: 'notification', config: { recipients: [bad, 'y@b.cd'] }, title: 'New' })];
    expect(fieldsOf(more, stored)).toEqual([]);
    expect(fieldsOf(more, [], stored)).toEqual([]);
    expect(fieldsOf([...more, stepOf({ id: 'b', assignee: bad })], stored)).toEqual(['b assignee']);
    expect(fieldsOf([stepOf({ id: 'a', assignee: bad })], stored)).toEqual(['a assignee']);
    expect(fieldsOf([stepOf({ id: 'a', assignee: `${bad}.de` })], [stepOf({ id: 'a', assignee: bad })])).toEqual([
      'a assignee',
    ]);
  });
});
