import { TEXT_FIELDS } from '@stet/domain/drafts';
import { LIMITS } from '@stet/domain/workflows';
import { z } from 'zod';
import { draftParams } from './drafts.ts';
import type { Routes } from './route.ts';
import { id } from './shared.ts';
import { contentFields } from './workflow-content.ts';

const take = z.enum(['live', 'draft']);
const stepId = z.string().min(1).max(120);
const onMetadata = { on: z.literal('metadata'), field: z.enum(['title', 'description']) };
const onText = { on: z.literal('step'), stepId, field: z.enum(TEXT_FIELDS) };

/** What settles one conflict: the value of one side, or, for a text, one's own. */
export const resolution = z.union([
  z.strictObject({ ...onMetadata, take }),
  z.strictObject({ ...onMetadata, value: z.string().max(LIMITS.description) }),
  z.strictObject({ ...onText, take }),
  z.strictObject({ ...onText, value: z.string().max(LIMITS.stepDescription) }),
  z.strictObject({ on: z.literal('step'), stepId, field: z.enum(['type', 'config', 'next', 'step']), take }),
  z.strictObject({ on: z.literal('order'), field: z.literal('order'), take }),
]);
export type Resolution = z.infer<typeof resolution>;

/** Something that live version and draft both changed, each in its own way; `stepId` where it is about a step. */
const mergeConflict = z.object({
  on: z.enum(['metadata', 'order', 'step']),
  stepId: z.string().optional(),
  field: z.string(),
  base: z.unknown(),
  live: z.unknown(),
  draft: z.unknown(),
});

const side = z.object({ id, version: z.number().int().nullable(), ...contentFields });
const rebaseQuestion = z.object({
  draftId: id,
  revision: z.number().int(),
  upToDate: z.boolean(),
  /** What the draft began from; null where nothing was live then. */
  base: side.nullable(),
  live: side.nullable(),
  draft: z.object(contentFields),
  conflicts: z.array(mergeConflict),
});
export type RebaseQuestion = z.infer<typeof rebaseQuestion>;

const MEBIBYTE = 1024 * 1024;
/** Title, description, type, settings and so on of each of a thousand steps. */
const MOST_RESOLUTIONS = 10_000;

/** Bringing a draft onto the version that is live now (rulings, section 5). */
export const rebaseRoutes = {
  'GET /api/workflows/{key}/drafts/{id}/rebase': {
    access: 'workflow.read',
    summary: 'What a rebase of the draft would merge, and what both sides changed',
    params: draftParams,
    ok: rebaseQuestion,
  },
  'POST /api/workflows/{key}/drafts/{id}/rebase': {
    access: 'draft.edit',
    summary:
      'Merge the live version into a draft; where both changed the same differently, 409 with the conflicts, until each has a resolution',
    params: draftParams,
    body: z
      .strictObject({
        liveVersionId: id
          .optional()
          .describe(
            'The live version that the resolutions are about; where another is live by now, 409 with its conflicts',
          ),
        resolutions: z.array(resolution).max(MOST_RESOLUTIONS).optional(),
      })
      .optional(),
    bodyLimit: 4 * MEBIBYTE,
    ok: z.object({
      draftId: id,
      revision: z.number().int(),
      baseVersion: z.number().int().nullable(),
      /** False where the draft stood on the live version already. */
      rebased: z.boolean(),
    }),
  },
} satisfies Routes;
