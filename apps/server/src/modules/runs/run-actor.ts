import { hasProvedAddress, isFirstHand } from '@stet/domain/access';
import type { RunActor } from '@stet/domain/runs';
import { auditActor, type OrgActor, peopleOf } from '../../kernel/actor.ts';

/**
 * The actor of a command on a run, with the other people who count as having acted, and the proof of the address. The
 * domain doesn't record the former addresses.
 */
export function runActorOf(actor: OrgActor): RunActor {
  const also = peopleOf(actor).slice(1);
  const { formerEmails } = actor;
  return {
    ...auditActor(actor).actor,
    ...(formerEmails.length > 0 && { formerEmails }),
    ...(also.length > 0 && { also }),
    ...proofOf(actor),
  };
}

function proofOf(actor: OrgActor): Pick<RunActor, 'unproved' | 'sureInviters' | 'vouchedBy'> {
  const { standing } = actor;
  // A personal account has only one member, so separation of duties doesn't apply.
  if (isFirstHand(standing.provedBy) || isPersonalAccount(actor)) return {};
  const { onlyVouchers, sureInviters } = standing;
  if (hasProvedAddress(standing)) return onlyVouchers.length > 0 ? { vouchedBy: onlyVouchers } : {};
  return { unproved: true, ...(sureInviters.length > 0 && { sureInviters }) };
}

export const isPersonalAccount = ({ organization }: OrgActor): boolean => organization?.type === 'individual';
