import { EXPORT_LIMITS } from './trail.ts';

/** How much the trail has of a run; bytes of payload. */
export type RunSize = { events: number; bytes: number };

/**
 * The first runs whose events fit into one document together (`EXPORT_LIMITS`); the first one in any case, so that no run
 * is too large to be shown at all. A run without a size has no events.
 */
export function fitting<R extends { id: string }>(
  runs: readonly R[],
  sizes: ReadonlyMap<string, RunSize>,
): readonly R[] {
  let events = 0;
  let bytes = 0;
  const over = runs.findIndex(({ id }, n) => {
    events += sizes.get(id)?.events ?? 0;
    bytes += sizes.get(id)?.bytes ?? 0;
    return n > 0 && (events > EXPORT_LIMITS.events || bytes > EXPORT_LIMITS.bytes);
  });
  return over === -1 ? runs : runs.slice(0, over);
}
