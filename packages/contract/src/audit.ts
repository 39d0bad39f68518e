import { AUDIT_ACTIONS, AUDIT_SUBJECTS } from '@stet/domain/audit';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, moment, optionalText } from './shared.ts';

/** An event of the trail as the screen shows it; what was erased from it is null. */
const auditEvent = z.object({
  seq: z.number().int(),
  /** ISO 8601 in UTC, exact to the microsecond. */
  at: z.string(),
  actor: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    kind: z.enum(['user', 'system', 'token']),
  }),
  action: z.string(),
  /** `name`: of a person, as they are called now; null where they are unknown, and of everything else. */
  subject: z.object({ type: z.string(), id: z.string(), name: z.string().nullable() }),
  run: z.object({ id, name: z.string().nullable() }).nullable(),
  step: z.object({ id: z.string(), title: z.string().nullable() }).nullable(),
  sessionId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()).nullable(),
  isErased: z.boolean(),
  /** SHA-256 in hex: of the event before, and its own. */
  prev: z.string(),
  hash: z.string(),
});
export type AuditEventView = z.infer<typeof auditEvent>;

const auditStatus = z.object({
  events: z.number().int(),
  /** How many of them were recorded in the period that was asked about. */
  eventsInRange: z.number().int(),
  firstAt: moment.nullable(),
  head: z.object({ seq: z.number().int(), hash: z.string(), at: moment }).nullable(),
  /** The last signed checkpoint: how many events it seals, and the signed note itself. */
  checkpoint: z.object({ size: z.number().int(), at: moment, note: z.string() }).nullable(),
  /** The key that checkpoints and exports are signed with, as `stet audit verify --key` reads it. */
  key: z.string(),
  verification: z
    .object({
      state: z.enum(['running', 'ok', 'broken', 'interrupted']),
      startedAt: moment,
      updatedAt: moment,
      done: z.number().int(),
      total: z.number().int(),
      /** The first event that is wrong, and what is wrong with it. */
      firstBadSeq: z.number().int().nullable(),
      problem: z.string().nullable(),
      /** The same as a sentence. */
      sentence: z.string().nullable(),
    })
    .nullable(),
});
export type AuditStatus = z.infer<typeof auditStatus>;

export const auditRoutes = {
  'GET /api/audit/events': {
    access: 'audit.export',
    summary: 'The audit trail, newest first; X-Next-Cursor names the next page',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z.string().max(20).optional(),
      /** A user's id, or `system`. */
      actor: z.string().min(1).max(100).optional(),
      action: z.enum(AUDIT_ACTIONS).optional(),
      subject: z.enum(AUDIT_SUBJECTS).optional(),
      subjectId: z.string().min(1).max(100).optional(),
      from: moment.optional(),
      to: moment.optional(),
      q: optionalText(100),
    }),
    ok: z.array(auditEvent),
  },
  'GET /api/audit/status': {
    access: 'audit.export',
    summary: 'How the trail stands: head, last checkpoint, last verification; and how many events a period has',
    query: z.strictObject({ from: moment.optional(), to: moment.optional() }),
    ok: auditStatus,
  },
  'POST /api/audit/verify': {
    access: 'audit.export',
    summary: 'Begin to verify the whole trail; the status tells how it goes on',
    ok: auditStatus,
  },
  'GET /api/audit/export.ndjson': {
    access: 'audit.export',
    summary: 'The audit trail, or the events of a period or a run, as a signed bundle that can be verified offline',
    query: z.strictObject({ runId: id.optional(), from: moment.optional(), to: moment.optional() }),
    ok: { contentType: 'application/x-ndjson' },
  },
  'GET /api/audit/export.pdf': {
    access: 'audit.export',
    summary: 'The audit trail of one run, or of the runs of a period, as a document',
    query: z.strictObject({ runId: id.optional(), from: moment.optional(), to: moment.optional() }),
    ok: { contentType: 'application/pdf' },
  },
} satisfies Routes;
