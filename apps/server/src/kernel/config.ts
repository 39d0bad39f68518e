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

/** The environment (rulings, section 10). An empty variable counts as unset. What each is for stands beside it: the page for operators is made of it. */
export const environment = z.object({
  PORT: port.default(3000).describe('the port that the server listens on; `0` takes a free one'),
  HOST: z.string().default('127.0.0.1').describe('the address that it listens on; `0.0.0.0` is every one'),
  DATA_DIR: z.string().default('./data').describe('embedded database, keys, checkpoints, mail that was not sent'),
  DATABASE_URL: url(/^postgres(?:ql)?$/, 'must be a postgres:// address')
    .optional()
    .meta({ unset: 'the embedded PostgreSQL', description: 'a PostgreSQL of your own, 14 or newer' }),
  DATABASE_POOL: z.coerce
    .number('must be a number from 2 to 100')
    .int()
    .min(2)
    .max(100)
    .default(16)
    .describe('connections that requests share, 2 to 100; the job queue has its own'),
  PUBLIC_URL: url(/^https?$/, 'must be an http:// or https:// address')
    .optional()
    .meta({
      unset: '`http://HOST:PORT`',
      description: 'the address that people know it by; links in mails begin with it. With `https:` HSTS is sent',
    }),
  TRUST_PROXY: z.coerce
    .number('must be the number of proxies in front, from 0 to 10')
    .int()
    .min(0)
    .max(10)
    .default(0)
    .describe('how many proxies stand in front, whose `X-Forwarded-For` is believed; 0 to 10'),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional().meta({
    unset: 'made, and kept in `DATA_DIR/keys`',
    description: 'signs sessions and seals tokens; 32 characters or more, the same on every server',
  }),
  SECRET_KEY_PREVIOUS: z
    .string()
    .optional()
    .describe('earlier secrets, newest first, with commas between ([how to change it](secrets.md))'),
  SMTP_URL: url(/^smtps?$/, 'must be an smtp:// or smtps:// address')
    .optional()
    .meta({
      unset: 'files in `DATA_DIR/mail`',
      description: 'the server that takes mail, `smtp://user:password@host:587`',
    }),
  MAIL_FROM: z.string().default('Stet <stet@localhost>').describe('the sender of every mail'),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
    .default('info')
    .describe('`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`'),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional().meta({
    unset: 'this machine alone may ask',
    description: 'what `/metrics` asks for as a bearer token, from whatever address; 16 characters or more',
  }),
  RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off').default('on').describe('`off` is for tests alone'),
  WEBHOOK_ALLOW: webhookAllow
    .default([])
    .describe(
      'hosts, addresses and blocks, with commas between, that webhooks may reach although they are not on the internet ([webhooks](api-tokens-and-webhooks.md))',
    ),
  SIMULATED_FAILURE_RATE: z.coerce
    .number('must be a number from 0 to 1')
    .min(0)
    .max(1)
    .default(SIMULATION.failureRate)
    .describe('how often an automated step without a script fails, 0 to 1'),
  SLACK_CLIENT_ID: z.string().optional().describe('the Slack app ([how to make one](slack.md)); set with its secret'),
  SLACK_CLIENT_SECRET: z.string().optional().describe('its secret'),
  SLACK_SIGNING_SECRET: z
    .string()
    .optional()
    .describe('what Slack signs its calls with; without it nobody acts from within Slack'),
  SLACK_API_URL: url(/^https?$/, 'must be an http:// or https:// address')
    .default('https://slack.com/api/')
    .describe('where Slack is; another one is for tests'),
  OIDC_ISSUER: issuer
    .optional()
    .describe('the identity provider ([how to set it up](sign-in.md)); set with the two below'),
  OIDC_CLIENT_ID: z.string().optional().describe('the name that Stet has there'),
  OIDC_CLIENT_SECRET: z.string().optional().describe('its secret'),
  OIDC_LABEL: z
    .string()
    .trim()
    .max(40, 'must have at most 40 characters')
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be one line of text')
    .optional()
    .meta({ unset: "the issuer's host", description: 'what people know it by: "Continue with …"' }),
  OIDC_SCOPES: z
    .string()
    .trim()
    .regex(/^[\x21\x23-\x5b\x5d-\x7e]+(?: +[\x21\x23-\x5b\x5d-\x7e]+)*$/, 'must be names with spaces between')
    .refine((scopes) => scopes.split(/ +/).includes('openid'), 'must have openid among them')
    .default('openid email profile')
    .describe('what is asked of it'),
  OIDC_LINK_BY_EMAIL: z
    .enum(['on', 'off'], 'must be on or off')
    .default('off')
    .describe('`on` lets who has an account under a confirmed address into it without its password'),
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
  /** What asks for the metrics; without it only this machine may. */
  metricsToken: string | undefined;
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
