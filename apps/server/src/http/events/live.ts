import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { Live, Viewer } from '../../kernel/live.ts';
import { type LiveMessage, type Present, readMessage, writeMessage } from './message.ts';
import { PRESENCE_MS, distinct, openPresence } from './presence.ts';

type Stream = Viewer & { out: PassThrough };

/** A run or draft, and its organization. */
type Place = { orgId: string; runId: string };
const placeOf = ({ orgId, runId }: Viewer): Place[] => (runId === null ? [] : [{ orgId, runId }]);
const keyOf = ({ orgId, runId }: Place): string => `${orgId} ${runId}`;
function placeAt(key: string): Place {
  const [orgId = '', runId = ''] = key.split(' ');
  return { orgId, runId };
}

type LiveOptions = {
  /** Sends a message to all nodes, including this one. */
  send: (message: string) => void;
  /** Returns true if the viewer's session is still valid and in the same organization. */
  stillThere: (viewer: Viewer) => Promise<boolean>;
  heartbeatMs?: number;
};

/**
 * Maximum number of streams per user on this node. Each tab opens one. If a user opens more, the oldest one is closed,
 * and its tab polls until it has connected again.
 */
const STREAMS_PER_USER = 16;
/**
 * Maximum backlog of a client. If it is exceeded, the client is disconnected; it then reconnects and reloads its data.
 */
const BEHIND_BYTES = 256 * 1024;
/** Lists show when they were last confirmed, which must be at most 8 seconds ago (specification, section 6). */
const HEARTBEAT_MS = 7_500;
const BEATS_BETWEEN_CHECKS = 8;
const BEATS_BETWEEN_PRESENCE = 4;

/** The event streams of this node, which receive the messages of all nodes. */
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
  const sendPresence = (at: Place, ask: boolean): void =>
    send(writeMessage({ t: 'present', node, org: at.orgId, run: at.runId, people: here(at), ask }));

  const check = async (stream: Stream): Promise<void> => {
    // If the check fails, for example because the database is down, the session is still considered valid.
    const there = await stillThere(stream).catch(() => true);
    if (there || !streams.has(stream)) return;
    say(stream, 'ended', {});
    stream.out.end();
  };

  const passOn = (incoming: Extract<LiveMessage, { t: 'changed' }>): void => {
    for (const stream of streams) {
      if (stream.orgId === incoming.org) say(stream, 'changed', { subject: incoming.subject, id: incoming.id });
      // The person may have signed out, been removed, or selected a different organization, on any node.
      if (incoming.subject === 'user' && stream.userId === incoming.id) void check(stream);
    }
  };

  const beat = setInterval(
    () => {
      beats += 1;
      for (const stream of streams) {
        write(stream, ':\n\n');
        if (beats % BEATS_BETWEEN_CHECKS === 0) void check(stream);
      }
      if (beats % BEATS_BETWEEN_PRESENCE === 0) {
        const places = new Map([...streams].flatMap(placeOf).map((at) => [keyOf(at), at]));
        for (const at of places.values()) sendPresence(at, false);
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
      for (const oldest of own.slice(0, Math.max(0, own.length - STREAMS_PER_USER + 1))) oldest.out.end();
      streams.add(stream);
      stream.out.on('error', () => undefined);
      stream.out.on('close', () => {
        streams.delete(stream);
        for (const at of placeOf(viewer)) {
          sendPresence(at, false);
          showPresence(at);
        }
      });
      say(stream, 'hello', {});
      for (const at of placeOf(viewer)) {
        sendPresence(at, true);
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
    receive: (text: string): void => {
      const incoming = readMessage(text);
      if (incoming?.t === 'changed') passOn(incoming);
      if (incoming?.t !== 'present' || incoming.node === node) return;
      const at = { orgId: incoming.org, runId: incoming.run };
      presence.received(keyOf(at), incoming.node, incoming.people, Date.now());
      showPresence(at);
      if (incoming.ask && here(at).length > 0) sendPresence(at, false);
    },
    /** Called if events may have been missed. Every browser then reloads its data. */
    missed: (): void => {
      for (const stream of streams) say(stream, 'missed', {});
    },
    stop: (): void => {
      clearInterval(beat);
      live.endStreams();
    },
  };
}
