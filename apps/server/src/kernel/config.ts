import { resolve } from 'node:path';
import { SIMULATION } from '@stet/domain/workflows';
import { addressBlock } from '@stet/domain/webhooks';
import { z } from 'zod';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const url = (protocols: RegExp, sentence: string) => z.url({ protocol: protocols, error: sentence });
const port = z.coerce
  .number('must be a number from 0 to 65535')
  .int('must be a number from 0 to 65535')
  .min(0)
  .max(65_535);

/** Host names, `*.example.internal` for those below, addresses and blocks such as 10.1.0.0/16, between commas. */
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
      entries.every((entry) => addressBlock(entry) !== null || /^(?:\*\.)?[a-z\d_-]+(?:\.[a-z\d_-]+)*$/.test(entry)),
    'must list host names, addresses or blocks such as 10.1.0.0/16, between commas',
  );

/** Secrets go to whoever is at this address: plain HTTP only to this machine itself. */
const issuer = url(/^https?$/, 'must be an https:// address')
  .refine(
    (address) => address.startsWith('https:') || isThisMachine(new URL(address).hostname),
    'must be an https:// address; http:// only on this machine',
  )
  .refine((address) => !/[?#]/.test(address), 'must be the issuer itself, without ? or #');

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** The environment (rulings, section 10). An empty variable counts as unset. */
const environment = z.object({
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: url(/^postgres(?:ql)?$/, 'must be a postgres:// address').optional(),
  PUBLIC_URL: url(/^https?$/, 'must be an http:// or https:// address').optional(),
  SMTP_URL: url(/^smtps?$/, 'must be an smtp:// or smtps:// address').optional(),
  MAIL_FROM: z.string().default('Stet <stet@localhost>'),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  SECRET_KEY_PREVIOUS: z.string().optional(),
  SLACK_CLIENT_ID: z.string().optional(),
  SLACK_CLIENT_SECRET: z.string().optional(),
  SLACK_SIGNING_SECRET: z.string().optional(),
  SLACK_API_URL: url(/^https?$/, 'must be an http:// or https:// address').default('https://slack.com/api/'),
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_LABEL: z
    .string()
    .trim()
    .max(40, 'must have at most 40 characters')
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be one line of text')
    .optional(),
  OIDC_SCOPES: z
    .string()
    .trim()
    .regex(/^[\x21\x23-\x5b\x5d-\x7e]+(?: +[\x21\x23-\x5b\x5d-\x7e]+)*$/, 'must be names with spaces between')
    .refine((scopes) => scopes.split(/ +/).includes('openid'), 'must have openid among them')
    .default('openid email profile'),
  OIDC_LINK_BY_EMAIL: z.enum(['on', 'off'], 'must be on or off').default('off'),
  SIMULATED_FAILURE_RATE: z.coerce.number('must be a number from 0 to 1').min(0).max(1).default(SIMULATION.failureRate),
  TRUST_PROXY: z.coerce.number('must be the number of proxies in front, from 0 to 10').int().min(0).max(10).default(0),
  RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  WEBHOOK_ALLOW: webhookAllow.default([]),
  DATABASE_POOL: z.coerce.number('must be a number from 2 to 100').int().min(2).max(100).default(16),
});

export type SlackApp = {
  clientId: string;
  clientSecret: string;
  /** What Slack's own calls are signed with; without it nobody acts from within Slack. */
  signingSecret: string | undefined;
  /** Ends with a slash. */
  apiUrl: string;
};

export type OidcSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What people know the provider by: "Continue with {label}". */
  label: string;
  scopes: string;
  /** Whether who has an account under a confirmed address gets into it without its password. */
  linkByEmail: boolean;
};

export type Config = {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | undefined;
  publicUrl: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  secretKey: string | undefined;
  /** Secrets of before, newest first: what was stored under one of them can still be read. */
  previousSecretKeys: readonly string[];
  /** The Slack app of this installation; null where it has none. */
  slack: SlackApp | null;
  /** Where people of this installation may sign in besides; null where only passwords count. */
  oidc: OidcSettings | null;
  simulatedFailureRate: number;
  /** Proxies in front whose X-Forwarded-For counts; with 0 the header says nothing. */
  trustProxy: number;
  rateLimits: boolean;
  logLevel: (typeof LOG_LEVELS)[number];
  poolSize: number;
  /** Hosts, addresses and blocks of them that webhooks may reach although they are not on the internet. */
  webhookAllow: readonly string[];
};

/** Thrown with one line for each bad variable; values are not repeated, they may be secrets. */
export class BadConfiguration extends Error {
  readonly exitCode = 1;

  constructor(readonly problems: string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** Reads the environment once; every bad value is named. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''));
  const parsed = environment.safeParse(set);
  if (!parsed.success) {
    throw new BadConfiguration(parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`));
  }
  const values = parsed.data;
  if ((values.SLACK_CLIENT_ID === undefined) !== (values.SLACK_CLIENT_SECRET === undefined))
    throw new BadConfiguration(['SLACK_CLIENT_ID and SLACK_CLIENT_SECRET must be set together']);
  const provider = [values.OIDC_ISSUER, values.OIDC_CLIENT_ID, values.OIDC_CLIENT_SECRET];
  if (provider.includes(undefined) && provider.some((value) => value !== undefined))
    throw new BadConfiguration(['OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together']);
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    secretKey: values.SECRET_KEY,
    previousSecretKeys: (values.SECRET_KEY_PREVIOUS ?? '').split(',').flatMap((key) => key.trim() || []),
    slack: slackApp(values),
    oidc: oidcSettings(values),
    simulatedFailureRate: values.SIMULATED_FAILURE_RATE,
    trustProxy: values.TRUST_PROXY,
    rateLimits: values.RATE_LIMITS === 'on',
    logLevel: values.LOG_LEVEL,
    poolSize: values.DATABASE_POOL,
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
