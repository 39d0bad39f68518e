import { z } from 'zod';

export const id = z.uuid();
/** In seconds. */
export const HOUR = 3600;
/** ISO 8601 in UTC. */
export const moment = z.iso.datetime();
export const person = z.object({ id, name: z.string(), email: z.string() });
/** The field by which a delegate names the delegator. */
export const asDelegateOf = id
  .optional()
  .describe('Acts as the delegate of this person, for whom the action counts too; see POST /api/delegations');
/** The delegator for whom an actor did something. */
export const onBehalfOf = z.object({ id: z.string(), name: z.string(), email: z.string() });
/** A merge or rollback without a review, by an owner who gave a reason. */
export const emergency = z.object({
  by: person,
  at: moment,
  reason: z.string(),
  ratified: z.object({ by: person, at: moment }).nullable(),
  refused: z.object({ by: person, at: moment, reason: z.string().nullable() }).nullable(),
});
export type Emergency = z.infer<typeof emergency>;

/**
 * Names must be a single line, because they appear in email subjects, lists and documents. Characters that change the
 * direction of the following text are refused.
 */
export const oneLine = /^[^\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]*$/u;
export const organizationId = id;

/** Treats "" as absent, because an empty field is sent as "" in a query string. */
export const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .optional()
    .transform((text) => (text === '' ? undefined : text));

/** True if the language tag is well-formed and `Intl` knows the time zone. */
function formatsDates(locale: string, timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat(locale, { timeZone }).format(0) !== '';
  } catch {
    return false;
  }
}

/** How dates are written in a document: for a language (BCP 47) and a time zone (IANA). */
export const dateForm = {
  locale: z
    .string()
    .max(100)
    .refine((locale) => formatsDates(locale, 'UTC'), { error: 'This is not a language tag, such as en-GB' })
    .default('en-GB'),
  timeZone: z
    .string()
    .max(100)
    .refine((timeZone) => formatsDates('en-GB', timeZone), { error: 'This is not a time zone, such as Europe/Berlin' })
    .default('UTC'),
};

/** The body of every refusal. */
export const errorBody = z.object({
  error: z.string().describe('A sentence for people'),
  code: z.string().describe('A code for programs'),
  details: z.array(z.unknown()).optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;

export const message = z.object({ message: z.string() });

/** A comment on a draft, or a note on a run. */
export const commentText = z.string().trim().min(1, 'Please write something first').max(10_000);

/**
 * Members mentioned when the text was written, with positions in UTF-16 code units: `from` inclusive, `to` exclusive.
 */
export const mentions = z.array(z.object({ userId: id, from: z.number().int(), to: z.number().int() }));
