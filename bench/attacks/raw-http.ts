import { connect } from 'node:net';

/** What stands at the end of what came back where the other side didn't end the connection in time. */
const NOT_ENDED = '(not ended)';

/** Sends bytes as they are and answers all that comes back until the connection ends or `ms` are over. */
export function sendRaw(port: number, bytes: string | Buffer, ms = 5000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(heard);
    };
    const timer = setTimeout(() => {
      heard += NOT_ENDED;
      end();
    }, ms);
    socket.setEncoding('latin1');
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (text) => (heard += String(text)));
    socket.on('close', end);
    socket.on('error', end);
  });
}

/** The statuses of the answers in what came back. */
export const statusesIn = (heard: string): number[] =>
  [...heard.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
