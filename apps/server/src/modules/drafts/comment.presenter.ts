import type { Comment } from '@stet/contract';
import type { CommentRow } from './comments.sql.ts';

export const presentComment = (row: CommentRow): Comment => ({
  id: row.id,
  author: row.author,
  body: row.body,
  mentions: row.mentions,
  stepId: row.step_id,
  at: row.at.toISOString(),
  resolvedAt: row.resolved_at?.toISOString() ?? null,
  resolvedBy: row.resolved_by,
});
