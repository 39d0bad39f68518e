import nodemailer from 'nodemailer';
import { openIdentityProvider } from '../../adapters/identity-provider.ts';
import type { Config } from '../../kernel/config.ts';
import { ProviderProblem } from '../../kernel/identity-provider.ts';
import { type Finding, failure, fine, warning } from './finding.ts';

const PATIENCE_MS = 10_000;

/** Checks that the SMTP server accepts the connection and the login. Sends nothing. */
export async function checkMail({ smtpUrl, dataDir }: Pick<Config, 'smtpUrl' | 'dataDir'>): Promise<Finding> {
  if (smtpUrl === undefined)
    return warning('mail', `SMTP_URL is not set: mail is written to ${dataDir}/mail instead of being sent.`);
  const patience = { connectionTimeout: PATIENCE_MS, greetingTimeout: PATIENCE_MS, socketTimeout: PATIENCE_MS };
  const transport = nodemailer.createTransport({ url: smtpUrl, ...patience });
  const { host } = new URL(smtpUrl);
  try {
    await transport.verify();
    return fine('mail', `${host} accepts our connection.`);
  } catch (error) {
    return failure(
      'mail',
      `${host} does not accept our connection: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    transport.close();
  }
}

const SLACK_SETTINGS = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_SIGNING_SECRET'] as const;

/** Checks that the Slack app is fully configured and that Slack is reachable. Posts nothing. */
export async function checkSlack(env: Record<string, string | undefined>): Promise<Finding> {
  const missing = SLACK_SETTINGS.filter((name) => !env[name]?.trim());
  if (missing.length === SLACK_SETTINGS.length) return fine('slack', 'Off: no Slack app is set up.');
  if (missing.length > 0)
    return failure(
      'slack',
      `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set; the Slack app needs all three.`,
    );
  const address = (env['SLACK_API_URL']?.trim() || 'https://slack.com/api').replace(/\/+$/, '');
  try {
    const response = await fetch(`${address}/api.test`, { method: 'POST', signal: AbortSignal.timeout(PATIENCE_MS) });
    const reply = (await response.json()) as { ok?: unknown };
    if (reply.ok === true) return fine('slack', `${address} is responding.`);
    return failure('slack', `${address} does not respond like Slack (${response.status}).`);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return failure('slack', `${address} is not responding: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Checks that the identity provider can be discovered with these settings. Signs nobody in. */
export async function checkProvider({ oidc, publicUrl }: Pick<Config, 'oidc' | 'publicUrl'>): Promise<Finding> {
  if (!oidc) return fine('sign-in', 'Passwords only: no identity provider is set up.');
  if (publicUrl === undefined)
    return failure('sign-in', 'PUBLIC_URL is not set, but the identity provider sends people back to it.');
  const returnTo = `${publicUrl}/api/auth/oidc/callback`;
  try {
    await openIdentityProvider(oidc).begin(returnTo);
    return fine('sign-in', `${oidc.issuer} is responding. Register this redirect URI there: ${returnTo}`);
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    const what =
      error.failure === 'unavailable' ? 'is not responding' : 'does not respond like an OpenID Connect provider';
    return failure('sign-in', `${oidc.issuer} ${what}: ${error.message}.`);
  }
}
