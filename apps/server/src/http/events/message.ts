import { AUDIT_SUBJECTS } from '@stet/domain/audit';
import { z } from 'zod';

const present = z.object({ id: z.string(), name: z.string() });
/** A person viewing a run. */
export type Present = z.infer<typeof present>;

/** Messages between nodes. Names are short because a PostgreSQL notification is limited to 8000 bytes. */
const message = z.discriminatedUnion('t', [
  z.object({
    t: z.literal('changed'),
    org: z.string(),
    subject: z.enum([...AUDIT_SUBJECTS, 'notification']),
    id: z.string(),
  }),
  /** The viewers of a run on one node; `ask` requests them from the other nodes. */
  z.object({
    t: z.literal('present'),
    node: z.string(),
    org: z.string(),
    run: z.string(),
    people: z.array(present),
    ask: z.boolean(),
  }),
]);
export type LiveMessage = z.infer<typeof message>;

export const writeMessage = (said: LiveMessage): string => JSON.stringify(said);

/** Null for a message from an older or newer node that this one doesn't understand. */
export function readMessage(text: string): LiveMessage | null {
  try {
    return message.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
