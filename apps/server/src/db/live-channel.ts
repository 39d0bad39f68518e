import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../kernel/log.ts';
import type { Connection } from './pool.ts';

type LiveChannel = {
  /**
   * Sends a message to every node, including this one, together with other recent messages. Returns immediately and
   * never throws. The message is lost if it is too long, if too many are waiting, or if the connection fails while it
   * is sent.
   */
  send: (message: string) => void;
  stop: () => Promise<void>;
};

type LiveChannelOptions = {
  connection: Connection;
  log: Log;
  onMessage: (message: string) => void;
  /** Called whenever the channel opens, because messages may have been missed. */
  onGap: () => void;
};

const CHANNEL = 'stet_live';
const GATHER_MS = 25;
// PostgreSQL accepts payloads of fewer than 8000 bytes.
const PAYLOAD_BYTES = 7500;
// Maximum number of messages that wait while the connection is slow or down. After a gap, browsers reload everything.
const MAX_WAITING = 5000;
const SEND = { name: 'live_send', text: `select pg_notify('${CHANNEL}', payload) from unnest($1::text[]) payload` };

/**
 * Sends messages between nodes on a separate connection. A `NOTIFY` within a transaction would make all such
 * transactions commit one after the other. Here, messages are sent after the commit, many in one `NOTIFY`.
 */
export function openLiveChannel({ connection, log, onMessage, onGap }: LiveChannelOptions): LiveChannel {
  const waiting = new Set<string>();
  const stopping = new AbortController();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> | null = null;

  const send = async (): Promise<void> => {
    if (!client || waiting.size === 0) return;
    const messages = [...waiting];
    waiting.clear();
    await client.query({ ...SEND, values: [payloadsOf(messages)] }).catch((error: unknown) => {
      if (!stopping.signal.aborted) log.debug({ err: error }, 'a live message was not sent');
    });
  };
  // Only one statement is sent at a time. If PostgreSQL is slow, new messages wait for the next one.
  const flush = (): Promise<void> =>
    (sending ??= send().finally(() => {
      sending = null;
      if (waiting.size > 0 && client) soon();
    }));
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      void flush();
    }, GATHER_MS).unref();
  };

  const listen = async (): Promise<void> => {
    const opened = new pg.Client({
      ...connection,
      application_name: 'stet-live',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      options: '-c role=stet_app',
    });
    const lost = new Promise<void>((resolve) => {
      opened.on('end', resolve);
      opened.on('error', () => resolve());
    });
    const disconnect = (): void => void opened.end().catch(() => undefined);
    opened.on('notification', ({ payload }) => {
      for (const message of (payload ?? '').split('\n')) if (message !== '') onMessage(message);
    });
    try {
      await opened.connect();
      await opened.query(`listen ${CHANNEL}`);
      stopping.signal.addEventListener('abort', disconnect);
      if (stopping.signal.aborted) disconnect();
      client = opened;
      onGap();
      soon();
      await lost;
    } finally {
      stopping.signal.removeEventListener('abort', disconnect);
      client = null;
      disconnect();
    }
  };

  const running = (async () => {
    for (let tries = 0; !stopping.signal.aborted; tries += 1) {
      const began = Date.now();
      await listen().catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'live updates are off; retrying');
      });
      if (Date.now() - began > 10_000) tries = 0;
      await pause(Math.min(10_000, 200 * 2 ** tries), null, { signal: stopping.signal, ref: false }).catch(
        () => undefined,
      );
    }
  })();

  return {
    send: (message) => {
      if (waiting.size >= MAX_WAITING) return;
      waiting.add(message);
      soon();
    },
    stop: async () => {
      await sending;
      await flush();
      stopping.abort();
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}

/** Sends messages to every node over a connection of a process that isn't a node, such as a command. */
export async function sendOnce(client: Pick<pg.Client, 'query'>, messages: readonly string[]): Promise<void> {
  if (messages.length > 0) await client.query({ ...SEND, values: [payloadsOf(messages)] });
}

/** Packs the messages into few payloads, one message per line. Omits messages that are too long. */
function payloadsOf(messages: readonly string[]): string[] {
  const payloads: string[] = [];
  let lines: string[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = Buffer.byteLength(message) + 1;
    if (size > PAYLOAD_BYTES) continue;
    if (bytes + size > PAYLOAD_BYTES) {
      payloads.push(lines.join('\n'));
      lines = [];
      bytes = 0;
    }
    lines.push(message);
    bytes += size;
  }
  return lines.length > 0 ? [...payloads, lines.join('\n')] : payloads;
}
