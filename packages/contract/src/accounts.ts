import { ORG_ROLES, PERMISSION_NAMES, PROOFS, ROLES, canonicalEmail, isOrganizationSlug } from '@stet/domain/access';
import { PASSWORD_MINIMUM, PASSWORD_TOO_SHORT } from '@stet/domain/defaults';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { HOUR, id, message, moment, oneLine } from './shared.ts';

const INVALID_EMAIL = 'Please enter a valid email address';

// An unquoted address can't contain the characters that separate addresses in a mail header.
export const typedEmail = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, 'Email is required')
  .max(254)
  .regex(/^[^\s@,;:<>()[\]\\"\p{Cc}]+@[^\s@.,;:<>()[\]\\"\p{Cc}]+(?:\.[^\s@.,;:<>()[\]\\"\p{Cc}]+)+$/u, INVALID_EMAIL);
/** An address in its canonical spelling. */
export const email = typedEmail
  .refine((text) => canonicalEmail(text) !== null, INVALID_EMAIL)
  .overwrite((text) => canonicalEmail(text) ?? text);
export const password = z
  .string()
  .min(PASSWORD_MINIMUM, PASSWORD_TOO_SHORT)
  .max(200, 'Password must be at most 200 characters long');
const ONE_LINE = 'A name must be a single line';
/**
 * Refuses web addresses in names, because emails to strangers contain names, and email clients turn web addresses into
 * links. `Booking.com` is allowed, because it is also a name.
 */
const hasNoAddress = (name: string): boolean => !/:\/\/|(?:^|[^\p{L}\p{N}])www\.|\.\p{L}{2,}[/?#]/iu.test(name);
const NO_ADDRESS = "A name can't contain a web address";
export const fullName = z
  .string()
  .trim()
  .min(1, 'Full name is required')
  .max(120)
  .regex(oneLine, ONE_LINE)
  .refine(hasNoAddress, NO_ADDRESS);
export const organizationName = z
  .string()
  .trim()
  .min(1, 'Organization name is required')
  .max(120)
  .regex(oneLine, ONE_LINE)
  .refine(hasNoAddress, NO_ADDRESS);
export const organizationSlug = z
  .string()
  .refine(isOrganizationSlug, 'Use only lowercase letters, digits and hyphens, at most 30 characters');

/** The signed-in user (specification, section 3). */
export const user = z.object({
  id,
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  currentOrgId: id.nullable(),
  orgRole: z.enum(ORG_ROLES).nullable(),
  orgPermissions: z.array(z.enum(PERMISSION_NAMES)),
  /** How the account was proved in the selected organization; null if it isn't proved. */
  provedBy: z.enum(PROOFS).nullable(),
  /** Permissions of the role that the account lacks until it is proved. */
  withheldPermissions: z.array(z.enum(PERMISSION_NAMES)),
  organizations: z.array(
    z.object({
      id,
      name: z.string(),
      type: z.enum(['individual', 'team']),
      slug: z.string().nullable(),
      role: z.enum(ORG_ROLES),
      /** When all data of the organization is deleted; present only if it ends. */
      endsAt: moment.optional(),
    }),
  ),
  /** Present for administrators of the installation. */
  isInstallationAdmin: z.literal(true).optional(),
  customRoleId: z.null(),
});
export type User = z.infer<typeof user>;

/** Older clients send `individual` and `team` for `personal` and `organization`. */
const accountType = z.preprocess(
  (value) => (value === 'individual' ? 'personal' : value === 'team' ? 'organization' : value),
  z.enum(['personal', 'organization']).default('personal'),
);

const signup = z
  .strictObject({
    email,
    name: fullName,
    password,
    role: z.enum(ROLES).default('editor'),
    accountType,
    organizationName: z.string().trim().max(120).regex(oneLine, ONE_LINE).refine(hasNoAddress, NO_ADDRESS).optional(),
    organizationSlug: z.string().trim().max(30).optional(),
  })
  .superRefine((body, context) => {
    if (body.accountType !== 'organization') return;
    if (!body.organizationName || !body.organizationSlug) {
      context.addIssue({
        code: 'custom',
        path: [body.organizationName ? 'organizationSlug' : 'organizationName'],
        message: 'Organization name and URL are required for organization accounts',
      });
      return;
    }
    const slug = organizationSlug.safeParse(body.organizationSlug);
    if (!slug.success) {
      context.addIssue({
        code: 'custom',
        path: ['organizationSlug'],
        message: slug.error.issues[0]?.message ?? 'Invalid',
      });
    }
  });

export const signedIn = z.object({ token: z.string(), user });

export const accountRoutes = {
  'POST /api/auth/signup': {
    access: 'public',
    summary: 'Create an account and its organization',
    body: signup,
    rateLimit: { name: 'signup', perAddress: 60, perAccount: 10, windowSeconds: HOUR },
    ok: signedIn,
    status: 201,
  },
  'POST /api/auth/login': {
    access: 'public',
    summary: 'Sign in',
    // The format isn't checked, because a malformed address must get the same answer as a wrong password.
    body: z.strictObject({ email: z.string().max(320), password: z.string().max(1000) }),
    // The limit per IP address is generous, because everyone in an office may sign in at nine from the same one.
    rateLimit: { name: 'login', perAddress: 150, perAccount: 15, windowSeconds: HOUR / 4 },
    ok: signedIn,
  },
  'POST /api/auth/logout': { access: 'session', summary: 'End this session', ok: message },
  'GET /api/auth/me': { access: 'session', tokens: 'any', summary: 'The signed-in user', ok: user },
  'POST /api/auth/prove-address/code': {
    access: 'session',
    summary: 'Email a code to the account’s address',
    ok: message,
    rateLimit: { name: 'address-code', perAddress: 60, perAccount: 5, windowSeconds: HOUR },
  },
  'POST /api/auth/prove-address': {
    access: 'session',
    summary: 'Prove the account’s address with the emailed code',
    body: z.strictObject({ code: z.string().trim().min(1, 'Enter the code from the email').max(40) }),
    ok: user,
    rateLimit: { name: 'prove-address', perAddress: 60, perAccount: 20, windowSeconds: HOUR },
  },
  'POST /api/users/switch-organization': {
    access: 'session',
    summary: 'Switch to another of the user’s organizations',
    body: z.strictObject({ organizationId: id }),
    ok: user,
  },
} satisfies Routes;
