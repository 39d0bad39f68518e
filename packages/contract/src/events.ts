import type { AuditSubject } from '@stet/domain/audit';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id } from './shared.ts';

/**
 * What the event stream says, by the name of the event. `changed` names what is no longer as it was, never how it is now;
 * after `missed` anything may be. `presence` tells who looks at the run that the stream was opened for; `ended` that the
 * session ended or works in another organization now.
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
    summary: 'What changes in the selected organization, as server-sent events; `run` is the run that one looks at',
    query: z.strictObject({ run: id.optional() }),
    ok: { contentType: 'text/event-stream' },
  },
} satisfies Routes;
