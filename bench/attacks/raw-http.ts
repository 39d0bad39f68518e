import { connect } from 'node:net';

/** Appended to the received text if the server didn't close the connection in time. */
const NOT_ENDED = '(not ended)';

/** Sends raw bytes. Returns everything received until the connection is closed or `ms` have passed. */
export function sendRaw(port: number, bytes: string | Buffer, ms = 5000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(received);
    };
    const timer = setTimeout(() => {
      received += NOT_ENDED;
      end();
    }, ms);
    socket.setEncoding('latin1');
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (text) => (received += String(text)));
    socket.on('close', end);
    socket.on('error', end);
  });
}

/** Returns the status codes of the received responses. */
export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
