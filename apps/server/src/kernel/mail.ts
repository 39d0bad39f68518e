/** The content of an email. The mail adapter lays it out. */
export type Letter = {
  /** Identifies the letter, also if it is sent again. It is part of the Message-ID. */
  id?: string;
  to: { name: string; address: string };
  subject: string;
  greeting: string;
  paragraphs: readonly string[];
  /** Labeled values, for example a role and an expiry date. */
  facts?: readonly (readonly [label: string, value: string])[];
  /** A list of entries, each with the URL of its page. */
  items?: readonly { title: string; body: string; url: string }[];
  action: { label: string; url: string };
  /** The reason why the person gets the email, and advice if they don't expect it. */
  footnote: string;
};

/**
 * Changes a user-chosen name so that emails can show it. Mail programs turn anything that looks like an address into a
 * link, and a stranger may have chosen the name. For example, `evil.example` becomes `evil[.]example`, and `https://`
 * becomes `https[:]//`.
 */
export const nameInMail = (text: string): string =>
  text.replaceAll(/:(?=\/\/)/g, '[:]').replaceAll(/(?<=www)\.|(?<=[\p{L}\p{N}_-])[.。．｡](?=\p{L}{2})/giu, '[.]');

/**
 * True if the mail server refused an email permanently (SMTP reply code 500 or higher), for example because of its
 * address.
 */
export const isRefusedForGood = (error: unknown): boolean => {
  const code = (error as { responseCode?: unknown } | null)?.responseCode;
  return typeof code === 'number' && code >= 500;
};

export type Mailer = {
  /** Rejects if the email was not accepted. */
  send: (letter: Letter) => Promise<void>;
  /**
   * Does the same work without sending anything, so that the server's load doesn't reveal whether an email was sent.
   */
  rehearse: (letter: Letter) => Promise<void>;
  close: () => void;
};
