import { z } from 'zod';
import { statement } from '../../../db/statement.ts';

/**
 * Finds the account that is connected to an identity. If there is none, finds the account with the identity's address,
 * which isn't connected to the identity yet.
 */
export const findByIdentity = statement({
  name: 'find_by_identity',
  params: ['issuer', 'subject', 'email'],
  row: z.object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    connected: z.boolean(),
    /** True if another identity of this provider is already connected to the account. */
    taken: z.boolean(),
  }),
  text: `select u.id, u.email, u.name, i.user_id is not null as connected,
                exists (select from identities o where o.user_id = u.id and o.issuer = $1 and o.subject <> $2) as taken
         from users u left join identities i on i.user_id = u.id and i.issuer = $1 and i.subject = $2
         where u.id = (select user_id from identities where issuer = $1 and subject = $2) or u.email = $3
         order by connected desc limit 1`,
});

/** Connects the identity to a new account. Fails if it is already connected to another account. */
export const insertIdentity = statement({
  name: 'insert_identity',
  params: ['issuer', 'subject', 'userId', 'email'],
  text: `insert into identities (issuer, subject, user_id, email) values ($1, $2, $3, $4)`,
});

/**
 * Returns a row if the identity is now connected to this person, and none if it is already connected to someone else.
 */
export const connectIdentity = statement({
  name: 'connect_identity',
  params: ['issuer', 'subject', 'userId', 'email'],
  row: z.object({ user_id: z.uuid() }),
  text: `insert into identities as i (issuer, subject, user_id, email) values ($1, $2, $3, $4)
         on conflict (issuer, subject) do update set email = excluded.email where i.user_id = excluded.user_id
         returning user_id`,
});
