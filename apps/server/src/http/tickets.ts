import { z } from 'zod';
import { statement } from '../db/statement.ts';
import type { Deps } from '../kernel/deps.ts';
import { newId } from '../kernel/ids.ts';
import { Unreadable } from '../kernel/vault.ts';

/**
 * Returns a row only when a ticket is used for the first time. Also deletes tickets that expired more than an hour ago.
 */
export const useTicket = statement({
  name: 'use_ticket',
  params: ['id', 'expiresAt'],
  row: z.object({ id: z.uuid() }),
  text: `with forgotten as (delete from used_tickets where expires_at < now() - interval '1 hour')
         insert into used_tickets (id, expires_at) values ($1, $2) on conflict do nothing returning id`,
});

const envelope = z.object({ id: z.uuid(), until: z.number() });

/** The content of a ticket, with the id and expiry time with which `useTicket` prevents a second use. */
export type Ticket<T> = { id: string; expiresAt: Date; content: T };

/**
 * Encrypts data that a browser will return later. Only the servers of this installation can read or change the data.
 * Nothing is stored until the ticket is used.
 */
export function sealTicket(
  { vault }: Pick<Deps, 'vault'>,
  purpose: string,
  content: Record<string, unknown>,
  lifetimeMs: number,
): string {
  return vault.seal(purpose, '', JSON.stringify({ id: newId(), until: Date.now() + lifetimeMs, content }));
}

/**
 * Returns the content of a ticket, even if the ticket has been used. Null if it has expired, wasn't issued by us for
 * this purpose, or has another form because a server of another release issued it.
 */
export function openTicket<T>(
  { vault }: Pick<Deps, 'vault'>,
  purpose: string,
  schema: z.ZodType<T>,
  text: string,
): Ticket<T> | null {
  try {
    const ticket = envelope.extend({ content: schema }).safeParse(JSON.parse(vault.open(purpose, '', text)));
    if (!ticket.success || ticket.data.until < Date.now()) return null;
    const { id, until, content } = ticket.data;
    return { id, expiresAt: new Date(until), content };
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

/** Returns the content of a ticket, but only on its first use. */
export async function spendTicket<T>(
  deps: Pick<Deps, 'vault' | 'db'>,
  purpose: string,
  schema: z.ZodType<T>,
  text: string,
): Promise<T | null> {
  const ticket = openTicket(deps, purpose, schema, text);
  if (!ticket) return null;
  const [first] = await deps.db.query(useTicket, { id: ticket.id, expiresAt: ticket.expiresAt });
  return first ? ticket.content : null;
}
