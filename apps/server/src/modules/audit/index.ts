export { appendAudit } from './append-audit.ts';
export { verifyForExport } from './verify-for-export.ts';
