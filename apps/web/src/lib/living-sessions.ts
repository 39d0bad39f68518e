// Browsers let go of a lock when its tab is closed or crashes: who holds none is no longer there.
const PREFIX = 'stet-session/';

const locks = (): LockManager | null => ('locks' in navigator ? navigator.locks : null);

/** Says to other tabs that a session is alive, until the answer is called or the tab is gone. */
export function holdSession(id: string): () => void {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  locks()
    ?.request(PREFIX + id, () => held)
    .catch(() => undefined);
  return () => release();
}

/** The sessions of all tabs that are alive; none where the browser can't tell. */
export async function livingSessions(): Promise<ReadonlySet<string>> {
  const { held = [] } =
    (await locks()
      ?.query()
      .catch(() => undefined)) ?? {};
  return new Set(held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])));
}
