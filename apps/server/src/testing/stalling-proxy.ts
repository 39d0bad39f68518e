import { type AddressInfo, type Socket, createServer } from 'node:net';
import { openSocketTo } from './database.ts';

export type StallingProxy = { port: number; be: (quiet: boolean) => void; close: () => Promise<void> };

/** A proxy to PostgreSQL that can stop responding: connections stay open and accept data, but nothing is returned. */
export async function openStallingProxy({ host, port }: { host: string; port: number }): Promise<StallingProxy> {
  const sockets = new Set<Socket>();
  let isQuiet = false;
  const way = createServer((caller) => {
    const called = openSocketTo({ host, port });
    called.on('data', (data) => caller.write(data));
    caller.on('data', (data) => called.write(data));
    for (const [one, other] of [
      [caller, called],
      [called, caller],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    if (isQuiet) called.pause();
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  return {
    port: (way.address() as AddressInfo).port,
    be: (quiet: boolean): void => {
      isQuiet = quiet;
      for (const socket of sockets) {
        if (quiet) socket.pause();
        else socket.resume();
      }
    },
    close: (): Promise<void> =>
      new Promise((resolve) => {
        way.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
