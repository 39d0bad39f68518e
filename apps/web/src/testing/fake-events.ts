import type { LiveEvents } from '@stet/contract';
import type { FakeServer } from './fake-server.ts';

export type FakeEvents = {
  openStreams: () => number;
  send: <E extends keyof LiveEvents>(event: E, data: LiveEvents[E]) => void;
  /** Sends a heartbeat to every stream. */
  heartbeat: () => void;
  /** Closes every stream. */
  closeAll: () => void;
};

/** Serves the event stream. Each stream starts with a `hello` event. */
export function serveEvents(server: FakeServer): FakeEvents {
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const bytes = (event: string, data: object) =>
    new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  server.on('GET /api/events', ({ signal }) => {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        streams.add(controller);
        controller.enqueue(bytes('hello', {}));
        signal?.addEventListener('abort', () => {
          if (streams.delete(controller)) controller.error(signal.reason);
        });
      },
    });
    return { stream };
  });
  return {
    openStreams: () => streams.size,
    send: (event, data) => {
      for (const stream of streams) stream.enqueue(bytes(event, data));
    },
    heartbeat: () => {
      for (const stream of streams) stream.enqueue(new TextEncoder().encode(':\n\n'));
    },
    closeAll: () => {
      for (const stream of streams) stream.close();
      streams.clear();
    },
  };
}
