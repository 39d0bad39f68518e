/** A human being with the mailboxes they can read. The server sees only accounts. */
export type Human = {
  name: string;
  mailboxes: readonly string[];
  /** Honest people act on their own and confirm only people they know. */
  isHonest: boolean;
};

/** An account, as the oracle knows it: with the human who uses it. */
export type Owned = { id: string; email: string; human: Human };

/** The mailbox that receives the mail of an address: what follows a `+` in the local part makes no other mailbox. */
export const deliveredTo = (email: string): string => email.replace(/\+[^@]*@/, '@');

/** The human's own mailbox behind the account, or null if the mail of its address reaches somebody else or nobody. */
export const mailboxOf = ({ email, human }: Owned): string | null =>
  human.mailboxes.find((mailbox) => mailbox === deliveredTo(email)) ?? null;

/** Whether two accounts of one human don't stand on two mailboxes: then no rule may take them for two people. */
export const isOnePerson = (a: Owned, b: Owned): boolean => {
  if (a.human !== b.human) return false;
  const [one, other] = [mailboxOf(a), mailboxOf(b)];
  return one === null || other === null || one === other;
};
