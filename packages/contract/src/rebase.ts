import { TEXT_FIELDS } from '@stet/domain/drafts';
import { LIMITS, METADATA, METADATA_FIELDS } from '@stet/domain/workflows';
import { z } from 'zod';
import { draftParams } from './drafts.ts';
import type { Routes } from './route.ts';
import { id } from './shared.ts';
import { contentFields } from './workflow-content.ts';

const take = z.enum(['live', 'draft']);
const stepId = z.string().min(1).max(120);
const onMetadata = { on: z.literal('metadata'), field: z.enum(METADATA_FIELDS) };
const LONGEST_METADATA = Math.max(...METADATA_FIELDS.map((field) => METADATA[field].limit));
const onText = { on: z.literal('step'), stepId, field: z.enum(TEXT_FIELDS) };

/** Resolves one conflict with the value of one side or, for text, with a new value. */
export const resolution = z.union([
  z.strictObject({ ...onMetadata, take }),
  z.strictObject({ ...onMetadata, value: z.string().max(LONGEST_METADATA) }),
  z.strictObject({ ...onText, take }),
  z.strictObject({ ...onText, value: z.string().max(LIMITS.stepDescription) }),
  z.strictObject({ on: z.literal('step'), stepId, field: z.enum(['type', 'config', 'next', 'step']), take }),
  z.strictObject({ on: z.literal('order'), field: z.literal('order'), take }),
]);
export type Resolution = z.infer<typeof resolution>;

/** A value that the live version and the draft changed differently; `stepId` is set if it belongs to a step. */
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
  /** The draft's base version; null if nothing was live when the draft was created. */
  base: side.nullable(),
  live: side.nullable(),
  draft: z.object(contentFields),
  conflicts: z.array(mergeConflict),
});
export type RebaseQuestion = z.infer<typeof rebaseQuestion>;

const MEBIBYTE = 1024 * 1024;
/** Enough to resolve every field of 1000 steps. */
const MAX_RESOLUTIONS = 10_000;

/** Rebasing a draft onto the current live version. */
export const rebaseRoutes = {
  'GET /api/workflows/{key}/drafts/{id}/rebase': {
    access: 'workflow.read',
    summary: 'Preview of a rebase: the changes it would merge, and the conflicts',
    params: draftParams,
    ok: rebaseQuestion,
  },
  'POST /api/workflows/{key}/drafts/{id}/rebase': {
    access: 'draft.edit',
    summary: 'Merge the live version into a draft; 409 with the conflicts until each has a resolution',
    params: draftParams,
    body: z
      .strictObject({
        liveVersionId: id
          .optional()
          .describe(
            'The live version that the resolutions refer to; 409 with the new conflicts if another version is live now',
          ),
        resolutions: z.array(resolution).max(MAX_RESOLUTIONS).optional(),
      })
      .optional(),
    bodyLimit: 4 * MEBIBYTE,
    ok: z.object({
      draftId: id,
      revision: z.number().int(),
      baseVersion: z.number().int().nullable(),
      /** False if the draft was already based on the live version. */
      rebased: z.boolean(),
    }),
  },
} satisfies Routes;
