import { describe, expect, it } from 'vitest';
import { stepOf } from '../workflows/workflow.arbitrary.ts';
import { addressWarnings, assigneeEmails } from './addresses.ts';

const steps = [
  stepOf({ id: 'a', assignee: 'Anna@example.com' }),
  stepOf({ id: 'b', assignee: 'gone@example.com' }),
  stepOf({ id: 'c', assignee: 'p\u0430ul@example.com' }),
  stepOf({ id: 'd', assignee: 'reviewer' }),
  stepOf({ id: 'e', type: 'notification', config: { recipients: ['any@example.org', 'ann\u0430@example.org'] } }),
];

describe('the addresses of a draft', () => {
  it('cause a warning if scripts are mixed or an assignee isn’t a member', () => {
    const warnings = addressWarnings(steps, ['anna@example.com']);
    expect(warnings.map(({ kind, stepId, field, address }) => `${kind} ${stepId} ${field} ${address}`)).toEqual([
      'not_a_member b assignee gone@example.com',
      'mixed_scripts c assignee p\u0430ul@example.com',
      'not_a_member c assignee p\u0430ul@example.com',
      'mixed_scripts e recipients ann\u0430@example.org',
    ]);
  });

  it('cause no warning if an assignee is a member whose address is spelled differently', () => {
    const typed = [stepOf({ id: 'a', assignee: 'Eva@Bücher.example' })];
    const canonical = 'eva@xn--bcher-kva.example';
    expect(assigneeEmails(typed)).toEqual(['eva@bücher.example', canonical]);
    expect(addressWarnings(typed, [canonical])).toEqual([]);
  });

  it('are listed once each, in lower case and without roles', () => {
    expect(assigneeEmails([...steps, ...steps])).toEqual([
      'anna@example.com',
      'gone@example.com',
      'p\u0430ul@example.com',
    ]);
  });
});
