import type { LiveEvents } from '@stet/contract';
import type { Person, TestServer } from './server.ts';

export type Received = { [E in keyof LiveEvents]: { event: E; data: LiveEvents[E] } }[keyof LiveEvents];

export type EventStream = {
  status: number;
  received: Received[];
  /**
   * Waits for a matching event. An event that was received before the call counts too. Rejects if the stream ends
   * first.
   */
  until: (wanted: (received: Received) => boolean) => Promise<Received>;
  /** Resolves once the stream has ended, whether the server or `close` ended it. */
  ended: Promise<void>;
  close: () => void;
};

/** Opens the event stream like a browser tab. */
export async function listen(server: TestServer, person: Pick<Person, 'token'>, run?: string): Promise<EventStream> {
  const disconnect = new AbortController();
  const response = await fetch(`${server.server.url}/api/events${run ? `?run=${run}` : ''}`, {
    headers: { authorization: `Bearer ${person.token}` },
    signal: disconnect.signal,
  });
  const received: Received[] = [];
  let changed = waiting();
  let isOver = false;
  const reading = (async () => {
    let rest = '';
    const text = new TextDecoder();
    for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      rest += text.decode(piece, { stream: true });
      const parts = rest.split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? [];
        if (event && data) received.push({ event, data: JSON.parse(data) as unknown } as Received);
      }
      changed.resolve();
      changed = waiting();
    }
  })()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
      changed.resolve();
    });
  return {
    status: response.status,
    received,
    ended: reading,
    close: () => disconnect.abort(),
    until: async (wanted) => {
      for (;;) {
        const found = received.find(wanted);
        if (found) return found;
        if (isOver) throw new Error('the stream ended first');
        await changed.promise;
      }
    },
  };
}

function waiting(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
