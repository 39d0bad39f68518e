import { AUDIT_SUBJECTS } from '@stet/domain/audit';
import { z } from 'zod';

const present = z.object({ id: z.string(), name: z.string() });
/** Someone who looks at a run. */
export type Present = z.infer<typeof present>;

/** What nodes tell each other; short names, since PostgreSQL carries less than 8000 bytes at once. */
const message = z.discriminatedUnion('t', [
  z.object({
    t: z.literal('changed'),
    org: z.string(),
    subject: z.enum([...AUDIT_SUBJECTS, 'notification']),
    id: z.string(),
  }),
  /** Who looks at a run on one node; `ask` wants to hear the same of the others. */
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

/** Null for what an older or newer node may say and this one doesn't understand. */
export function readMessage(text: string): LiveMessage | null {
  try {
    return message.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
