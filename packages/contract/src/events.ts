import type { AuditSubject } from '@stet/domain/audit';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id } from './shared.ts';

/**
 * Payloads of the event stream by event name. `changed` lists the changed subjects, without the new values. `missed`
 * means that anything may have changed. `presence` lists the people who are viewing the run or draft that the stream
 * was opened for. `ended` means that the session ended or switched to another organization.
 */
export type LiveEvents = {
  hello: Record<string, never>;
  changed: { subject: AuditSubject | 'notification'; id: string };
  missed: Record<string, never>;
  presence: { runId: string; people: { id: string; name: string }[] };
  ended: Record<string, never>;
};

export const eventRoutes = {
  'GET /api/events': {
    access: 'workflow.read',
    tokens: 'none',
    summary:
      'Changes in the selected organization as server-sent events; `run` is the run or draft that the user is viewing',
    query: z.strictObject({ run: id.optional() }),
    ok: { contentType: 'text/event-stream' },
  },
} satisfies Routes;
