import type { NoticeKind } from '@stet/domain/notifications';
import type { Letter } from '../../kernel/mail.ts';

const SUBJECTS: Partial<Record<NoticeKind, string>> = {
  review_requested: 'Review requested',
  draft_approved: 'Approved',
  draft_changes_requested: 'Changes requested',
  draft_merged: 'Merged',
  draft_withdrawn: 'Taken back from review',
  mentioned: 'You were mentioned',
  pause_escalated: 'Still paused',
};

const REASONS: Partial<Record<NoticeKind, string>> = {
  review_requested: 'You get this mail because you may review this draft.',
  mentioned: 'You get this mail because someone named you in a comment.',
  pause_escalated: 'You get this mail because you answer for runs that stand still, or started this one.',
};

const CHANGE_IT = 'What you are mailed is up to you: Settings, Notifications.';

/** The mail that tells of what happened to a draft, or that someone named the reader. */
export const newsLetter = ({
  kind,
  name,
  email,
  title,
  body,
  link,
  isDraft,
}: {
  kind: NoticeKind;
  name: string;
  email: string;
  title: string;
  body: string;
  link: string;
  isDraft: boolean;
}): Letter => ({
  to: { name, address: email },
  subject: `${SUBJECTS[kind] ?? 'News'}: ${title}`,
  greeting: `Hello ${name},`,
  paragraphs: [body],
  facts: isDraft ? [['Workflow', title]] : [],
  action: isDraft ? { label: 'Open the review', url: link } : { label: 'Open the run', url: link },
  footnote: `${REASONS[kind] ?? 'You get this mail because you have worked on this draft.'} ${CHANGE_IT}`,
});
