import { FILE_LIMITS, sizeWords } from '@stet/domain/steps';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { HOUR, id, message } from './shared.ts';

const params = z.strictObject({ id });
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 digest: 64 hexadecimal digits in lower case');

export const evidence = z.object({
  fileId: id,
  sha256,
  size: z.number().int(),
  name: z.string(),
  /** Determined from the first bytes, never from the name. */
  mediaType: z.string(),
});

export const evidenceRoutes = {
  'POST /api/files': {
    access: 'workflow.read',
    summary:
      'Begin or continue to upload a file for a step of a run, or for a note if `stepId` is missing; `chunks` lists the chunks that the server already has',
    body: z.strictObject({
      name: z.string().trim().min(1).max(FILE_LIMITS.name),
      size: z
        .number()
        .int()
        .min(1, 'The file is empty')
        .max(FILE_LIMITS.bytes, `A file can have at most ${sizeWords(FILE_LIMITS.bytes)}`),
      sha256,
      runId: id,
      /** Absent for a file in a note. */
      stepId: z.string().min(1).max(120).optional(),
    }),
    ok: z.object({ id, chunkSize: z.number().int(), chunks: z.array(z.number().int()) }),
    status: 201,
    rateLimit: { name: 'file', perAddress: 6000, perAccount: 600, windowSeconds: HOUR },
  },
  'POST /api/files/{id}/chunks/{n}': {
    access: 'workflow.read',
    summary:
      'Store a chunk, counted from 0; each has `chunkSize` bytes except the last. Sending a chunk again replaces it',
    params: z.strictObject({
      id,
      n: z.coerce
        .number()
        .int()
        .min(0)
        .max(FILE_LIMITS.bytes / FILE_LIMITS.chunk - 1),
    }),
    body: z.instanceof(Uint8Array),
    bodyKind: 'bytes',
    bodyLimit: FILE_LIMITS.chunk,
    ok: z.object({ stored: z.number().int() }),
  },
  'POST /api/files/{id}/complete': {
    access: 'workflow.read',
    summary:
      'Finish an upload: the server compares the SHA-256 digest. After that, a step’s output or a note can contain it',
    params,
    ok: evidence,
  },
  'GET /api/files/{id}': {
    access: 'workflow.read',
    summary: 'Download a file of a step or note, or with a Range header a part of it (206)',
    params,
    ok: { contentType: 'application/octet-stream' },
  },
  'GET /api/files/{id}/preview': {
    access: 'workflow.read',
    summary:
      'Download a small JPEG of a PNG or JPEG. It is made shortly after the upload; 204 until then, and for files without one',
    params,
    ok: { contentType: 'image/jpeg' },
  },
  'DELETE /api/files/{id}': {
    access: 'workflow.read',
    summary: 'Delete one of the caller’s own uploads that no step’s output or note contains',
    params,
    query: z.strictObject({
      keepReused: z
        .stringbool()
        .optional()
        .describe(
          'If true, doesn’t delete an upload that was begun more than once, because another form may contain it',
        ),
    }),
    ok: message,
  },
  'GET /api/file-usage': {
    access: 'workflow.read',
    summary: 'The space that the organization’s files use, and how much they can use, in bytes',
    ok: z.object({ bytes: z.number().int(), quota: z.number().int() }),
  },
} satisfies Routes;
