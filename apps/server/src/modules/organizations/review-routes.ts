import type { OkOf } from '@stet/contract';
import type { ReviewRoute } from '@stet/domain/drafts';
import { sameJson } from '@stet/domain/workflows';
import type { Handlers } from '../../http/handler.ts';
import { selected } from '../../http/selected.ts';
import { answer } from '../../kernel/answer.ts';
import type { RecordedEvent } from '../../kernel/recorded-event.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { type ConfirmationRow, findWaiting } from '../confirmations/index.ts';
import { changePolicy } from './change-organization.ts';
import { findOrganization, listGroupSlugs, lockOrganization } from './organizations.sql.ts';
import { policiesOf } from './policies.ts';

type Presented = OkOf<'GET /api/organizations/{id}/routes'>;
type Pending = { routes: readonly ReviewRoute[]; by: { id: string; name: string; email: string }; at: Date };

const presented = (routes: readonly ReviewRoute[], pending: Pending | null): Presented => ({
  routes: [...routes],
  pending: pending && {
    routes: [...pending.routes],
    proposedBy: pending.by,
    proposedAt: pending.at.toISOString(),
  },
});

const pendingOf = (row: ConfirmationRow | undefined): Pending | null =>
  row ? { routes: row.payload['reviewRoutes'] as ReviewRoute[], by: row.proposer, at: row.proposed_at } : null;

const WAITING = { kind: 'policy', subjectId: 'reviewRoutes' } as const;

/** The organization's routes. Weaker ones need a second manager (docs/second-person.md). */
export const reviewRouteHandlers = {
  'GET /api/organizations/{id}/routes': async ({ db }, { actor, params }) => {
    const orgId = selected(actor, params.id);
    const [row, waiting] = await db.transaction(actor, (tx) =>
      Promise.all([tx.maybeOne(findOrganization, { orgId }), tx.maybeOne(findWaiting, { orgId, ...WAITING })]),
    );
    if (!row) throw new Refused({ code: 'not_found', what: 'organization' });
    return answer(presented(row.review_routes, pendingOf(waiting)));
  },

  'PATCH /api/organizations/{id}/routes': async ({ db }, { actor, params, body }) => {
    const orgId = selected(actor, params.id);
    return db.transaction(actor, async (tx) => {
      await tx.maybeOne(lockOrganization, { orgId });
      // The row is read after it is locked, because another change may have been committed while this transaction
      // waited.
      const [row, groups, waiting] = await Promise.all([
        tx.maybeOne(findOrganization, { orgId }),
        tx.many(listGroupSlugs, { orgId }),
        tx.maybeOne(findWaiting, { orgId, ...WAITING }),
      ]);
      if (!row) throw new Refused({ code: 'not_found', what: 'organization' });
      if (row.type === 'individual') throw new Refused({ code: 'individual_organization' });
      const slugs = new Set(groups.map(({ slug }) => slug));
      const problems = body.routes.flatMap(({ group }, n) =>
        slugs.has(group) ? [] : [{ field: `routes.${n}.group`, problem: 'No group has this slug' }],
      );
      if (problems.length > 0) throw new Refused({ code: 'invalid', problems });
      const wanted = body.routes.filter((route, n) => body.routes.findIndex((other) => sameJson(route, other)) === n);
      const before = policiesOf(row);
      if (sameJson(before.reviewRoutes, wanted)) return answer(presented(wanted, pendingOf(waiting)));
      const records: RecordedEvent[] = [];
      const after = { ...before, reviewRoutes: wanted };
      const outcome = await changePolicy(tx, actor, { name: 'reviewRoutes', before, after }, records);
      if (records.length > 0) appendAudit(tx, records);
      if (outcome.is === 'holds') return answer(presented(wanted, null));
      if (!('at' in outcome)) return answer(presented(before.reviewRoutes, pendingOf(waiting)));
      const { userId: id, name, email } = actor;
      return answer(presented(before.reviewRoutes, { routes: wanted, by: { id, name, email }, at: outcome.at }));
    });
  },
} satisfies Partial<Handlers>;
