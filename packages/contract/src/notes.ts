import { FILE_LIMITS } from '@stet/domain/steps';
import { z } from 'zod';
import { evidence } from './evidence.ts';
import type { Routes } from './route.ts';
import { actor } from './run-shapes.ts';
import { commentText, HOUR, id, mentions, moment } from './shared.ts';

/** The maximum number of notes on one run, including those on its steps. */
export const MAX_NOTES = 1000;

const note = z.object({
  id,
  author: actor,
  text: z.string(),
  mentions,
  /** Null for a note on the whole run. */
  stepId: z.string().nullable(),
  /** Empty for most notes. */
  files: z.array(evidence),
  at: moment,
});
export type Note = z.infer<typeof note>;

const params = z.strictObject({ id });
const stepId = z.string().min(1).max(120).optional();

export const noteRoutes = {
  'GET /api/runs/{id}/notes': {
    access: 'workflow.read',
    summary: 'Notes on a run and its steps, newest first; X-Next-Cursor contains the cursor of the next page',
    params,
    query: z.strictObject({
      /** Only notes on this step. */
      stepId,
      limit: z.coerce.number().int().min(1).max(100).default(50),
      cursor: z
        .string()
        .regex(/^[1-9]\d{0,14}$/, 'is not a cursor for this list')
        .optional(),
    }),
    ok: z.array(note),
  },
  'POST /api/runs/{id}/notes': {
    access: 'run.note',
    summary:
      'Write a note on a run or one of its steps, at any time; @ and a name or address mentions a member. `files` are the ids of files that you uploaded for a note of this run',
    params,
    body: z.strictObject({
      text: commentText,
      stepId,
      files: z
        .array(id)
        .max(FILE_LIMITS.perNote, `A note can have at most ${FILE_LIMITS.perNote} files`)
        .refine((ids) => new Set(ids).size === ids.length, 'must not contain a file twice')
        .optional(),
    }),
    ok: note,
    status: 201,
    rateLimit: { name: 'note', perAddress: 1200, perAccount: 120, windowSeconds: HOUR / 6 },
  },
} satisfies Routes;
