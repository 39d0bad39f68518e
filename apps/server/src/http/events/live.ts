import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { Live, Viewer } from '../../kernel/live.ts';
import { type LiveMessage, type Present, readMessage, writeMessage } from './message.ts';
import { PRESENCE_MS, distinct, openPresence } from './presence.ts';

type Stream = Viewer & { out: PassThrough };

/** A run within its organization. */
type Place = { orgId: string; runId: string };
const placeOf = ({ orgId, runId }: Viewer): Place[] => (runId === null ? [] : [{ orgId, runId }]);
const keyOf = ({ orgId, runId }: Place): string => `${orgId} ${runId}`;
function placeAt(key: string): Place {
  const [orgId = '', runId = ''] = key.split(' ');
  return { orgId, runId };
}

type LiveOptions = {
  /** Sends a message to all nodes, this one included. */
  send: (message: string) => void;
  /** Whether the viewer's session lives and still is in that organization. */
  stillThere: (viewer: Viewer) => Promise<boolean>;
  heartbeatMs?: number;
};

/** A browser that has more tabs open than this loses its oldest stream; the tab then asks by itself now and then. */
const STREAMS_A_USER = 16;
/** A reader that is further behind than this is cut off; it comes back and asks for everything. */
const BEHIND_BYTES = 256 * 1024;
const HEARTBEAT_MS = 15_000;
const BEATS_BETWEEN_CHECKS = 4;

/** The event streams of this node, and what they are told by all. */
export function openLive({ send, stillThere, heartbeatMs = HEARTBEAT_MS }: LiveOptions) {
  const node = randomUUID();
  const streams = new Set<Stream>();
  const presence = openPresence();
  let beats = 0;

  const write = (stream: Stream, text: string): void => {
    if (stream.out.writableLength + stream.out.readableLength > BEHIND_BYTES) stream.out.destroy();
    else if (stream.out.writable) stream.out.write(text);
  };
  const say = (stream: Stream, event: string, data: object): void =>
    write(stream, `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const streamsOf = (wanted: (stream: Stream) => boolean): Stream[] => [...streams].filter(wanted);

  const looking = (at: Place): Stream[] => streamsOf(({ orgId, runId }) => orgId === at.orgId && runId === at.runId);
  const here = (at: Place): Present[] => distinct(looking(at).map(({ userId, name }) => ({ id: userId, name })));
  const showPresence = (at: Place): void => {
    const viewers = looking(at);
    if (viewers.length === 0) return;
    const people = presence.of(keyOf(at), here(at));
    for (const stream of viewers) say(stream, 'presence', { runId: at.runId, people });
  };
  const tellPresence = (at: Place, ask: boolean): void =>
    send(writeMessage({ t: 'present', node, org: at.orgId, run: at.runId, people: here(at), ask }));

  const check = async (stream: Stream): Promise<void> => {
    // The database may be away for a while; that ends nobody's session.
    const there = await stillThere(stream).catch(() => true);
    if (there || !streams.has(stream)) return;
    say(stream, 'ended', {});
    stream.out.end();
  };

  const tell = (said: Extract<LiveMessage, { t: 'changed' }>): void => {
    for (const stream of streams) {
      if (stream.orgId === said.org) say(stream, 'changed', { subject: said.subject, id: said.id });
      // Signed out, removed, or at work in another organization now, on whichever node.
      if (said.subject === 'user' && stream.userId === said.id) void check(stream);
    }
  };

  const beat = setInterval(
    () => {
      beats += 1;
      for (const stream of streams) {
        write(stream, ':\n\n');
        if (beats % BEATS_BETWEEN_CHECKS === 0) void check(stream);
      }
      if (beats % 2 === 0) {
        const places = new Map([...streams].flatMap(placeOf).map((at) => [keyOf(at), at]));
        for (const at of places.values()) tellPresence(at, false);
      }
      for (const key of presence.forget(Date.now())) showPresence(placeAt(key));
    },
    Math.min(heartbeatMs, PRESENCE_MS / 4),
  );
  beat.unref();

  const live: Live = {
    announce: (org, changes) => {
      for (const { subject, id } of changes) send(writeMessage({ t: 'changed', org, subject, id }));
    },
    open: (viewer) => {
      const stream: Stream = { ...viewer, out: new PassThrough() };
      const own = streamsOf(({ userId }) => userId === viewer.userId);
      for (const oldest of own.slice(0, Math.max(0, own.length - STREAMS_A_USER + 1))) oldest.out.end();
      streams.add(stream);
      stream.out.on('error', () => undefined);
      stream.out.on('close', () => {
        streams.delete(stream);
        for (const at of placeOf(viewer)) {
          tellPresence(at, false);
          showPresence(at);
        }
      });
      say(stream, 'hello', {});
      for (const at of placeOf(viewer)) {
        tellPresence(at, true);
        showPresence(at);
      }
      return stream.out;
    },
    endStreams: () => {
      for (const { out } of streams) out.end();
    },
  };

  return {
    live,
    hear: (text: string): void => {
      const said = readMessage(text);
      if (said?.t === 'changed') tell(said);
      if (said?.t !== 'present' || said.node === node) return;
      const at = { orgId: said.org, runId: said.run };
      presence.heard(keyOf(at), said.node, said.people, Date.now());
      showPresence(at);
      if (said.ask && here(at).length > 0) tellPresence(at, false);
    },
    /** Something may have been missed: every browser asks for what it shows. */
    missed: (): void => {
      for (const stream of streams) say(stream, 'missed', {});
    },
    stop: (): void => {
      clearInterval(beat);
      live.endStreams();
    },
  };
}
