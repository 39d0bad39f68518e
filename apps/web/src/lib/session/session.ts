/** The reason why there is no session: the person logged out, or the token was rejected or can't be read. */
type SessionEnd = 'logout' | 'expired';

const TOKEN_KEY = 'stet_token';
// The older client stored its sessions under this key. They are migrated once.
const LEGACY_KEY = 'ap_token';

// Used if storage is full or unavailable. The session then lasts until the page is closed.
let memory: string | null = null;
let lastEnd: SessionEnd | null = null;
const listeners = new Set<() => void>();

function store(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

function write(token: string | null): void {
  memory = token;
  try {
    if (token === null) store()?.removeItem(TOKEN_KEY);
    else store()?.setItem(TOKEN_KEY, token);
    store()?.removeItem(LEGACY_KEY);
  } catch {
    // Storage is full or unavailable, so the token stays in memory.
  }
  for (const listener of listeners) listener();
}

function token(): string | null {
  const browserStorage = store();
  if (!browserStorage) return memory;
  const legacy = browserStorage.getItem(LEGACY_KEY);
  if (legacy !== null) {
    if (browserStorage.getItem(TOKEN_KEY) === null) browserStorage.setItem(TOKEN_KEY, legacy);
    browserStorage.removeItem(LEGACY_KEY);
  }
  return browserStorage.getItem(TOKEN_KEY) ?? memory;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Follows other tabs that sign in or out.
if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key !== TOKEN_KEY && event.key !== null) return;
    memory = null;
    if (event.newValue === null) lastEnd = 'logout';
    for (const listener of listeners) listener();
  });
}

/** The token of this browser, shared by all tabs. */
export const session = {
  token,
  begin: (fresh: string): void => {
    lastEnd = null;
    write(fresh);
  },
  end: (why: SessionEnd): void => {
    lastEnd = why;
    write(null);
  },
  /** The reason why the last session ended; null until one ends, here or in another tab, and after a sign-in here. */
  lastEnd: (): SessionEnd | null => lastEnd,
  subscribe,
};
