import { describe, expect, it } from 'vitest';
import type { RunFactType } from '../runs/facts.ts';
import { actionOfFact, AUDIT_ACTIONS, type AuditedFact } from './actions.ts';
import { auditPayload, derivedColumns, SYSTEM_ACTOR } from './events.ts';

describe('audit actions', () => {
  it('are unique and have the form subject.what_happened', () => {
    expect(new Set(AUDIT_ACTIONS).size).toBe(AUDIT_ACTIONS.length);
    for (const action of AUDIT_ACTIONS) expect(action).toMatch(/^[a-z]+\.[a-z]+(_[a-z]+)*$/);
  });

  it('include exactly one action for each fact of a run', () => {
    const facts: Record<RunFactType, string> & Partial<Record<AuditedFact, string>> = {
      run_started: 'run.started',
      run_paused: 'run.paused',
      run_pause_escalated: 'run.pause_escalated',
      run_resumed: 'run.resumed',
      run_completed: 'run.completed',
      run_failed: 'run.failed',
      run_cancelled: 'run.cancelled',
      run_priority_changed: 'run.priority_changed',
      step_activated: 'step.activated',
      step_submitted: 'step.submitted',
      step_returned: 'step.returned',
      step_approved: 'step.approved',
      step_rejected: 'step.rejected',
      step_completed: 'step.completed',
      step_failed: 'step.failed',
      step_skip_agreed: 'step.skip_agreed',
      step_skipped: 'step.skipped',
      step_claimed: 'step.claimed',
      step_released: 'step.released',
      step_handed_over: 'step.handed_over',
      step_reset: 'step.reset',
      step_retried: 'step.retried',
      sla_at_risk: 'sla.at_risk',
      sla_breached: 'sla.breached',
      sla_reminded: 'sla.reminded',
    };
    for (const [fact, action] of Object.entries(facts)) {
      expect(actionOfFact(fact as AuditedFact)).toBe(action);
      expect(AUDIT_ACTIONS).toContain(action);
    }
  });
});

describe('an audit record', () => {
  const record = {
    actor: SYSTEM_ACTOR,
    action: 'step.skipped',
    subject: { type: 'run', id: 'r1' },
    runId: 'r1',
    data: { stepId: 's1', reason: undefined },
  } as const;

  it('has its canonical JSON as its payload', () => {
    expect(auditPayload(record)).toBe(
      '{"action":"step.skipped","actor":{"id":"system","kind":"system","name":"system"},"data":{"stepId":"s1"},' +
        '"runId":"r1","subject":{"id":"r1","type":"run"}}',
    );
  });

  it('has derived columns for searching', () => {
    expect(derivedColumns(record)).toEqual({
      actor: 'system',
      action: 'step.skipped',
      subjectType: 'run',
      subjectId: 'r1',
      runId: 'r1',
    });
  });
});
