import type { Readable } from 'node:stream';
import type { AuditAction, AuditSubject } from '@stet/domain/audit';

/** The kinds of things that can change: the subjects of the audit trail, and in-app notifications. */
type LiveSubject = AuditSubject | 'notification';

/**
 * A change in an organization. It contains the subject but never the new content. `action` is set if an event records
 * the change.
 */
export type Change = { subject: LiveSubject; id: string; action?: AuditAction };

/** A person with an open tab. `runId` is the run or draft that they are looking at. */
export type Viewer = {
  userId: string;
  name: string;
  sessionId: string;
  orgId: string;
  runId: string | null;
};

export type Live = {
  /**
   * Queues an event for the organization's browsers on all nodes, and doesn't wait for delivery. If the event is lost,
   * a browser shows the change after the next event about the same records, or when its tab gets the focus.
   */
  announce: (orgId: string, changes: readonly Change[]) => void;
  /**
   * Opens the stream of events for one tab. It ends when the tab disconnects or doesn't keep up, its session or the
   * person's membership ends, the person selects a different organization or opens too many streams, or the server
   * stops.
   */
  open: (viewer: Viewer) => Readable;
  /** Ends all streams, so that the process can stop. */
  endStreams: () => void;
};
