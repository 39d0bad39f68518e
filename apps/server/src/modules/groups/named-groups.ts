import { groupAssignee } from '@stet/domain/access';
import { isolated } from '@stet/domain/workflows';
import type { Tx } from '../../kernel/database.ts';
import { findDraftRequiring, findRouteNaming, listWorkflowsNaming } from './groups.sql.ts';

/** Maximum number of workflows named in a refusal. */
const MAX_NAMED = 50;

/**
 * Returns the pattern of an assignee that names a group. Unlike PostgreSQL, `assignedGroup` also ignores white space such
 * as no-break spaces, and reads the sign of a kelvin as a k.
 */
function patternNaming(slug: string): string {
  const space = String.raw`[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*`;
  return `(^|,)${space}${groupAssignee(slug).replaceAll('k', String.raw`[k\u212a]`)}${space}(,|$)`;
}

/** The workflows that name a group in a live version, an open draft or an open run, by title, at most 50. */
export async function workflowsNaming(tx: Tx, orgId: string, slug: string, limit = MAX_NAMED) {
  const rows = await tx.many(listWorkflowsNaming, { orgId, pattern: patternNaming(slug), slug, limit });
  return rows.map(({ key, title, is_live: isLive, drafts, runs }) => ({ key, title, isLive, drafts, runs }));
}

/**
 * Describes the thing that names a group, for the end of a sentence: `which a rule about reviews names`. Null if
 * nothing does.
 */
export async function namedByInWords(tx: Tx, orgId: string, slug: string): Promise<string | null> {
  const [route, draft, workflows] = await Promise.all([
    tx.maybeOne(findRouteNaming, { orgId, slug }),
    tx.maybeOne(findDraftRequiring, { orgId, slug }),
    workflowsNaming(tx, orgId, slug, 2),
  ]);
  if (route) return 'which a rule about reviews names';
  if (draft) return `which has to approve ${isolated(draft.title)}`;
  const [first] = workflows;
  if (!first) return null;
  return workflows.length > 1
    ? `which ${isolated(first.title)} and other workflows name`
    : `which ${isolated(first.title)} names`;
}
