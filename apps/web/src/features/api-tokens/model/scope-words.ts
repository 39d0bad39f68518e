import type { Permission } from '@stet/domain/access';

/** The actions that each permission allows a token. */
export const SCOPE_WORDS: Record<Permission, string> = {
  'workflow.read': 'See workflows, runs and their history',
  'draft.edit': 'Create and edit drafts, and submit them for review',
  'draft.comment': 'Comment on drafts',
  'draft.review': 'Approve drafts and request changes',
  'draft.merge': 'Merge drafts and roll back',
  'workflow.archive': 'Archive workflows',
  'workflow.archive_unmerged': 'Delete workflows that were never live',
  'run.start': 'Start runs',
  'run.control': 'Pause, resume, cancel and retry runs',
  'run.note': 'Write notes on runs',
  'step.act_any': 'Complete unassigned steps and help with other steps',
  'step.act_approval': 'Approve or reject unassigned approval steps',
  'step.stand_in': 'Approve or reject overdue approval steps for others',
  'step.act_assigned': 'Act on steps that are assigned to the token',
  'audit.export': 'Read and export the audit trail',
  'org.manage': 'Manage the organization',
};

/** A scope in words. An unknown scope is shown unchanged. */
export const scopeWords = (scope: string): string =>
  Object.hasOwn(SCOPE_WORDS, scope) ? SCOPE_WORDS[scope as Permission] : scope;
