import { AUDIT_ACTIONS, AUDIT_SUBJECTS } from '@stet/domain/audit';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { HOUR, dateForm, id, moment, onBehalfOf, optionalText } from './shared.ts';

/** An audit event as the screen shows it; erased fields are null. */
const auditEvent = z.object({
  seq: z.number().int(),
  /** ISO 8601 in UTC, with microseconds. */
  at: z.string(),
  actor: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    kind: z.enum(['user', 'system', 'token']),
    onBehalfOf: onBehalfOf.optional(),
  }),
  action: z.string(),
  /** `name` is the current name of a person, or of the workflow that the subject belongs to; null if it is unknown. */
  subject: z.object({ type: z.string(), id: z.string(), name: z.string().nullable() }),
  run: z.object({ id, name: z.string().nullable() }).nullable(),
  step: z.object({ id: z.string(), title: z.string().nullable() }).nullable(),
  sessionId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()).nullable(),
  isErased: z.boolean(),
  /** SHA-256 in hex: the hash of the previous event, and of this one. */
  prev: z.string(),
  hash: z.string(),
});
export type AuditEventView = z.infer<typeof auditEvent>;

const auditStatus = z.object({
  events: z.number().int(),
  /** The number of events that were recorded in the requested period. */
  eventsInRange: z.number().int(),
  firstAt: moment.nullable(),
  head: z.object({ seq: z.number().int(), hash: z.string(), at: moment }).nullable(),
  /** The last signed checkpoint: its size in events, its time and the signed note. */
  checkpoint: z.object({ size: z.number().int(), at: moment, note: z.string() }).nullable(),
  /** The key that signs checkpoints and exports, as `stet audit verify --key` reads it. */
  key: z.string(),
  verification: z
    .object({
      state: z.enum(['running', 'ok', 'broken', 'interrupted']),
      startedAt: moment,
      updatedAt: moment,
      done: z.number().int(),
      total: z.number().int(),
      /** The first bad event, and its problem. */
      firstBadSeq: z.number().int().nullable(),
      problem: z.string().nullable(),
      /** The problem as a sentence. */
      sentence: z.string().nullable(),
    })
    .nullable(),
});
export type AuditStatus = z.infer<typeof auditStatus>;

export const auditRoutes = {
  'GET /api/audit/events': {
    access: 'audit.export',
    summary: 'The audit trail, newest first; X-Next-Cursor contains the cursor of the next page',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z.string().max(20).optional(),
      /** A user's id, or `system`. */
      actor: z.string().min(1).max(100).optional(),
      action: z.enum(AUDIT_ACTIONS).optional(),
      subject: z.enum(AUDIT_SUBJECTS).optional(),
      subjectId: z.string().min(1).max(100).optional(),
      runId: id.optional(),
      /** A workflow's key: the events of the workflow, of its versions and of its runs. */
      key: z.string().min(1).max(200).optional(),
      from: moment.optional(),
      to: moment.optional(),
      q: optionalText(100),
    }),
    ok: z.array(auditEvent),
  },
  'GET /api/audit/status': {
    access: 'audit.export',
    summary: 'State of the audit trail: head, last checkpoint, last verification, and the number of events in a period',
    query: z.strictObject({ from: moment.optional(), to: moment.optional() }),
    ok: auditStatus,
  },
  'POST /api/audit/verify': {
    access: 'audit.export',
    summary: 'Start verifying the whole audit trail; the status route reports its progress',
    ok: auditStatus,
  },
  'GET /api/audit/export.ndjson': {
    access: 'audit.export',
    summary: 'The audit trail, or the events of a period or run, as a signed bundle that can be verified offline',
    query: z.strictObject({ runId: id.optional(), from: moment.optional(), to: moment.optional() }),
    ok: { contentType: 'application/x-ndjson' },
  },
  'GET /api/audit/export.pdf': {
    access: 'audit.export',
    summary:
      'The audit trail of one run, or of the runs in a period, as a PDF; locale and timeZone are the reader’s, for its dates',
    query: z.strictObject({ runId: id.optional(), from: moment.optional(), to: moment.optional(), ...dateForm }),
    ok: { contentType: 'application/pdf' },
    rateLimit: { name: 'audit-document', perAddress: 120, perAccount: 60, windowSeconds: HOUR / 6 },
  },
} satisfies Routes;
