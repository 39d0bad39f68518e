import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** On the wire, `commit` ends with a zero byte, both as the name of a prepared statement and as statement text. */
const COMMIT = Buffer.from('commit\0');

const WAYS = ['before', 'within', 'after'] as const;
type Way = (typeof WAYS)[number];

type CuttingProxy = {
  port: number;
  /** Cuts the connection at about this share of the commits, in one of these ways. */
  cutCommits: (share: number, ways?: readonly Way[]) => void;
  /** Cuts all open connections. */
  cutAll: () => void;
  /** How many commits were cut before, within and after the message. */
  cut: Record<Way, number>;
  close: () => Promise<void>;
};

/** Creates a proxy between a server and its PostgreSQL that cuts connections, like an unreliable network. */
export async function cuttingProxyTo(target: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const cut = { before: 0, within: 0, after: 0 };
  let share = 0;
  let ways: readonly Way[] = WAYS;
  const trackSocket = (socket: Socket): void => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((caller) => {
    const called = connect(target, '127.0.0.1');
    trackSocket(caller);
    trackSocket(called);
    let isDeaf = false;
    caller.on('close', () => void (isDeaf || called.destroy()));
    called.on('close', () => caller.destroy());
    called.on('data', (chunk) => void (isDeaf || caller.write(chunk)));
    caller.on('data', (chunk: Buffer) => {
      if (isDeaf) return;
      if (Math.random() >= share || !chunk.includes(COMMIT)) {
        called.write(chunk);
        return;
      }
      isDeaf = true;
      const way = ways[Math.floor(Math.random() * ways.length)] ?? 'after';
      cut[way] += 1;
      const passed = { before: 0, within: Math.floor(Math.random() * chunk.length), after: chunk.length }[way];
      // PostgreSQL executes everything that it received before it notices that the client is gone, and the client gets
      // no response. The responses still have to be read, because PostgreSQL stops at the first one that it can't send.
      caller.destroy();
      called.end(chunk.subarray(0, passed));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cutCommits: (next, nextWays = WAYS) => {
      share = next;
      ways = nextWays;
    },
    cutAll,
    cut,
    close: async () => {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}
