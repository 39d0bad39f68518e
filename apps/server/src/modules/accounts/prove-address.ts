import { isFirstHand } from '@stet/domain/access';
import { z } from 'zod';
import { enqueueJobs } from '../../db/outbox.ts';
import { findActor } from '../../http/authenticate.ts';
import type { Handler } from '../../http/handler.ts';
import { type Actor, auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { type Derive, hashOfToken } from '../../kernel/derive.ts';
import type { Deps } from '../../kernel/deps.ts';
import { newId } from '../../kernel/ids.ts';
import { type Mailer, nameInMail } from '../../kernel/mail.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { deleteAddressCode, findAddressCode, proveAccount, saveAddressCode, tryAddressCode } from './accounts.sql.ts';
import { describeUser } from './describe-user.ts';

// Without I, L, O, U, 0 and 1, which are easily misread.
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const LENGTH = 8;

/**
 * Computes the code for a request, which only this installation can do. There are 30^8 codes, and ten attempts at each.
 */
function codeOf(derive: Derive, requestId: string): string {
  return [...derive('address code', requestId)]
    .slice(0, LENGTH)
    .map((byte) => ALPHABET[byte % ALPHABET.length])
    .join('');
}

const hashOfCode = (userId: string, code: string): Buffer => hashOfToken(`${userId}:${code}`);

/** Mails a code to the address of the account. Earlier codes become invalid. */
export const mailAddressCode: Handler<'POST /api/auth/prove-address/code'> = async (deps, { actor }) => {
  const { userId, orgId } = actor;
  if (isFirstHand(actor.standing.provedBy)) throw new Refused({ code: 'already_proved' });
  const id = newId();
  const codeHash = hashOfCode(userId, codeOf(deps.derive, id));
  await deps.db.transaction(orgId ? { orgId, userId, asks: 'session' } : null, async (tx) => {
    tx.write(saveAddressCode, { userId, id, codeHash });
    enqueueJobs(tx, [{ task: 'send_address_code', payload: { userId, id } }]);
  });
  deps.pokeOutbox();
  return answer({ message: whereTheCodeIs(deps, actor) });
};

/** Says where the code is and, without a mail server, how else the person can prove the address. */
function whereTheCodeIs(
  { config, identityProvider }: Pick<Deps, 'config' | 'identityProvider'>,
  { email, standing }: Actor,
): string {
  if (config.smtpUrl) return `We emailed a code to ${email}.`;
  const where = `This installation has no mail server, so the email to ${email} was saved as a file on the server. Ask the server’s administrator for the code.`;
  const signIn = 'sign in through your identity provider';
  // No manager can confirm a founder, whom nobody invited, or has to confirm someone again.
  if (standing.provedBy !== null) return identityProvider ? `${where} You can also ${signIn}.` : where;
  const orSignIn = identityProvider ? `, or you can ${signIn}` : '';
  return `${where} An owner or admin other than the one who invited you can also confirm you${orSignIn}.`;
}

export const proveAddress: Handler<'POST /api/auth/prove-address'> = async (deps, { actor, body }) => {
  const { db } = deps;
  const { userId, orgId, sessionId } = actor;
  if (isFirstHand(actor.standing.provedBy)) throw new Refused({ code: 'already_proved' });
  const code = body.code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  // The attempt is counted in a separate transaction, so that it also counts if the code is refused.
  const [tried] = await db.query(tryAddressCode, { userId, codeHash: hashOfCode(userId, code) });
  if (!tried) throw new Refused({ code: 'code_expired' });
  if (!tried.matches) throw new Refused({ code: 'wrong_code' });
  await db.transaction(orgId ? { orgId, userId, asks: 'session' } : null, async (tx) => {
    tx.write(proveAccount, { userId, provedBy: 'mailbox' });
    tx.write(deleteAddressCode, { userId });
    if (!orgId) return;
    tx.announce([{ subject: 'user', id: userId }]);
    const subject = { type: 'user' as const, id: userId };
    appendAudit(tx, [{ ...auditActor(actor), action: 'account.address_proved', subject, data: { by: 'mailbox' } }]);
  });
  const proved = sessionId && (await findActor(db, sessionId));
  if (!proved) throw new Refused({ code: 'session_ended' });
  return answer(await describeUser(deps, proved));
};

const request = z.object({ userId: z.uuid(), id: z.uuid() });

/** Mails the code, unless it was replaced, used or has expired. */
export async function sendAddressCode(
  { db, derive, publicUrl }: Pick<Deps, 'db' | 'derive' | 'publicUrl'>,
  mailer: Mailer,
  payload: unknown,
): Promise<void> {
  const { userId, id } = request.parse(payload);
  const [account] = await db.query(findAddressCode, { userId, id });
  if (!account) return;
  const code = codeOf(derive, id);
  await mailer.send({
    to: { name: nameInMail(account.name), address: account.email },
    subject: `${code} proves your address on Stet`,
    greeting: `Hello ${nameInMail(account.name)},`,
    paragraphs: ['Enter this code on Stet to prove that this address is yours. It is valid for one hour.'],
    facts: [['Code', code]],
    action: { label: 'Open Stet', url: `${publicUrl}/app/settings/profile` },
    footnote: 'If you didn’t request this code, ignore this email.',
  });
}
