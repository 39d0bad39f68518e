import { expect, it } from 'vitest';
import { chanceOf } from '../governance/random.ts';
import type { Client, TestServer } from '../server.ts';
import { Board, type Seat } from './board.ts';
import type { MailRoom } from './mail-room.ts';
import { PeopleOracle } from './oracle.ts';

it('counts each call once, even if it was repeated or is counted under several names', async () => {
  const statuses = [200, 401, 200, 403];
  const client = {
    call: async () => ({ status: statuses.shift() ?? 500, body: {}, headers: new Headers() }),
  } as unknown as Client;
  const human = { name: 'Hana', mailboxes: ['hana@honest.example'], isHonest: true };
  const seat = { id: 'hana', email: 'hana@honest.example', human, client, isFace: true } as unknown as Seat;
  const server = { sql: async () => [] } as unknown as TestServer;
  const board = new Board(server, {} as MailRoom, [seat], new PeopleOracle([seat], [seat.id]), chanceOf(1));
  board.move = 'found';
  await board.call(seat, 'POST', '/api/organizations');
  board.judge({ kind: 'founded', by: seat.id });
  board.move = 'submit';
  // The first response is that the session has ended.
  await board.call(seat, 'POST', '/api/workflows/flow/drafts/d/submit');
  await board.call(seat, 'POST', '/api/workflows/flow/drafts/d/submit');
  expect(board.totals).toEqual({ tried: 3, granted: 2 });
  expect(board.counts).toEqual({
    found: { tried: 1, granted: 1 },
    founded: { tried: 1, granted: 1 },
    submit: { tried: 2, granted: 1 },
  });
});
