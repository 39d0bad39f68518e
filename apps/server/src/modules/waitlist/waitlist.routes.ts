import type { Handlers } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { findWaitlistSize, joinWaitlist, saveApplication } from './waitlist.sql.ts';

/** The waitlist belongs to the installation and not to an organization, so it isn't recorded in an audit trail. */
export const waitlistHandlers = {
  'POST /api/waitlist/signup': async ({ db }, { body }) => {
    await db.query(joinWaitlist, body);
    return answer({ message: "You're on the list!" });
  },
  'GET /api/waitlist/count': async ({ db }) => {
    const [size] = await db.query(findWaitlistSize, {});
    return answer({ count: size?.count ?? 0 });
  },
  'POST /api/waitlist/priority-application': async ({ db }, { body }) => {
    await db.query(saveApplication, body);
    return answer({ message: 'Thank you!' });
  },
} satisfies Partial<Handlers>;
