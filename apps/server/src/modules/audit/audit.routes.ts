import type { Handlers } from '../../http/handler.ts';
import { exportAudit } from './export-audit.ts';

export const auditHandlers = {
  'GET /api/audit/export.pdf': exportAudit,
} satisfies Partial<Handlers>;
