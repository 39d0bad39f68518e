import type { OrgRole } from '@stet/domain/access';
import { INVITATION_MINUTES } from '@stet/domain/defaults';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

const openFor = `interval '${INVITATION_MINUTES} minutes'`;
const pending = 'accepted_at is null and revoked_at is null';

/** A pending invitation with its sender. `expired` is computed with the database's clock. */
const invitationRow = z.object({
  id: z.uuid(),
  email: z.string(),
  role: z.custom<OrgRole>(),
  generation: z.number(),
  created_at: z.date(),
  expires_at: z.date(),
  expired: z.boolean(),
  inviter_id: z.uuid(),
  inviter_name: z.string(),
  inviter_email: z.string(),
  org_name: z.string(),
});
export type InvitationRow = z.output<typeof invitationRow>;

const selectInvitation = `
  select i.id, i.email, i.role, i.generation, i.created_at, i.expires_at, i.expires_at <= now() as expired,
         u.id as inviter_id, u.name as inviter_name, u.email as inviter_email, o.name as org_name
  from invitations i join users u on u.id = i.invited_by join organizations o on o.id = i.org_id
  where i.org_id = $1 and i.accepted_at is null and i.revoked_at is null`;

export const listInvitations = statement({
  name: 'list_invitations',
  params: ['orgId'],
  row: invitationRow,
  text: `${selectInvitation} order by i.created_at desc, i.id desc limit 1000`,
});

export const findPendingInvitation = statement({
  name: 'find_pending_invitation',
  params: ['orgId', 'id'],
  row: invitationRow,
  text: `${selectInvitation} and i.id = $2`,
});

/**
 * Locks the organization, so that its invitations are changed one at a time, and nobody can join while a decision
 * depends on the members.
 */
export const lockInviter = statement({
  name: 'lock_inviting_organization',
  params: ['orgId'],
  row: z.object({ type: z.enum(['individual', 'team']) }),
  text: `select type from organizations where id = $1 for no key update`,
});

/** How often the invitations whose last sender is this person were sent, in all organizations and by all senders. */
export const countInvitations = statement({
  name: 'count_invitations',
  params: ['userId'],
  row: z.object({ sent: z.number() }),
  text: `select invitations_sent_by($1) as sent`,
});

/** Finds whether an address belongs to a member, and the id of its pending invitation. */
export const findInvited = statement({
  name: 'find_invited',
  params: ['orgId', 'email'],
  row: z.object({ is_member: z.boolean(), pending_id: z.uuid().nullable() }),
  text: `select exists (select from memberships m join users u on u.id = m.user_id where m.org_id = $1 and u.email = current_address($2)) as is_member,
                (select id from invitations where org_id = $1 and email = $2 and ${pending}) as pending_id`,
});

/** Also stores who is behind the sender, because that can't be determined once the sender is removed. */
export const insertInvitation = statement({
  name: 'insert_invitation',
  params: ['orgId', 'id', 'email', 'role', 'tokenHash', 'mailTokenHash', 'invitedBy'],
  row: z.object({ created_at: z.date(), expires_at: z.date() }),
  text: `insert into invitations
           (org_id, id, email, role, token_hash, mail_token_hash, invited_by, link_is_private, expires_at, possible_inviters, sure_inviters)
         values ($1, $2, $3, $4, $5, $6, $7, true, now() + ${openFor}, possible_senders($1, $7), sure_senders($1, $7))
         returning created_at, expires_at`,
});

/**
 * Gives an invitation new links and a new expiry time, and makes the actor its sender. The old links become invalid,
 * because their hashes are overwritten. The earlier senders remain known, with the people who were behind them.
 */
export const renewInvitation = statement({
  name: 'renew_invitation',
  params: ['orgId', 'id', 'generation', 'tokenHash', 'mailTokenHash', 'invitedBy'],
  row: z.object({ expires_at: z.date() }),
  text: `update invitations set generation = $3, token_hash = $4, mail_token_hash = $5, expires_at = now() + ${openFor},
           earlier_inviters = case when invited_by = $6 then earlier_inviters else earlier_inviters - $6::uuid::text
             || jsonb_build_object(invited_by, jsonb_build_object('possible', possible_inviters, 'sure', sure_inviters)) end,
           invited_by = $6,
           possible_inviters = possible_senders($1, $6),
           sure_inviters = sure_senders($1, $6),
           link_is_private = true
         where org_id = $1 and id = $2 and generation = $3 - 1 and ${pending} returning expires_at`,
});

