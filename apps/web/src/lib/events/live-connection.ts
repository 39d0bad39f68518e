import type { LiveEvents } from '@stet/contract';
import { requestUrl } from '../api/request-url.ts';
import { session } from '../session/session.ts';
import { openEventReader } from './read-events.ts';
import type { LiveEvent } from './read-events.ts';

export type PersonHere = LiveEvents['presence']['people'][number];
/** `isLive`: changes come by themselves. `people` look at `runId`, the run that this tab looks at. */
export type LiveState = { isLive: boolean; runId: string | null; people: readonly PersonHere[] };

export type LiveConnection = {
  state: () => LiveState;
  subscribe: (listener: () => void) => () => void;
  /** Tells the others which run this tab looks at; null for none. */
  lookAt: (runId: string | null) => void;
  /** Opens the stream. */
  start: (hears: Hears) => void;
  stop: () => void;
};

type Hears = {
  onChanged: (change: LiveEvents['changed']) => void;
  /** Anything may have changed: events were missed. */
  onMissed: () => void;
  /** The session ended, or works in another organization now. */
  onEnded: () => void;
};

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
// The server says something every 15 seconds; a connection that is silent for longer is dead.
const SILENCE_MS = 40_000;
// Browsers open six connections to a server; tabs that nobody sees leave theirs to the others.
const HIDDEN_MS = 5000;
const SETTLE_MS = 30;

/** One stream of this tab's, from start to stop; opened again whenever it breaks, none while the tab is hidden. */
export function createLiveConnection(): LiveConnection {
  let hears: Hears | null = null;
  let state: LiveState = { isLive: false, runId: null, people: [] };
  let current: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let wasLive = false;
  const listeners = new Set<() => void>();

  const become = (next: Partial<LiveState>): void => {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  };

  const hear = ({ event, data }: LiveEvent): void => {
    if (event === 'hello') {
      tries = 0;
      become({ isLive: true });
      if (wasLive) hears?.onMissed();
      wasLive = true;
    } else if (event === 'changed') hears?.onChanged(data);
    else if (event === 'missed') hears?.onMissed();
    else if (event === 'ended') hears?.onEnded();
    else if (data.runId === state.runId) become({ people: data.people });
  };

  const hangUp = (): void => {
    clearTimeout(timer);
    current?.abort();
    current = null;
  };

  const connect = (): void => {
    hangUp();
    if (!hears || document.visibilityState === 'hidden') return;
    const here = new AbortController();
    current = here;
    void readStream(state.runId, here, hear).then(() => {
      // Hung up on purpose: whoever did that has opened another, or wants none.
      if (current !== here) return;
      current = null;
      become({ isLive: false, people: [] });
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries) * (0.75 + Math.random() / 2);
      tries += 1;
      timer = setTimeout(connect, pause);
    });
  };

  const onVisibility = (): void => {
    clearTimeout(hiding);
    if (document.visibilityState !== 'hidden') {
      if (!current) connect();
      return;
    }
    hiding = setTimeout(() => {
      hangUp();
      become({ isLive: false, people: [] });
    }, HIDDEN_MS);
  };

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lookAt: (runId) => {
      if (runId === state.runId) return;
      become({ runId, people: [] });
      // From one run to the next it is told twice; one new stream is enough.
      clearTimeout(timer);
      timer = setTimeout(connect, SETTLE_MS);
    },
    start: (wanted) => {
      hears = wanted;
      tries = 0;
      wasLive = false;
      document.addEventListener('visibilitychange', onVisibility);
      connect();
    },
    stop: () => {
      hears = null;
      document.removeEventListener('visibilitychange', onVisibility);
      clearTimeout(hiding);
      hangUp();
      become({ isLive: false, people: [] });
    },
  };
}

/** Reads one stream until it ends, for whatever reason. */
async function readStream(
  runId: string | null,
  hangUp: AbortController,
  hear: (event: LiveEvent) => void,
): Promise<void> {
  let watch: ReturnType<typeof setTimeout> | undefined;
  const isAlive = (): void => {
    clearTimeout(watch);
    watch = setTimeout(() => hangUp.abort(), SILENCE_MS);
  };
  try {
    isAlive();
    const response = await fetch(requestUrl('/api/events', {}, { run: runId }), {
      method: 'GET',
      headers: { accept: 'text/event-stream', authorization: `Bearer ${session.token() ?? ''}` },
      signal: hangUp.signal,
    });
    if (!response.ok || !response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
      return;
    const reader = response.body.getReader();
    const text = new TextDecoder();
    const read = openEventReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      isAlive();
      for (const event of read(text.decode(value, { stream: true }))) if (!hangUp.signal.aborted) hear(event);
    }
  } catch {
    // No answer, or hung up: the caller tries again where it still wants to.
  } finally {
    clearTimeout(watch);
  }
}
