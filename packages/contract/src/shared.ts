import { z } from 'zod';

export const id = z.uuid();
/** Seconds. */
export const HOUR = 3600;
/** Moments are ISO 8601 in UTC. */
export const moment = z.iso.datetime();
export const person = z.object({ id, name: z.string(), email: z.string() });
/** One merge or rollback past the review, by an owner with a reason. */
export const emergency = z.object({
  by: person,
  at: moment,
  reason: z.string(),
  ratified: z.object({ by: person, at: moment }).nullable(),
  refused: z.object({ by: person, at: moment, reason: z.string().nullable() }).nullable(),
});
export type Emergency = z.infer<typeof emergency>;

/**
 * Names are one line, for they stand in subjects of mails, in lists and in documents, and have no characters that turn
 * the direction of what is shown after them.
 */
export const oneLine = /^[^\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]*$/u;
export const organizationId = id;

/** Reads "" as absent, as query strings write it. */
export const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .optional()
    .transform((text) => (text === '' ? undefined : text));

/** Every refusal (rulings, section 9). */
export const errorBody = z.object({
  error: z.string().describe('A sentence for a person'),
  code: z.string().describe('A word for a program'),
  details: z.array(z.unknown()).optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;

export const message = z.object({ message: z.string() });
