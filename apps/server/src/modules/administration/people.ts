import type { AuditRecord } from '@stet/domain/audit';
import { enqueueJobs } from '../../db/outbox.ts';
import type { Tx } from '../../kernel/database.ts';
import type { Administration } from '../../kernel/deps.ts';
import { newId } from '../../kernel/ids.ts';
import type { RecordedEvent } from '../../kernel/recorded-event.ts';
import { closeResets, endOtherSessions } from '../accounts/index.ts';
import { endPersonalTokens } from '../api-tokens/index.ts';
import { appendAudit, appendInEach } from '../audit/index.ts';
import { revokeInvitationsOfDisabled } from '../invitations/index.ts';
import { releaseHeld } from '../runs/index.ts';
import { listOrganizationsOf, setDisabled } from './people.sql.ts';

/** An account. `orgId` is its selected organization, null if it has none. */
export type Account = { id: string; email: string; name: string; orgId: string | null; isDisabled: boolean };

/** Who acts: the system for a command, or a person in the browser. */
export type By = AuditRecord['actor'];

const BY = { by: 'administrator' };

/** Ends all sessions of a person, with an event in the trail of their selected organization, if they have one. */
export async function endSessions({ db }: Administration, { id, orgId }: Account, actor: By): Promise<void> {
  await db.transaction(orgId === null ? null : { orgId, userId: null }, async (tx) => {
    tx.write(endOtherSessions, { userId: id, exceptId: null });
    if (orgId === null) return;
    const subject = { type: 'user' as const, id };
    appendAudit(tx, [{ actor, action: 'session.signed_out', subject, data: { sessions: 'all', ...BY } }]);
  });
}

/** Emails a link for setting a new password. The job that sends it records the event. */
export async function sendResetLink({ db }: Administration, { email }: Account, actor: By): Promise<void> {
  await db.transaction(null, async (tx) => {
    const administrator = actor.kind === 'user' ? { administrator: actor } : {};
    enqueueJobs(tx, [{ task: 'send_password_reset', payload: { requestId: newId(), email, ...BY, ...administrator } }]);
  });
}

/**
 * Disables an account, or enables it again, with an event in the trail of each of its organizations. Disabling ends its
 * sessions, open password reset links and personal tokens, revokes its sent invitations, and releases the steps that its
 * person has, as when a member is removed. In an organization that ends, the steps stay as they are, because its runs
 * can't change any more. Enabling revokes invitations that are left. Returns false if the account is already in this state.
 */
export async function changeDisabled(
  { ownerDb }: Administration,
  { id, email, name }: Account,
  { isDisabled, actor }: { isDisabled: boolean; actor: By },
): Promise<boolean> {
  const eventWith = (revokedInvitations: readonly { email: string }[]): RecordedEvent => ({
    actor,
    action: isDisabled ? 'account.disabled' : 'account.enabled',
    subject: { type: 'user', id },
    data: { email, ...BY },
    context: { name, revokedInvitations },
  });
  const change = async (tx: Tx): Promise<boolean> => {
    const saveReleased = new Map<string, Awaited<ReturnType<typeof releaseHeld>>>();
    const release = async (organizations: readonly { org_id: string; is_ending: boolean }[]): Promise<void> => {
      const by = { ...actor, email: actor.email ?? '' };
      for (const { org_id: orgId, is_ending: isEnding } of organizations) {
        if (isEnding || saveReleased.has(orgId)) continue;
        const because = 'account_disabled';
        saveReleased.set(orgId, await releaseHeld(tx, { orgId, by, sessionId: null }, { userId: id, because }));
      }
    };
    // Locks first the memberships and then the runs, as claims and removals do (`releaseHeld` locks both), and then the
    // account, as the check of permissions at the commit locks the membership before the account. Disabling the account
    // also changes tasks of runs, and an action on a run locks the run before its tasks.
    if (isDisabled) await release(await tx.many(listOrganizationsOf, { userId: id }));
    const changed = await tx.maybeOne(setDisabled, { userId: id, isDisabled });
    if (!changed) return false;
    // Reads the memberships again. One that begins later belongs to an account that can't act.
    const organizations = await tx.many(listOrganizationsOf, { userId: id });
    if (isDisabled) await release(organizations);
    // Also when the account is enabled, because earlier versions didn't revoke them when they disabled it.
    const revoked = await revokeInvitationsOfDisabled(tx, id, actor);
    const events = new Map<string, RecordedEvent[]>();
    for (const { orgId, record } of revoked) events.set(orgId, [...(events.get(orgId) ?? []), record]);
    for (const { org_id: orgId } of organizations)
      events.set(orgId, [eventWith(revoked.filter((each) => each.orgId === orgId)), ...(events.get(orgId) ?? [])]);
    if (isDisabled) {
      tx.write(closeResets, { userId: id });
      tx.write(endOtherSessions, { userId: id, exceptId: null });
      endPersonalTokens(tx, id, 'account_disabled');
    }
    appendInEach(tx, events, (inside, orgId) => saveReleased.get(orgId)?.(name, inside));
    return true;
  };
  // Some changes lock a run or an invitation before the membership, because they check permissions at the commit. If
  // this leads to a deadlock, the transaction is repeated.
  return ownerDb.transaction(null, change, { isRepeatable: true });
}
