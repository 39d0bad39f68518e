import { z } from 'zod';
import { statement } from '../db/statement.ts';
import type { Deps } from '../kernel/deps.ts';
import { newId } from '../kernel/ids.ts';
import { Unreadable } from '../kernel/vault.ts';

/** A row for who uses a ticket first; what is over is forgotten on the way. */
export const useTicket = statement({
  name: 'use_ticket',
  params: ['id', 'expiresAt'],
  row: z.object({ id: z.uuid() }),
  text: `with forgotten as (delete from used_tickets where expires_at < now() - interval '1 hour')
         insert into used_tickets (id, expires_at) values ($1, $2) on conflict do nothing returning id`,
});

const envelope = z.object({ id: z.uuid(), until: z.number(), said: z.unknown() });

/** What was sealed, with the name and the end by which it is used once: `useTicket`. */
export type Ticket<T> = { id: string; expiresAt: Date; said: T };

/** Seals what a browser carries for us: nobody reads or changes it, any node opens it, and nothing is stored until it is used. */
export function sealTicket(
  { vault }: Pick<Deps, 'vault'>,
  purpose: string,
  said: Record<string, unknown>,
  lifetimeMs: number,
): string {
  return vault.seal(purpose, '', JSON.stringify({ id: newId(), until: Date.now() + lifetimeMs, said }));
}

/** Null for what we didn't seal for this purpose, and when its time is over. It may have been used. */
export function openTicket<T>(
  { vault }: Pick<Deps, 'vault'>,
  purpose: string,
  schema: z.ZodType<T>,
  text: string,
): Ticket<T> | null {
  try {
    const { id, until, said } = envelope.parse(JSON.parse(vault.open(purpose, '', text)));
    return until < Date.now() ? null : { id, expiresAt: new Date(until), said: schema.parse(said) };
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

/** What a ticket says, the first time that it is shown. */
export async function spendTicket<T>(
  deps: Pick<Deps, 'vault' | 'db'>,
  purpose: string,
  schema: z.ZodType<T>,
  text: string,
): Promise<T | null> {
  const ticket = openTicket(deps, purpose, schema, text);
  if (!ticket) return null;
  const [first] = await deps.db.query(useTicket, { id: ticket.id, expiresAt: ticket.expiresAt });
  return first ? ticket.said : null;
}
