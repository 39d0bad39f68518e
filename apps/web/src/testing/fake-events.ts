import type { LiveEvents } from '@stet/contract';
import type { FakeServer } from './fake-server.ts';

export type FakeEvents = {
  /** How many streams are open now. */
  open: () => number;
  say: <E extends keyof LiveEvents>(event: E, data: LiveEvents[E]) => void;
  /** The server hangs up. */
  cut: () => void;
};

/** Serves the event stream; each begins with `hello`. */
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
    open: () => streams.size,
    say: (event, data) => {
      for (const stream of streams) stream.enqueue(bytes(event, data));
    },
    cut: () => {
      for (const stream of streams) stream.close();
      streams.clear();
    },
  };
}
