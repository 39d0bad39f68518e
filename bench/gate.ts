import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** A gate in front of a program. Requests pass, are refused, or are accepted and never answered. */
export type Gate = {
  port: number;
  be: (how: 'open' | 'refusing' | 'silent') => void;
  close: () => Promise<void>;
};

/** Opens a gate on a free port, in front of a port of this machine. */
export async function gateTo(target: number): Promise<Gate> {
  const inside = new Set<Socket>();
  let how: Parameters<Gate['be']>[0] = 'open';
  const trackSocket = (socket: Socket): Socket => {
    inside.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => inside.delete(socket));
    return socket;
  };
  const server = createServer((caller) => {
    trackSocket(caller);
    if (how === 'refusing') caller.destroy();
    if (how === 'silent') caller.resume();
    if (how !== 'open') return;
    const called = trackSocket(connect(target, '127.0.0.1'));
    caller.on('close', () => called.destroy());
    called.on('close', () => caller.destroy());
    caller.pipe(called);
    called.pipe(caller);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endAll = (): void => {
    for (const socket of inside) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    be: (next) => {
      how = next;
      endAll();
    },
    close: async () => {
      endAll();
      server.close();
      await once(server, 'close');
    },
  };
}
