/** When this one heard of which run, in milliseconds of `performance.now()`; a run that it heard of again keeps the first. */
export type Listener = { heard: ReadonlyMap<string, number>; forget: () => void; close: () => void };

/** Listens to the server-sent events of a server as this person. Ready when the stream has said hello. */
export async function listenTo(url: string, token: string): Promise<Listener> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/api/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  });
  if (!response.ok || !response.body) throw new Error(`GET /api/events: ${response.status}`);
  const heard = new Map<string, number>();
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
        const said = /^event: changed\ndata: (.*)$/.exec(event)?.[1];
        const changed = said === undefined ? null : (JSON.parse(said) as { subject: string; id: string });
        if (changed?.subject === 'run' && !heard.has(changed.id)) heard.set(changed.id, performance.now());
      }
    }
  };
  // It ends when this one leaves, or with the server.
  read(response.body).catch(() => undefined);
  await hello;
  return { heard, forget: () => heard.clear(), close: () => leaving.abort() };
}
