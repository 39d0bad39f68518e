import type { Handlers } from '../../http/handler.ts';
import { readAuditStatus, verifyAudit } from './audit-status.ts';
import { exportAudit } from './export-audit.ts';
import { exportBundle } from './export-bundle.ts';
import { listAuditPage } from './list-events.ts';

export const auditHandlers = {
  'GET /api/audit/events': listAuditPage,
  'GET /api/audit/status': readAuditStatus,
  'POST /api/audit/verify': verifyAudit,
  'GET /api/audit/export.ndjson': exportBundle,
  'GET /api/audit/export.pdf': exportAudit,
} satisfies Partial<Handlers>;
