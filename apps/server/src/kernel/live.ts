import type { Readable } from 'node:stream';
import type { AuditSubject } from '@stet/domain/audit';

/** What can change besides what the audit trail tells of: what someone was told within the application. */
type LiveSubject = AuditSubject | 'notification';

/** That something of an organization has changed: what it is, never how it is now. */
export type Change = { subject: LiveSubject; id: string };

/** Who looks, at which organization, and at which run of it, if any. */
export type Viewer = {
  userId: string;
  name: string;
  sessionId: string;
  orgId: string;
  runId: string | null;
};

export type Live = {
  /** Tells the browsers of all nodes, soon and without waiting; what can't be told is found by asking again. */
  announce: (orgId: string, changes: readonly Change[]) => void;
  /** The events for one tab, until it hangs up, its session ends, or it selects another organization. */
  open: (viewer: Viewer) => Readable;
  /** Ends all streams, so that the process can stop. */
  endStreams: () => void;
};
