import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** Creates a proxy on a free port in front of several servers. Each new connection goes to the next server. */
export async function roundRobin(ports: readonly number[]): Promise<{ port: number; close: () => Promise<void> }> {
  const inside = new Set<Socket>();
  let turn = 0;
  const server = createServer({ noDelay: true }, (caller) => {
    const called = connect({ port: ports[turn % ports.length] ?? 0, host: '127.0.0.1', noDelay: true });
    turn += 1;
    for (const [socket, other] of [
      [caller, called],
      [called, caller],
    ] as const) {
      inside.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        inside.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of inside) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
