import type { LiveEvents } from '@stet/contract';
import type { Query } from '@tanstack/react-query';

type Change = LiveEvents['changed'];
type LiveQueryMeta = { live?: readonly Interest[]; [key: string]: unknown };

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: LiveQueryMeta;
  }
}

/** The records that a query depends on: all records of a subject, or the one with the id. */
type Interest = { subject: Change['subject']; id?: string };

/** `meta: liveOn({ subject: 'run' })` refetches the query whenever a run changes. */
export const liveOn = (...interests: readonly Interest[]): LiveQueryMeta => ({ live: interests });

export function isAffectedBy({ meta }: Pick<Query, 'meta'>, changes: readonly Change[]): boolean {
  return (meta?.live ?? []).some(({ subject, id }) =>
    changes.some((change) => change.subject === subject && (id === undefined || id === change.id)),
  );
}
