import { CONFIRMATION_KINDS } from '@stet/domain/access';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, moment, person } from './shared.ts';

/** A change that needs or needed confirmation by a second manager. */
export const confirmation = z.object({
  id,
  kind: z.enum(CONFIRMATION_KINDS),
  /**
   * The person, policy, workflow, version or organization that would change; for a group, the ids of the group and of
   * the proposer.
   */
  subjectId: z.string(),
  /** A sentence that describes the change. */
  sentence: z.string(),
  /** The proposed change; its fields depend on `kind`. */
  payload: z.record(z.string(), z.unknown()),
  proposedBy: person,
  proposedAt: moment,
  status: z.enum(['waiting', 'confirmed', 'refused', 'withdrawn', 'replaced']),
  decidedBy: person.nullable(),
  decidedAt: moment.nullable(),
  reason: z.string().nullable(),
  abilities: z.object({ confirm: z.boolean(), refuse: z.boolean(), withdraw: z.boolean() }),
  /** The reason why the caller can't confirm it; null if they can. */
  because: z.string().nullable(),
  /**
   * When the caller can confirm it, or when it can take effect without a second person; null if neither depends on
   * time.
   */
  from: moment.nullable(),
});
export type Confirmation = z.infer<typeof confirmation>;

const params = z.strictObject({ id });

export const confirmationRoutes = {
  'GET /api/confirmations': {
    access: 'draft.merge',
    summary:
      'Changes that await a second owner or admin, newest first, at most 200; reviewers see only their own proposals',
    ok: z.array(confirmation),
  },
  'POST /api/confirmations/{id}/confirm': {
    access: 'org.manage',
    tokens: 'none',
    summary: 'Confirm a change that another owner or admin proposed',
    params,
    ok: confirmation,
  },
  'POST /api/confirmations/{id}/refuse': {
    access: 'draft.merge',
    tokens: 'none',
    summary: 'Refuse a change that another owner or admin proposed, or withdraw the caller’s own proposal',
    params,
    body: z.strictObject({ reason: z.string().trim().max(2000).optional() }).optional(),
    ok: confirmation,
  },
} satisfies Routes;
