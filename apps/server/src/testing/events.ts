import type { LiveEvents } from '@stet/contract';
import type { Person, TestServer } from './server.ts';

export type Heard = { [E in keyof LiveEvents]: { event: E; data: LiveEvents[E] } }[keyof LiveEvents];

export type EventStream = {
  status: number;
  heard: Heard[];
  /** The first event from now on, or among those heard, that is as wanted. Rejects where the stream ends before. */
  until: (wanted: (heard: Heard) => boolean) => Promise<Heard>;
  /** Resolves once the server has ended the stream. */
  ended: Promise<void>;
  close: () => void;
};

/** Opens the event stream as a browser's tab does. */
export async function listen(server: TestServer, person: Pick<Person, 'token'>, run?: string): Promise<EventStream> {
  const hangUp = new AbortController();
  const response = await fetch(`${server.server.url}/api/events${run ? `?run=${run}` : ''}`, {
    headers: { authorization: `Bearer ${person.token}` },
    signal: hangUp.signal,
  });
  const heard: Heard[] = [];
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
        if (event && data) heard.push({ event, data: JSON.parse(data) as unknown } as Heard);
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
    heard,
    ended: reading,
    close: () => hangUp.abort(),
    until: async (wanted) => {
      for (;;) {
        const found = heard.find(wanted);
        if (found) return found;
        if (isOver) throw new Error('the stream ended before');
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
