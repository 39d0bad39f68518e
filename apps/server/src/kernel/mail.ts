/** What a mail says; how it looks is the mail adapter's business. */
export type Letter = {
  /** The same for a letter that is sent again; it becomes part of the Message-ID. */
  id?: string;
  to: { name: string; address: string };
  subject: string;
  greeting: string;
  paragraphs: readonly string[];
  /** Labelled values, such as a role and an expiry date. */
  facts?: readonly (readonly [label: string, value: string])[];
  /** What it tells one by one, each with a page to open. */
  items?: readonly { title: string; body: string; url: string }[];
  action: { label: string; url: string };
  /** Why it came, and what to do where it wasn't expected. */
  footnote: string;
};

/** Whether an address was refused in a way that no further try will change: an SMTP answer from 500 on. */
export const isRefusedForGood = (error: unknown): boolean => {
  const code = (error as { responseCode?: unknown } | null)?.responseCode;
  return typeof code === 'number' && code >= 500;
};

export type Mailer = {
  /** Rejects where the mail was not taken; the job that sends it is then tried again. */
  send: (letter: Letter) => Promise<void>;
  /** The work of a mail without the mail: how busy the server is must not tell whom it writes to. */
  rehearse: (letter: Letter) => Promise<void>;
  close: () => void;
};
