import { type AddressInfo, type Socket, createServer } from 'node:net';
import { type TestDatabase, openSocketTo } from './database.ts';

/** The statements that a client sent together before waiting for PostgreSQL: the name of each, or a query's text. */
type Trip = string[];

export type CountingProxy = {
  /** The address of the database through this proxy, as a `DATABASE_URL`. */
  url: string;
  /** Forgets the round trips so far. */
  forget: () => void;
  /** The round trips of the server's own connections since the last `forget`, except those of background work. */
  trips: () => Trip[];
  /** Closes the connection of the next transaction with an audit event after its commit, before Stet learns of it. */
  loseNextCommit: () => void;
  close: () => Promise<void>;
};

const APPLICATION = 'application_name\0stet\0';
/** Statements that identify a transaction or a query of background work, which can run at any time. */
const OF_JOBS = new Set([
  'find_assignment',
  'find_due_crossings',
  'find_organizations_with_news',
  'find_organizations_to_count',
  'lock_insight_cursor',
  'list_organizations_with_held_news',
  'list_organizations_waiting_for_slack',
  'list_slack_sealed_otherwise',
  'list_organizations_with_emergencies',
  'list_organizations_with_endless_tokens',
  'list_organizations_with_failed_sign_ins',
  'make_lost_jobs_again',
  'sweep_webhooks',
  'sweep_piece',
  'find_unsealed_organizations',
  'find_checkpoint_up_to',
  'list_stored_events',
  'insert_checkpoint',
]);

/**
 * A proxy between a server and PostgreSQL that counts round trips. A round trip starts when the client sends something
 * while no response is outstanding. Statements that are pipelined after it belong to the same round trip.
 */
export async function openCountingProxy({ connection, url }: TestDatabase): Promise<CountingProxy> {
  const transactions: { trips: Trip[] }[] = [];
  const sockets = new Set<Socket>();
  let losesCommit = false;
  const proxy = createServer((client) => {
    const server = openSocketTo(connection);
    let isStet = false;
    // PostgreSQL responds to the start of a session as it responds to a statement.
    let outstanding = 1;
    let trip: Trip | null = null;
    let transaction: { trips: Trip[] } | null = null;
    const fromClient = framesOf(true, (type, body) => {
      if (type === '') isStet = body.toString('latin1').includes(APPLICATION);
      if (type === 'B') trip?.push(secondText(body));
      if (type === 'Q') trip?.push(body.toString('utf8', 0, body.length - 1));
      if (type === 'S' || type === 'Q') outstanding += 1;
    });
    const fromServer = framesOf(false, (type, body) => {
      if (type !== 'Z') return;
      outstanding -= 1;
      // 'I' means idle: the transaction has ended.
      if (outstanding === 0 && body[0] === 'I'.charCodeAt(0)) transaction = null;
      if (outstanding === 0) trip = null;
    });
    client.on('data', (data: Buffer) => {
      if (isStet && outstanding === 0 && !trip) {
        trip = [];
        if (!transaction) transactions.push((transaction = { trips: [] }));
        transaction.trips.push(trip);
      }
      fromClient(data);
      server.write(data);
    });
    server.on('data', (data: Buffer) => {
      const isLost = losesCommit && trip?.includes('append_audit') === true && trip.includes('commit');
      fromServer(data);
      if (isLost) {
        if (outstanding > 0) return;
        losesCommit = false;
        client.destroy();
        server.destroy();
        return;
      }
      client.write(data);
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.end();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `postgres://${connection.user}@127.0.0.1:${port}/${new URL(url).pathname.slice(1)}`,
    forget: () => transactions.splice(0),
    trips: () =>
      transactions.filter(({ trips }) => !trips.flat().some((name) => OF_JOBS.has(name))).flatMap(({ trips }) => trips),
    loseNextCommit: () => (losesCommit = true),
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Splits a stream of PostgreSQL's protocol into messages. The first message of a client has no type. */
function framesOf(startsUntyped: boolean, onFrame: (type: string, body: Buffer) => void): (data: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let untyped = startsUntyped;
  return (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const head = untyped ? 0 : 1;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      onFrame(untyped ? '' : String.fromCharCode(rest[0] ?? 0), rest.subarray(head + 4, end));
      rest = rest.subarray(end);
      untyped = false;
    }
  };
}

/** The second NUL-terminated string, which in a Bind message is the statement's name. */
const secondText = (body: Buffer): string => body.toString('utf8').split('\0', 2)[1] ?? '';
