import { CONFIRMATION_KINDS } from '@stet/domain/access';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, moment, person } from './shared.ts';

/** A change that waits for a second owner or admin, or waited for one. */
export const confirmation = z.object({
  id,
  kind: z.enum(CONFIRMATION_KINDS),
  /** The person, policy, version or organization that it is about. */
  subjectId: z.string(),
  /** What would change, as a sentence for a person. */
  sentence: z.string(),
  /** What was proposed, as the route takes it that proposed it. */
  payload: z.record(z.string(), z.unknown()),
  proposedBy: person,
  proposedAt: moment,
  status: z.enum(['waiting', 'confirmed', 'refused', 'withdrawn', 'replaced']),
  decidedBy: person.nullable(),
  decidedAt: moment.nullable(),
  reason: z.string().nullable(),
  abilities: z.object({ confirm: z.boolean(), refuse: z.boolean(), withdraw: z.boolean() }),
  /** Why the one who asks can't confirm it; null if they can. */
  because: z.string().nullable(),
  /** When they can, or when it can take effect without a second person; null if time alone changes nothing. */
  from: moment.nullable(),
});
export type Confirmation = z.infer<typeof confirmation>;

const params = z.strictObject({ id });

export const confirmationRoutes = {
  'GET /api/confirmations': {
    access: 'org.manage',
    summary: 'What waits for a second owner or admin, newest first, at most 200',
    ok: z.array(confirmation),
  },
  'POST /api/confirmations/{id}/confirm': {
    access: 'org.manage',
    tokens: 'none',
    summary: 'Confirm what another owner or admin proposed',
    params,
    ok: confirmation,
  },
  'POST /api/confirmations/{id}/refuse': {
    access: 'org.manage',
    tokens: 'none',
    summary: 'Refuse what another owner or admin proposed, or withdraw what one proposed oneself',
    params,
    body: z.strictObject({ reason: z.string().trim().max(2000).optional() }).optional(),
    ok: confirmation,
  },
} satisfies Routes;
