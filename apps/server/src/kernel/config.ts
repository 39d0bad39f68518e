import { resolve } from 'node:path';
import { MEGABYTE, SIMULATION } from '@stet/domain/steps';
import { parseBlock } from '@stet/domain/webhooks';
import { canonicalEmail, isEmail } from '@stet/domain/access';
import { z } from 'zod';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const url = (protocols: RegExp, sentence: string) => z.url({ protocol: protocols, error: sentence });
const port = z.coerce
  .number('must be a number from 0 to 65535')
  .int('must be a number from 0 to 65535')
  .min(0)
  .max(65_535);

/** Host names, `*.example.internal` for subdomains, addresses, and blocks such as 10.1.0.0/16, separated by commas. */
const webhookAllow = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim().toLowerCase())
      .filter((entry) => entry !== ''),
  )
  .refine(
    (entries) =>
      entries.every((entry) => parseBlock(entry) !== null || /^(?:\*\.)?[a-z\d_-]+(?:\.[a-z\d_-]+)*$/.test(entry)),
    'must be host names, addresses or blocks such as 10.1.0.0/16, separated by commas',
  );

/** Determines who can create an account without an invitation. */
export type SignUp = { kind: 'open' } | { kind: 'closed' } | { kind: 'domains'; domains: readonly string[] };

const DOMAIN = /^[a-z\d-]+(?:\.[a-z\d-]+)+$/;
const signUp = z.string().transform((text, context): SignUp => {
  const value = text.trim().toLowerCase();
  if (value === 'open' || value === 'closed') return { kind: value };
  const domains = value.startsWith('domain:')
    ? value
        .slice(7)
        .split(',')
        .map((domain) => domain.trim())
    : [];
  if (domains.length > 0 && domains.every((domain) => DOMAIN.test(domain))) return { kind: 'domains', domains };
  context.addIssue(
    'must be open, closed, or domain: with a comma-separated list of domains, for example domain:example.com',
  );
  return z.NEVER;
});

/** Reads a value of SIGN_UP, or returns the problem. */
export function readSignUp(text: string): SignUp | { problem: string } {
  const read = signUp.safeParse(text);
  return read.success ? read.data : { problem: read.error.issues[0]?.message ?? 'is invalid' };
}

