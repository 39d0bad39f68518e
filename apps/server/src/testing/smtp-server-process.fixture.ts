/** An SMTP server for tests. It sends its port to the parent process, and then each email that it doesn't refuse. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

let refusals = Number(process.argv[2] ?? 0);
const takesMs = Number(process.argv[3] ?? 0);
/** The replies to emails that wait until the parent process releases them. Null if replies don't wait for it. */
let delayed: (() => void)[] | null = process.argv[4] === 'holds' ? [] : null;

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
      if (delayed) delayed.push(done);
      else setTimeout(done, takesMs);
    });
  },
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.server.address() as AddressInfo).port }));
process.on('message', () => {
  for (const done of delayed ?? []) done();
  delayed = null;
});
process.on('disconnect', () => process.exit(0));
