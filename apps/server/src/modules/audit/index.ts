export { appendAudit } from './append-audit.ts';
export { appendInEach } from './append-in-each.ts';
export { recordedRequirements } from './derived-rows.ts';
export { type CertifiedTrail, certifyEvents } from './certify-events.ts';
export { verifyEd25519 } from './audit-signer.ts';
export { verifyForExport } from './verify-for-export.ts';