export const revokeInvitation = statement({
  name: 'revoke_invitation',
  params: ['orgId', 'id'],
  row: z.object({ email: z.string(), role: z.string() }),
  text: `update invitations set revoked_at = now() where org_id = $1 and id = $2 and ${pending} returning email, role`,
});

export const revokeInvitationsOfSender = statement({
  name: 'revoke_invitations_of_sender',
  params: ['orgId', 'senderId'],
  row: z.object({ id: z.uuid(), email: z.string(), role: z.custom<OrgRole>() }),
  text: `update invitations set revoked_at = now() where org_id = $1 and invited_by = $2 and ${pending} returning id, email, role`,
});

/**
 * Revokes a sender's pending invitations in all organizations except those that are being deleted, where nothing can be
 * recorded. Used when the administrator disables the account, or enables one whose invitations were never revoked.
 */
export const revokeInvitationsOfAccount = statement({
  name: 'revoke_invitations_of_account',
  params: ['senderId'],
  row: z.object({ org_id: z.uuid(), id: z.uuid(), email: z.string(), role: z.custom<OrgRole>() }),
  text: `update invitations set revoked_at = now() where invited_by = $1 and ${pending} and not has_ended(org_id)
         returning org_id, id, email, role`,
});

/** Finds an invitation by the hash of the token in a link. The tenant isn't known yet. */
export const findInvitation = statement({
  name: 'find_invitation',
  params: ['tokenHash'],
  row: z.object({
    org_id: z.uuid(),
    id: z.uuid(),
    email: z.string(),
    role: z.custom<OrgRole>(),
    org_name: z.string(),
    org_slug: z.string().nullable(),
    expires_at: z.date(),
    /** True if this is the mailed link. The person who opens it can read the mailbox. */
    mailed: z.boolean(),
  }),
  text: `select org_id, id, email, role, org_name, org_slug, expires_at, mailed from find_invitation($1)`,
});

/**
 * Marks the invitation as used. If there are two concurrent requests, the second one waits and then finds no row. An
 * invitation by a disabled account can't be used, even if an earlier release disabled it without revoking invitations.
 */
export const useInvitation = statement({
  name: 'use_invitation',
  params: ['orgId', 'id', 'tokenHash', 'userId'],
  row: z.object({
    role: z.custom<OrgRole>(),
    invited_by: z.uuid(),
    inviter_name: z.string(),
    link_is_private: z.boolean(),
  }),
  text: `update invitations set accepted_at = now(), accepted_by = $4
         where org_id = $1 and id = $2 and (token_hash = $3 or mail_token_hash = $3) and ${pending} and expires_at > now()
           and not exists (select from users u where u.id = invited_by and u.disabled_at is not null)
         returning role, invited_by, link_is_private, (select u.name from users u where u.id = invited_by) as inviter_name`,
});

/** The minimum password length for members of the organization. */
export const findPasswordMinimum = statement({
  name: 'find_password_minimum',
  params: ['orgId'],
  row: z.object({ minimum: z.number() }),
  text: `select password_minimum(null, $1) as minimum`,
});

export const emailHasAccount = statement({
  name: 'email_has_account',
  params: ['email'],
  row: z.object({ id: z.uuid() }),
  text: `select id from users where email = current_address($1)`,
});

export const insertInvitedUser = statement({
  name: 'insert_invited_user',
  params: ['id', 'email', 'name', 'role', 'passwordHash', 'orgId', 'provedBy'],
  text: `insert into users (id, email, name, role, password_hash, current_org_id, proved_by, proved_at)
         values ($1, $2, $3, $4, $5, $6, $7, case when $7::text is not null then now() end)`,
});

/** Returns no row if the person was already a member. */
export const insertInvitedMember = statement({
  name: 'insert_invited_member',
  params: ['orgId', 'userId', 'role', 'invitedBy', 'linkWasPrivate'],
  row: z.object({ user_id: z.uuid() }),
  text: `insert into memberships (org_id, user_id, role, invited_by, given_by, link_was_private) values ($1, $2, $3, $4, $4, $5)
         on conflict do nothing returning user_id`,
});

export const selectJoined = statement({
  name: 'select_joined_organization',
  params: ['orgId', 'userId'],
  text: `update users set current_org_id = $1 where id = $2`,
});
