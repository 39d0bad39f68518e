import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, moment } from './shared.ts';

export const auditRoutes = {
  'GET /api/audit/export.pdf': {
    access: 'audit.export',
    summary: 'The audit trail of one run, or of the runs of a period, as a document',
    query: z.strictObject({ runId: id.optional(), from: moment.optional(), to: moment.optional() }),
    ok: { contentType: 'application/pdf' },
  },
} satisfies Routes;