/** Secrets are sent to this address. Therefore, plain HTTP is allowed only if the address is on this machine. */
const issuer = url(/^https?$/, 'must be an https:// address')
  .refine(
    (address) => address.startsWith('https:') || isThisMachine(new URL(address).hostname),
    'must be an https:// address; http:// is allowed only for this machine',
  )
  .refine((address) => !/[?#]/.test(address), 'must be the issuer itself, without ? or #');

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** The environment variables. An empty one counts as unset. The operators' page is generated from the descriptions. */
export const environment = z.object({
  PORT: port.default(3000).describe('the port that the server listens on; `0` selects a free one'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('the address that the server listens on; `0.0.0.0` means all addresses'),
  DATA_DIR: z
    .string()
    .default('./data')
    .describe('the folder for the embedded database, keys, checkpoints and unsent mail'),
  DATABASE_URL: url(/^postgres(?:ql)?$/, 'must be a postgres:// address')
    .optional()
    .meta({ unset: 'the embedded PostgreSQL', description: 'the address of your own PostgreSQL, version 14 or newer' }),
  DATABASE_ADMIN_URL: url(/^postgres(?:ql)?$/, 'must be a postgres:// address')
    .optional()
    .meta({
      unset: '`DATABASE_URL`',
      description:
        'the same database with a different user, which is used only for migrations; it must be allowed to create roles and to become the user of `DATABASE_URL`',
    }),
  DATABASE_POOL: z.coerce
    .number('must be a number from 2 to 100')
    .int()
    .min(2)
    .max(100)
    .default(16)
    .describe(
      'the number of connections for requests, 2 to 100; at most half of them save changes to runs at the same time; the job queue has its own',
    ),
  PUBLIC_URL: url(/^https?$/, 'must be an http:// or https:// address')
    .optional()
    .meta({
      unset: '`http://HOST:PORT`',
      description:
        'the address that people use, and the start of links in emails. With `https:`, the server sends HSTS',
    }),
  TRUST_PROXY: z.coerce
    .number('must be the number of proxies in front, from 0 to 10')
    .int()
    .min(0)
    .max(10)
    .default(0)
    .describe('the number of proxies in front of the server whose `X-Forwarded-For` is trusted, 0 to 10'),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional().meta({
    unset: 'generated and stored in `DATA_DIR/keys`',
    description:
      'signs sessions, encrypts Slack tokens, and is the source of webhook secrets and mailed links; at least 32 characters, the same on every server',
  }),
  SECRET_KEY_PREVIOUS: z
    .string()
    .optional()
    .describe(
      'previous secrets, newest first, separated by commas ([changing the secret](secrets.md#changing-secret_key))',
    ),
  SIGN_UP: signUp.default({ kind: 'open' }).meta({
    unset: '`open`',
    description:
      'who can sign up: `open`, `closed`, or `domain:example.com,example.org` for addresses at these domains. Invited people can always join; with `closed`, the first account can still be created. Administrators can [change it while the server runs](sign-in.md#who-can-sign-up)',
  }),
  STET_ADMINS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((each) => each.trim() || []))
    .refine((list) => list.every((each) => isEmail(each)), 'must be email addresses, separated by commas')
    .transform((list) => list.map((each) => canonicalEmail(each) ?? each.toLowerCase()))
    .meta({
      unset: 'no one',
      description:
        'the addresses of people who can open the page [Installation](#administration-in-the-browser), separated by commas. Their addresses must be proved',
    }),
  PASSWORD_SIGN_IN: z
    .enum(['on', 'off'], 'must be on or off')
    .default('on')
    .describe(
      '`off` lets people sign in only with the identity provider ([details](sign-in.md#only-with-the-identity-provider))',
    ),
  SMTP_URL: url(/^smtps?$/, 'must be an smtp:// or smtps:// address')
    .optional()
    .meta({
      unset: 'files in `DATA_DIR/mail`',
      description:
        'the mail server, for example `smtp://user:password@host:587`. Without one, anyone who can read the mail files can use the links in them',
    }),
  MAIL_FROM: z.string().default('Stet <stet@localhost>').describe('the sender of all emails'),
  MAIL_BATCH_SECONDS: z.coerce
    .number('must be a number of seconds from 0 to 3600')
    .int()
    .min(0)
    .max(3600)
    .default(30)
    .describe(
      'how long notifications are held so that a person gets several in one email, 0 to 3600 seconds; urgent ones, for example about overdue steps, are sent immediately. `0` sends each in its own email',
    ),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
    .default('info')
    .describe('`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`'),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional().meta({
    unset: 'only this machine has access',
    description:
      'the bearer token that gives access to `/metrics` from any address and under any host name; at least 16 characters',
  }),
  RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off').default('on').describe('`off` is only for tests'),
  WEBHOOK_ALLOW: webhookAllow
    .default([])
    .describe(
      'hosts, IP addresses and blocks outside the public internet that webhooks can reach, separated by commas ([webhooks](api-tokens-and-webhooks.md#allowed-webhook-addresses))',
    ),
  FILE_SPACE_MB: z.coerce
    .number('must be a number of megabytes')
    .int()
    .min(1)
    .max(10_000_000)
    .default(5000)
    .describe('the maximum size of all files in an organization’s runs, in megabytes (1 MB is 1 048 576 bytes)'),
  SIMULATED_FAILURE_RATE: z.coerce
    .number('must be a number from 0 to 1')
    .min(0)
    .max(1)
    .default(SIMULATION.failureRate)
    .describe('the probability that an automated step without a script fails, 0 to 1'),
  SLACK_CLIENT_ID: z
    .string()
    .optional()
    .describe('the client ID of the Slack app ([setup](slack.md)); requires `SLACK_CLIENT_SECRET`'),
  SLACK_CLIENT_SECRET: z.string().optional().describe('the client secret of the Slack app'),
  SLACK_SIGNING_SECRET: z
    .string()
    .optional()
    .describe('the secret that Slack signs its requests with; without it, people can’t act from within Slack'),
  SLACK_API_URL: url(/^https?$/, 'must be an http:// or https:// address')
    .default('https://slack.com/api/')
    .describe('the address of Slack’s API; change it only for tests'),
  OIDC_ISSUER: issuer
    .optional()
    .describe('the issuer of the identity provider ([setup](sign-in.md)); requires the next two variables'),
  OIDC_CLIENT_ID: z.string().optional().describe('the client ID at the identity provider'),
  OIDC_CLIENT_SECRET: z.string().optional().describe('the client secret at the identity provider'),
  OIDC_LABEL: z
    .string()
    .trim()
    .max(40, 'must have at most 40 characters')
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be one line of text')
    .optional()
    .meta({ unset: "the issuer's host", description: 'the provider’s name on the button "Continue with …"' }),
  OIDC_SCOPES: z
    .string()
    .trim()
    .regex(/^[\x21\x23-\x5b\x5d-\x7e]+(?: +[\x21\x23-\x5b\x5d-\x7e]+)*$/, 'must be names separated by spaces')
    .refine((scopes) => scopes.split(/ +/).includes('openid'), 'must include openid')
    .default('openid email profile')
    .describe('the requested scopes, separated by spaces'),
  OIDC_LINK_BY_EMAIL: z
    .enum(['on', 'off'], 'must be on or off')
    .default('off')
    .describe(
      '`on` links a provider’s account to an existing account with the same verified address, without its password',
    ),
});

export type SlackApp = {
  clientId: string;
  clientSecret: string;
  /** The secret that Slack signs its calls with. If it is not set, people can't act from within Slack. */
  signingSecret: string | undefined;
  /** Ends with a slash. */
  apiUrl: string;
};

export type OidcSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The name of the provider on the button: "Continue with {label}". */
  label: string;
  scopes: string;
  /**
   * True if a sign-in through the provider gives access to an existing account with the same verified address without
   * its password.
   */
  linkByEmail: boolean;
};

export type Config = {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | undefined;
  /** The URL with the user who migrates an external database. If undefined, this is the user of `databaseUrl`. */
  databaseAdminUrl: string | undefined;
  publicUrl: string | undefined;
  signUp: SignUp;
  /** False if people can sign in only with the identity provider. Requires `oidc`. */
  passwordSignIn: boolean;
  /** The canonical addresses of the installation's administrators. */
  admins: readonly string[];
  smtpUrl: string | undefined;
  mailFrom: string;
  /** How long notifications wait so that several can be sent in one email. */
  mailBatchMs: number;
  secretKey: string | undefined;
  /** Previous secrets, newest first. Values encrypted with one of them can still be decrypted. */
  previousSecretKeys: readonly string[];
  /** The Slack app of this installation; null if it has none. */
  slack: SlackApp | null;
  /** The identity provider for signing in; null if only passwords are allowed. */
  oidc: OidcSettings | null;
  /** The space for the files of an organization, in bytes. */
  fileQuota: number;
  simulatedFailureRate: number;
  /** The number of proxies in front whose X-Forwarded-For is trusted. If it is 0, the header is ignored. */
  trustProxy: number;
  rateLimits: boolean;
  logLevel: (typeof LOG_LEVELS)[number];
  poolSize: number;
  /** The token that gives access to the metrics. Without a token, only this machine has access. */
  metricsToken: string | undefined;
  /** Hosts, addresses and blocks that webhooks can reach although they aren't on the public internet. */
  webhookAllow: readonly string[];
};

/** Thrown with one line for each problem. The lines don't repeat the values, because they may be secrets. */
export class BadConfiguration extends Error {
  readonly exitCode = 1;

  constructor(readonly problems: string[]) {
    super(`Invalid configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/**
 * Reads the environment. Throws `BadConfiguration`, which lists all invalid values or, if there are none, the first
 * combination of variables that isn't allowed.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''));
  const parsed = environment.safeParse(set);
  if (!parsed.success) {
    throw new BadConfiguration(parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`));
  }
  const values = parsed.data;
  if ((values.SLACK_CLIENT_ID === undefined) !== (values.SLACK_CLIENT_SECRET === undefined))
    throw new BadConfiguration(['SLACK_CLIENT_ID and SLACK_CLIENT_SECRET must be set together']);
  if (values.DATABASE_ADMIN_URL !== undefined && values.DATABASE_URL === undefined)
    throw new BadConfiguration(['DATABASE_ADMIN_URL requires DATABASE_URL']);
  const provider = [values.OIDC_ISSUER, values.OIDC_CLIENT_ID, values.OIDC_CLIENT_SECRET];
  if (provider.includes(undefined) && provider.some((value) => value !== undefined))
    throw new BadConfiguration(['OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together']);
  if (values.PASSWORD_SIGN_IN === 'off' && values.OIDC_ISSUER === undefined)
    throw new BadConfiguration(['PASSWORD_SIGN_IN can only be off with an identity provider: set OIDC_ISSUER']);
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    databaseAdminUrl: values.DATABASE_ADMIN_URL,
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
    signUp: values.SIGN_UP,
    admins: values.STET_ADMINS,
    passwordSignIn: values.PASSWORD_SIGN_IN === 'on',
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    mailBatchMs: values.MAIL_BATCH_SECONDS * 1000,
    secretKey: values.SECRET_KEY,
    previousSecretKeys: (values.SECRET_KEY_PREVIOUS ?? '').split(',').flatMap((key) => key.trim() || []),
    slack: slackApp(values),
    oidc: oidcSettings(values),
    fileQuota: values.FILE_SPACE_MB * MEGABYTE,
    simulatedFailureRate: values.SIMULATED_FAILURE_RATE,
    trustProxy: values.TRUST_PROXY,
    rateLimits: values.RATE_LIMITS === 'on',
    logLevel: values.LOG_LEVEL,
    poolSize: values.DATABASE_POOL,
    metricsToken: values.METRICS_TOKEN,
    webhookAllow: values.WEBHOOK_ALLOW,
  };
}

function slackApp(values: z.output<typeof environment>): SlackApp | null {
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret } = values;
  if (clientId === undefined || clientSecret === undefined) return null;
  const apiUrl = `${values.SLACK_API_URL.replace(/\/+$/, '')}/`;
  return { clientId, clientSecret, signingSecret: values.SLACK_SIGNING_SECRET, apiUrl };
}

function oidcSettings(values: z.output<typeof environment>): OidcSettings | null {
  const { OIDC_ISSUER: address, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (address === undefined || clientId === undefined || clientSecret === undefined) return null;
  const label = values.OIDC_LABEL ?? new URL(address).hostname;
  const linkByEmail = values.OIDC_LINK_BY_EMAIL === 'on';
  return { issuer: address, clientId, clientSecret, label, scopes: values.OIDC_SCOPES, linkByEmail };
}
