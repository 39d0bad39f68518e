/** An SMTP server for tests. It sends its port to the parent process, and then each email that it doesn't refuse. */
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

let refusals = Number(process.argv[2] ?? 0);
const takesMs = Number(process.argv[3] ?? 0);
/**
 * The replies to emails that wait until the parent process releases them. Null if replies don't wait for it. Until then,
 * the client receives a line of the reply every second, so that it doesn't give up.
 */
let delayed: (() => void)[] | null = process.argv[4] === 'holds' ? [] : null;
/** The connections by the client's port. */
const sockets = new Map<number | undefined, Socket>();

function delay(port: number, done: () => void): void {
  const timer = setInterval(() => sockets.get(port)?.write('250-Please wait\r\n'), 1000);
  delayed?.push(() => {
    clearInterval(timer);
    done();
  });
}

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      if (refusals > 0) {
        refusals -= 1;
        done(Object.assign(new Error('Please try again later'), { responseCode: 451 }));
        return;
      }
      process.send?.({
        raw: Buffer.concat(chunks).toString(),
        to: session.envelope.rcptTo.map(({ address }) => address),
      });
      if (delayed) delay(session.remotePort, done);
      else setTimeout(done, takesMs);
    });
  },
});
server.server.on('connection', (socket) => sockets.set(socket.remotePort, socket));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.server.address() as AddressInfo).port }));
process.on('message', () => {
  for (const done of delayed ?? []) done();
  delayed = null;
});
process.on('disconnect', () => process.exit(0));
