/** A human being with the mailboxes they can read. The server sees only accounts. */
export type Human = {
  name: string;
  mailboxes: readonly string[];
  /** Honest people act independently and confirm only people they know. */
  isHonest: boolean;
};

/** An account with its human, as the oracle knows it. */
export type Owned = { id: string; email: string; human: Human };

/** The mailbox that receives the mail of an address: a `+` suffix in the local part doesn't make another mailbox. */
export const deliveredTo = (email: string): string => email.replace(/\+[^@]*@/, '@');

/** The human's own mailbox behind the account, or null if mail to its address reaches someone else or nobody. */
export const mailboxOf = ({ email, human }: Owned): string | null =>
  human.mailboxes.find((mailbox) => mailbox === deliveredTo(email)) ?? null;

/** True if two accounts of one human don't have two different mailboxes: then no rule may count them as two people. */
export const isOnePerson = (a: Owned, b: Owned): boolean => {
  if (a.human !== b.human) return false;
  const [one, other] = [mailboxOf(a), mailboxOf(b)];
  return one === null || other === null || one === other;
};
