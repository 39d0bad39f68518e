import { groupAssignee, groupsNamedIn } from '@stet/domain/access';
import type { Step } from '@stet/domain/steps';
import { visibleText } from '@stet/domain/workflows';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { lockNamedGroups } from './groups.sql.ts';

const MAX_SHOWN = 50;

/**
 * Refuses steps that name an unknown group, with the step and the field. Groups in `stored` are allowed, so that
 * content whose groups were deleted can still be edited. Such content can't be submitted or go live. The database is
 * queried only if the steps name other groups.
 */
export async function refuseUnknownGroups(
  tx: Tx,
  orgId: string,
  steps: readonly Step[],
  stored: readonly Step[] = [],
): Promise<void> {
  const old = groupsNamedIn(stored);
  const slugs = groupsNamedIn(steps).filter((slug) => !old.includes(slug));
  if (slugs.length === 0) return;
  const known = (await tx.many(lockNamedGroups, { orgId, slugs })).map(({ slug }) => slug);
  const problems = steps.flatMap((step) =>
    groupsNamedIn([step])
      .filter((slug) => slugs.includes(slug) && !known.includes(slug))
      .map((slug) => ({
        stepId: step.id,
        field: 'assignee',
        problem: `Step "${visibleText(step.title || step.id)}" is assigned to ${groupAssignee(slug)}, but there is no such group. Create it or choose someone else.`,
      })),
  );
  if (problems.length > 0) throw new Refused({ code: 'invalid_workflow', problems: problems.slice(0, MAX_SHOWN) });
}
