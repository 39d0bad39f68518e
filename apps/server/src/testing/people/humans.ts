/** A human being and the mailboxes that they can read. The server sees only accounts. */
export type Human = {
  name: string;
  mailboxes: readonly string[];
  /** Honest people act independently and confirm only people whom they know. */
  isHonest: boolean;
};

/** An account and its human, whom the server doesn't know. */
export type Owned = { id: string; email: string; human: Human };

/** The mailbox that receives mail to an address. A `+` suffix in the local part belongs to the same mailbox. */
export const deliveredTo = (email: string): string => email.replace(/\+[^@]*@/, '@');

/** The mailbox of the account if its human can read it. Null if mail to its address reaches someone else or nobody. */
export const mailboxOf = ({ email, human }: Owned): string | null =>
  human.mailboxes.find((mailbox) => mailbox === deliveredTo(email)) ?? null;

/**
 * True if both accounts belong to one human who can't read a different mailbox for each of them. No rule may count such
 * accounts as two people.
 */
export const isOnePerson = (a: Owned, b: Owned): boolean => {
  if (a.human !== b.human) return false;
  const [one, other] = [mailboxOf(a), mailboxOf(b)];
  return one === null || other === null || one === other;
};
