import { describe, expect, it } from 'vitest';
import { notificationLetter } from './notification.mail.ts';
import { KINDS, type NotificationKind, notificationPage } from './wording.ts';

const HOME = 'https://stet.example';
const NOTHING = { run_id: null, workflow_key: null, draft_id: null };
const DRAFT = { ...NOTHING, workflow_key: 'hiring', draft_id: 'd1' };
const RUN = { ...NOTHING, run_id: 'r1' };
const WORKFLOW = { ...NOTHING, workflow_key: 'hiring' };
const REVIEW = [DRAFT, 'Open the review', '/app/review?key=hiring&id=d1'] as const;

/**
 * For each kind of notification: what it is about, the button with its page, and a part of the reason given in the
 * email. Null if the kind isn't mailed or has its own template.
 */
const MAILS = {
  step_assigned: null,
  sla_at_risk: null,
  sla_breached: null,
  review_requested: [...REVIEW, 'can review'],
  draft_approved: [...REVIEW, 'worked on this draft'],
  draft_approval_withdrawn: [...REVIEW, 'worked on this draft'],
  draft_changes_requested: [...REVIEW, 'worked on this draft'],
  draft_merged: [...REVIEW, 'worked on this draft'],
  draft_withdrawn: [...REVIEW, 'worked on this draft'],
  draft_discarded: [NOTHING, 'Open Workflows', '/app/workflows', 'reviewed this draft'],
  confirmation_requested: [NOTHING, 'Open Confirmations', '/app/settings/confirmations', 'owner or admin'],
  confirmation_decided: [NOTHING, 'Open Confirmations', '/app/settings/confirmations', 'proposed'],
  changed_alone: [NOTHING, 'Open the settings', '/app/settings/organization', 'everyone'],
  role_changed: [NOTHING, 'Open Members', '/app/settings/members', 'your role'],
  invitations_revoked: [NOTHING, 'Open Members', '/app/settings/members', 'owner or admin'],
  version_rolled_back: [WORKFLOW, 'Open the workflow', '/app/docs/hiring', 'this workflow'],
  emergency: [WORKFLOW, 'Open the workflow', '/app/docs/hiring', 'everyone'],
  organization_ending: [NOTHING, 'Open Audit', '/app/audit', 'owner of this organization'],
  trail_broken: [NOTHING, 'Open Audit', '/app/audit', 'owner or admin'],
  findings_failed: [...REVIEW, 'owner or admin'],
  mentioned: [RUN, 'Open the run', '/app/runs/r1', 'mentioned you'],
  note_answered: [RUN, 'Open the run', '/app/runs/r1', 'have written'],
  step_handed_over: [RUN, 'Open the run', '/app/runs/r1', 'handed over to you'],
  delegated_step: [RUN, 'Open the run', '/app/runs/r1', 'someone who is away'],
  pause_escalated: [RUN, 'Open the run', '/app/runs/r1', 'paused runs'],
  delegation_changed: [NOTHING, 'Open My tasks', '/app/tasks', 'someone’s work'],
  group_changed: null,
  run_failed: null,
  run_paused: null,
  decided_for_you: null,
  message: null,
  input_submitted: null,
  input_returned: null,
} as const satisfies Record<
  NotificationKind,
  readonly [about: typeof NOTHING | typeof DRAFT | typeof RUN | typeof WORKFLOW, string, string, string] | null
>;

const letterOf = (kind: NotificationKind, about: Omit<Parameters<typeof notificationPage>[1], 'kind'>) =>
  notificationLetter({
    kind,
    name: 'Ada',
    email: 'ada@stet.example',
    title: 'Title',
    body: 'Body',
    page: notificationPage(HOME, { kind, ...about }),
    isDraft: about.draft_id !== null,
  });

describe('the email about a notification', () => {
  it.each(Object.keys(KINDS) as NotificationKind[])(
    'states what happened, where to act and why it was sent, unless its kind has no such email: %s',
    (kind) => {
      const expected = MAILS[kind];
      if (expected === null) {
        expect(letterOf(kind, NOTHING)).toBeNull();
        return;
      }
      const [about, label, path, reason] = expected;
      const letter = letterOf(kind, about);
      expect(letter).toMatchObject({ action: { label, url: `${HOME}${path}` } });
      expect(letter?.subject).toMatch(/^(?!News)[A-Z][a-z ]+: Title$/);
      expect(letter?.footnote).toContain(reason);
    },
  );

  it('links to the workflow if a manager changed it alone', () => {
    expect(letterOf('changed_alone', WORKFLOW)?.action?.label).toBe('Open the workflow');
  });

  it('links to the workflow list if it was stored before notifications contained their workflow', () => {
    expect(letterOf('version_rolled_back', NOTHING)?.action?.url).toBe(`${HOME}/app/workflows`);
  });
});
