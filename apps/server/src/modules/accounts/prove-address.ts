import { isFirstHand } from '@stet/domain/access';
import { z } from 'zod';
import { appendAudit } from '../../db/append-audit.ts';
import { leaveJobs } from '../../db/outbox.ts';
import { findActor } from '../../http/authenticate.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { type Derive, hashOfToken } from '../../kernel/derive.ts';
import type { Deps } from '../../kernel/deps.ts';
import { newId } from '../../kernel/ids.ts';
import type { Mailer } from '../../kernel/mail.ts';
import { Refused } from '../../kernel/refused.ts';
import { deleteAddressCode, findAddressCode, proveAccount, saveAddressCode, tryAddressCode } from './accounts.sql.ts';
import { presentUser } from './user.presenter.ts';

// Without letters and digits that look alike.
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const LENGTH = 8;

/** The code of a request, which only this installation can compute: 30 to the power of 8 of them, each tried ten times at most. */
function codeOf(derive: Derive, requestId: string): string {
  return [...derive('address code', requestId)]
    .slice(0, LENGTH)
    .map((byte) => ALPHABET[byte % ALPHABET.length])
    .join('');
}

const hashOfCode = (userId: string, code: string): Buffer => hashOfToken(`${userId}:${code}`);

/** Mails a code to the account's address; one that was mailed before opens nothing any more. */
export const mailAddressCode: Handler<'POST /api/auth/prove-address/code'> = async (deps, { actor }) => {
  const { userId, orgId } = actor;
  if (isFirstHand(actor.standing.provedBy)) throw new Refused({ code: 'already_proved' });
  const id = newId();
  const codeHash = hashOfCode(userId, codeOf(deps.derive, id));
  await deps.db.transaction(orgId ? { orgId, userId, asks: 'session' } : null, async (tx) => {
    tx.write(saveAddressCode, { userId, id, codeHash });
    leaveJobs(tx, [{ task: 'send_address_code', payload: { userId, id } }]);
  });
  deps.pokeOutbox();
  return answer({ message: `We mailed a code to ${actor.email}.` });
};

/** Proves the account's address by the code that was mailed to it. */
export const proveAddress: Handler<'POST /api/auth/prove-address'> = async ({ db }, { actor, body }) => {
  const { userId, orgId, sessionId } = actor;
  if (isFirstHand(actor.standing.provedBy)) throw new Refused({ code: 'already_proved' });
  const code = body.code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  // By itself, so that an attempt counts although it is refused.
  const [tried] = await db.query(tryAddressCode, { userId, codeHash: hashOfCode(userId, code) });
  if (!tried) throw new Refused({ code: 'code_expired' });
  if (!tried.matches) throw new Refused({ code: 'wrong_code' });
  await db.transaction(orgId ? { orgId, userId, asks: 'session' } : null, async (tx) => {
    tx.write(proveAccount, { userId, provedBy: 'mailbox' });
    tx.write(deleteAddressCode, { userId });
    if (!orgId) return;
    tx.announce([{ subject: 'user', id: userId }]);
    const subject = { type: 'user' as const, id: userId };
    appendAudit(tx, [{ ...by(actor), action: 'account.address_proved', subject, data: { by: 'mailbox' } }]);
  });
  const proved = sessionId && (await findActor(db, sessionId));
  if (!proved) throw new Refused({ code: 'session_ended' });
  return answer(presentUser(proved));
};

const request = z.object({ userId: z.uuid(), id: z.uuid() });

/** Mails the code, unless another took its place since. */
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
    to: { name: account.name, address: account.email },
    subject: `${code} proves your address on Stet`,
    greeting: `Hello ${account.name},`,
    paragraphs: ['Enter this code on Stet to prove that this address is yours. It is good for an hour.'],
    facts: [['Code', code]],
    action: { label: 'Open Stet', url: `${publicUrl}/app/settings/profile` },
    footnote: 'If you did not ask for it, you need not do anything.',
  });
}
