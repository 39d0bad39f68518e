/** The content of a mail; the mail adapter does the layout. */
export type Letter = {
  /** The same whenever this letter is sent again; part of the Message-ID. */
  id?: string;
  to: { name: string; address: string };
  subject: string;
  greeting: string;
  paragraphs: readonly string[];
  /** Labelled values, for example a role and an expiry date. */
  facts?: readonly (readonly [label: string, value: string])[];
  /** A list of entries, each with a page to open. */
  items?: readonly { title: string; body: string; url: string }[];
  action: { label: string; url: string };
  /** Why the mail was sent, and what to do if it is unexpected. */
  footnote: string;
};

/**
 * A user-chosen name as shown in a mail. Mail programs turn anything that looks like an address into a link, and a
 * stranger may have chosen the name: `evil.example` becomes `evil[.]example`, `https://` becomes `https[:]//`.
 */
export const nameInMail = (text: string): string =>
  text.replaceAll(/:(?=\/\/)/g, '[:]').replaceAll(/(?<=www)\.|(?<=[\p{L}\p{N}_-])[.。．｡](?=\p{L}{2})/giu, '[.]');

/** Whether an address was refused permanently: an SMTP reply code from 500 on. */
export const isRefusedForGood = (error: unknown): boolean => {
  const code = (error as { responseCode?: unknown } | null)?.responseCode;
  return typeof code === 'number' && code >= 500;
};

export type Mailer = {
  /** Rejects if the mail was not accepted; its job is then retried. */
  send: (letter: Letter) => Promise<void>;
  /** Does the same work without sending, so that the server's load doesn't reveal whether it mails someone. */
  rehearse: (letter: Letter) => Promise<void>;
  close: () => void;
};
