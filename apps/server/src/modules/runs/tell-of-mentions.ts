import { type Mentionable, mentionsIn } from '@stet/domain/notifications';
import type { PersonCommand } from '@stet/domain/runs';
import { isolated } from '@stet/domain/workflows';
import { leaveNotices } from '../../db/notices.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { newId } from '../../kernel/ids.ts';

/** What a person says with what they do to a step; empty where they say nothing. */
export function saidWith(command: PersonCommand): string {
  if (command.type === 'approve' || command.type === 'reject') return command.comments ?? '';
  if (command.type === 'skip') return command.reason ?? '';
  if (command.type !== 'complete') return '';
  // Of an approval this is its comment.
  const text = command.output?.['text'];
  return [command.notes, text].filter((part) => typeof part === 'string').join('\n');
}

type Said = { runId: string; runName: string; stepId: string | null; title: string; said: string };

/** Tells members that they were named in it; oneself need not be told. */
export function tellOfMentions(
  tx: Tx,
  { orgId, userId, name }: OrgActor,
  { runId, runName, stepId, title, said }: Said,
  people: readonly Mentionable[],
): void {
  const userIds = mentionsIn(said, people)
    .map((mention) => mention.userId)
    .filter((id) => id !== userId);
  if (userIds.length === 0) return;
  const body = `${isolated(name)} mentioned you in “${isolated(runName)}”: ${isolated(said)}`;
  leaveNotices(tx, orgId, [
    { source: `mentioned:${newId()}`, kind: 'mentioned', title, body, runId, stepId, to: { userIds } },
  ]);
}
