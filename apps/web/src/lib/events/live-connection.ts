import type { LiveEvents } from '@stet/contract';
import { requestUrl } from '../api/request-url.ts';
import { session } from '../session/session.ts';
import { openEventReader } from './read-events.ts';
import type { LiveEvent } from './read-events.ts';

export type PersonHere = LiveEvents['presence']['people'][number];
/** `isLive`: changes arrive automatically. `people`: everyone viewing `runId`, the run or draft that this tab shows. */
export type LiveState = { isLive: boolean; runId: string | null; people: readonly PersonHere[] };

export type LiveConnection = {
  state: () => LiveState;
  /** When the live stream last sent anything, in epoch milliseconds; 0 while changes don't arrive automatically. */
  receivedAt: () => number;
  subscribe: (listener: () => void) => () => void;
  /** Reports to the server which run or draft this tab shows; null if none. */
  lookAt: (runId: string | null) => void;
  /** Opens the stream. */
  start: (handlers: Handlers) => void;
  stop: () => void;
};

type Handlers = {
  onChanged: (change: LiveEvents['changed']) => void;
  /** Called if events may have been missed, so anything may have changed. */
  onMissed: () => void;
  /** Called if the session ended or switched to a different organization. */
  onEnded: () => void;
};

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
// The server sends a heartbeat every 7.5 seconds, so a connection that is silent for this long is dead.
const SILENCE_MS = 40_000;
// With HTTP/1.1, browsers open at most six connections to a server, so hidden tabs close theirs after this time.
const HIDDEN_MS = 5000;
const DEBOUNCE_MS = 30;

/** The event stream of this tab. It reconnects whenever it breaks, and is closed if the tab is hidden for a while. */
export function createLiveConnection(): LiveConnection {
  let handlers: Handlers | null = null;
  let state: LiveState = { isLive: false, runId: null, people: [] };
  let current: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let receivedAt = 0;
  let tries = 0;
  let wasLive = false;
  const listeners = new Set<() => void>();

  const become = (next: Partial<LiveState>): void => {
    state = { ...state, ...next };
    if (!state.isLive) receivedAt = 0;
    for (const listener of listeners) listener();
  };

  const receive = ({ event, data }: LiveEvent): void => {
    if (event === 'hello') {
      tries = 0;
      become({ isLive: true });
      if (wasLive) handlers?.onMissed();
      wasLive = true;
    } else if (event === 'changed') handlers?.onChanged(data);
    else if (event === 'missed') handlers?.onMissed();
    else if (event === 'ended') handlers?.onEnded();
    else if (data.runId === state.runId) become({ people: data.people });
  };

  const disconnect = (): void => {
    clearTimeout(timer);
    current?.abort();
    current = null;
  };

  const connect = (): void => {
    disconnect();
    if (!handlers || document.visibilityState === 'hidden') return;
    const here = new AbortController();
    current = here;
    const noteReceived = (): void => {
      if (!state.isLive) return;
      receivedAt = Date.now();
      for (const listener of listeners) listener();
    };
    void readStream(state.runId, here, { receive, noteReceived }).then(() => {
      // If the stream was closed on purpose, a new one is already open, or none is wanted.
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
      disconnect();
      become({ isLive: false, people: [] });
    }, HIDDEN_MS);
  };

  return {
    state: () => state,
    receivedAt: () => receivedAt,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lookAt: (runId) => {
      if (runId === state.runId) return;
      become({ runId, people: [] });
      // Navigating between runs calls this twice, but one new stream is enough.
      clearTimeout(timer);
      timer = setTimeout(connect, DEBOUNCE_MS);
    },
    start: (wanted) => {
      handlers = wanted;
      tries = 0;
      wasLive = false;
      document.addEventListener('visibilitychange', onVisibility);
      connect();
    },
    stop: () => {
      handlers = null;
      document.removeEventListener('visibilitychange', onVisibility);
      clearTimeout(hiding);
      disconnect();
      become({ isLive: false, people: [] });
    },
  };
}

/** Reads one stream until it ends for any reason. */
async function readStream(
  runId: string | null,
  disconnect: AbortController,
  { receive, noteReceived }: { receive: (event: LiveEvent) => void; noteReceived: () => void },
): Promise<void> {
  let watch: ReturnType<typeof setTimeout> | undefined;
  const isAlive = (): void => {
    clearTimeout(watch);
    watch = setTimeout(() => disconnect.abort(), SILENCE_MS);
  };
  try {
    isAlive();
    const response = await fetch(requestUrl('/api/events', {}, { run: runId }), {
      method: 'GET',
      headers: { accept: 'text/event-stream', authorization: `Bearer ${session.token() ?? ''}` },
      signal: disconnect.signal,
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
      for (const event of read(text.decode(value, { stream: true }))) if (!disconnect.signal.aborted) receive(event);
      noteReceived();
    }
  } catch {
    // There was no response, or the stream broke. The caller retries if it still wants the stream.
  } finally {
    clearTimeout(watch);
  }
}
