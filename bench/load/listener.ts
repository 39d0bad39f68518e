/** The time of the first event for each run, in milliseconds of `performance.now()`. */
export type Listener = { received: ReadonlyMap<string, number>; forget: () => void; close: () => void };

/** Opens a server's event stream as this person. Resolves when the stream has sent its greeting. */
export async function listenTo(url: string, token: string): Promise<Listener> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/api/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  });
  if (!response.ok || !response.body) throw new Error(`GET /api/events: ${response.status}`);
  const received = new Map<string, number>();
  let ready = (): void => {};
  const hello = new Promise<void>((resolve) => (ready = resolve));
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        if (event.startsWith('event: hello')) ready();
        const data = /^event: changed\ndata: (.*)$/.exec(event)?.[1];
        const changed = data === undefined ? null : (JSON.parse(data) as { subject: string; id: string });
        if (changed?.subject === 'run' && !received.has(changed.id)) received.set(changed.id, performance.now());
      }
    }
  };
  // The stream ends with this process or with the server.
  read(response.body).catch(() => undefined);
  await hello;
  return { received, forget: () => received.clear(), close: () => leaving.abort() };
}
