import type { AuditAction } from '@stet/domain/audit';
import { startSmtpServer } from '../../apps/server/src/testing/mailbox.ts';
import { startListener } from '../../apps/server/src/testing/webhook-listener.ts';
import type { Arrivals } from './effects.ts';

/** The recipient of the notification step in the fault workflow. */
export const ADDRESSEE = 'told-by-mail@example.com';
/** The events that the webhook receives in the fault runs. */
export const CALLED_FOR = ['run.started', 'run.completed'] as const satisfies readonly AuditAction[];

export const calledFor = (action: (typeof CALLED_FOR)[number], runId: string): string => `${action} of ${runId}`;

/** The receivers of emails and webhooks of all servers under test. */
export type Sinks = {
  /** The environment that connects a server to them. */
  environment: Record<string, string>;
  webhookUrl: string;
  /** The emails of notification steps, by the name of the run. */
  mails: () => Arrivals;
  /** The webhook calls, with names as in `calledFor`. */
  calls: () => Arrivals;
  /** Violations of the webhook guarantees: one id and one text per event, and the events of a run in order. */
  contradictions: () => string[];
  /** Removes everything received so far. */
  clear: () => void;
  close: () => Promise<void>;
};

export async function openSinks(): Promise<Sinks> {
  const [smtp, hook] = await Promise.all([startSmtpServer(), startListener()]);
  const calls = () =>
    hook.received.map(({ json, headers, body, at }) => {
      const name = `${String(json['type'])} of ${String(json['runId'])}`;
      return { name, runId: String(json['runId']), type: json['type'], id: String(headers['stet-delivery']), body, at };
    });
  const contradictions = (): string[] => {
    const known = new Map<string, { id: string; body: string }>();
    const completed = new Set<string>();
    const found = new Set<string>();
    for (const { name, runId, type, id, body } of calls()) {
      const first = known.get(name) ?? { id, body };
      if (first.id !== id) found.add(`${name} was sent with two ids`);
      if (first.body !== body) found.add(`${name} was sent with two texts`);
      if (type === 'run.completed') completed.add(runId);
      else if (completed.has(runId) && !known.has(name)) found.add(`${name} was sent after its completion`);
      known.set(name, first);
    }
    return [...found];
  };
  return {
    environment: { SMTP_URL: smtp.url, WEBHOOK_ALLOW: '127.0.0.1' },
    webhookUrl: hook.url,
    mails: () =>
      grouped(
        smtp.received
          .filter(({ to }) => to.includes(ADDRESSEE))
          .map(({ headers, at }) => ({ name: (headers.get('subject') ?? '').replace(/^.*?: /, ''), at })),
      ),
    calls: () => grouped(calls()),
    contradictions,
    clear: () => {
      smtp.received.length = 0;
      hook.received.length = 0;
    },
    close: async () => {
      await Promise.all([smtp.stop(), hook.stop()]);
    },
  };
}

function grouped(all: readonly { name: string; at: number }[]): Map<string, number[]> {
  const moments = new Map<string, number[]>();
  for (const { name, at } of all) moments.set(name, [...(moments.get(name) ?? []), at]);
  return moments;
}
