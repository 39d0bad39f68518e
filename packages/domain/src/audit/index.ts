export * from './actions.ts';
export * from './base64.ts';
export * from './bundle.ts';
export * from './checkpoint.ts';
export * from './event-mac.ts';
export * from './event-problems.ts';
export * from './events.ts';
export * from './findings.ts';
export * from './hash.ts';
export * from './merkle.ts';
export * from './moment.ts';
export * from './note.ts';
export { bytesOfBase64 } from './verifier/bytes.ts';
export { lineOfText } from './verifier/lines.ts';
export { checkpointOf, keyOfText } from './verifier/notes.ts';
export * from './verifier/named-files.ts';
export * from './verifier/trail-walk.ts';
export * from './certificate.ts';
export { type Certificate, type CertifiedEvent, CERTIFICATE_BEGINS, factEventOf } from './verifier/certificate.ts';
export {
  type CertifiedAct,
  type CertifiedApproval,
  type CertifiedEmergency,
  type CertifiedFacts,
  type CertifiedPerson,
  factsOf,
  isAboutVersion,
} from './verifier/certificate-facts.ts';
export { type CertifiedDelegator, type CertifiedGroup, groupsOf } from './verifier/certified-groups.ts';
export * from './verifier/verify-certificate.ts';
export * from './verify.ts';
export * from './verifier/verify-bundle.ts';
