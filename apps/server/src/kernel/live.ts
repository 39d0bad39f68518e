import type { Readable } from 'node:stream';
import type { AuditAction, AuditSubject } from '@stet/domain/audit';

/** The subjects that can change: those of the audit trail, and in-app notifications. */
type LiveSubject = AuditSubject | 'notification';

/** A change in an organization: its subject, never its new content; `action` if an event records it. */
export type Change = { subject: LiveSubject; id: string; action?: AuditAction };

/** The person viewing, the organization, and the run they are viewing, if any. */
export type Viewer = {
  userId: string;
  name: string;
  sessionId: string;
  orgId: string;
  runId: string | null;
};

export type Live = {
  /** Notifies the browsers of all nodes, soon and without waiting; a lost notification is made up for by polling. */
  announce: (orgId: string, changes: readonly Change[]) => void;
  /** The events for one tab, until it disconnects, its session ends, or it selects another organization. */
  open: (viewer: Viewer) => Readable;
  /** Ends all streams, so that the process can stop. */
  endStreams: () => void;
};
