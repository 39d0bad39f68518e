// A session is the editing of a workflow in one tab. Browsers release a lock when its tab is closed or crashes, so a
// session without a lock has ended.
const PREFIX = 'stet-session/';

const locks = (): LockManager | null => ('locks' in navigator ? navigator.locks : null);

/** Marks a session as alive for other tabs, until the returned function is called or the tab is closed. */
export function lockSession(id: string): () => void {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  locks()
    ?.request(PREFIX + id, () => held)
    .catch(() => undefined);
  return () => release();
}

/** The ids of the sessions that are alive in any tab. Empty if the browser doesn't support locks. */
export async function livingSessions(): Promise<ReadonlySet<string>> {
  const { held = [] } =
    (await locks()
      ?.query()
      .catch(() => undefined)) ?? {};
  return new Set(held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])));
}
