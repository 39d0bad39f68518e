import { groupAssignee } from '@stet/domain/access';
import { isolated } from '@stet/domain/workflows';
import type { Tx } from '../../kernel/database.ts';
import { listDraftsRequiring, listGroupsInRoutes, listWorkflowsNaming } from './groups.sql.ts';

/** Maximum number of workflows named in a refusal. */
const MAX_NAMED = 50;

/**
 * Returns a pattern for assignees that name a group. Unlike PostgreSQL, `assignedGroup` also ignores white space such
 * as no-break spaces, and treats the Kelvin sign as a k.
 */
function patternNaming(slug: string): string {
  const space = String.raw`[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*`;
  return `(^|,)${space}${groupAssignee(slug).replaceAll('k', String.raw`[k\u212a]`)}${space}(,|$)`;
}

const rowsNaming = (tx: Tx, orgId: string, slugs: readonly string[]) =>
  tx.many(listWorkflowsNaming, { orgId, patterns: slugs.map(patternNaming), slugs, limit: MAX_NAMED });

/** Lists at most 50 workflows, by title, that name a group in a live version, an open draft or an open run. */
export async function workflowsNaming(tx: Tx, orgId: string, slug: string) {
  const rows = await rowsNaming(tx, orgId, [slug]);
  return rows.map(({ key, title, is_live: isLive, drafts, runs }) => ({ key, title, isLive, drafts, runs }));
}

/** `words` say what the group is used for, after `which` or a noun. For example: `is used in a rule about reviews`. */
type NamedBy = { words: string; ownerIds: readonly string[] };

/**
 * Describes something that names a group, and lists the owners of the workflows that name it (of at most 50). Null if
 * nothing does.
 */
export async function namedBy(tx: Tx, orgId: string, slug: string): Promise<NamedBy | null> {
  return (await namedByEach(tx, orgId, [slug])).get(slug) ?? null;
}

/** Returns the results of `namedBy` for several groups by slug, without the groups that nothing names. */
export async function namedByEach(
  tx: Tx,
  orgId: string,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, NamedBy>> {
  if (slugs.length === 0) return new Map();
  const [routes, drafts, workflows] = await Promise.all([
    tx.many(listGroupsInRoutes, { orgId, slugs }),
    tx.many(listDraftsRequiring, { orgId, slugs }),
    rowsNaming(tx, orgId, slugs),
  ]);
  const found = slugs.map((slug): [string, NamedBy] | null => {
    const naming = workflows.filter((row) => row.slug === slug);
    const [first] = naming;
    const draft = drafts.find((row) => row.slug === slug);
    const words = routes.some((row) => row.slug === slug)
      ? 'is used in a rule about reviews'
      : draft
        ? `has to approve ${isolated(draft.title)}`
        : first &&
          (naming.length > 1
            ? `is used in ${isolated(first.title)} and other workflows`
            : `is used in ${isolated(first.title)}`);
    return words === undefined ? null : [slug, { words, ownerIds: naming.flatMap(({ owners }) => owners) }];
  });
  return new Map(found.filter((each) => each !== null));
}
