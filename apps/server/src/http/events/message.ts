import { AUDIT_SUBJECTS } from '@stet/domain/audit';
import { z } from 'zod';

const present = z.object({ id: z.string(), name: z.string() });
/** A person who is viewing a run or a draft. */
export type Present = z.infer<typeof present>;

/** Messages between nodes. Field names are short, because a PostgreSQL notification has less than 8000 bytes. */
const message = z.discriminatedUnion('t', [
  z.object({
    t: z.literal('changed'),
    org: z.string(),
    subject: z.enum([...AUDIT_SUBJECTS, 'notification']),
    id: z.string(),
  }),
  /** The viewers of a run or draft on one node. If `ask` is set, the other nodes send theirs. */
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

export const writeMessage = (content: LiveMessage): string => JSON.stringify(content);

/** Parses a message. Returns null for one that this node doesn't know, for example from a node of another release. */
export function readMessage(text: string): LiveMessage | null {
  try {
    return message.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
