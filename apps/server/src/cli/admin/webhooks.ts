import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { enqueueJobs } from '../../db/outbox.ts';
import { appendAudit } from '../../modules/audit/index.ts';
import { endPause, reviveDelivery } from '../../modules/webhooks/deliveries.sql.ts';
import { deliveryJob } from '../../modules/webhooks/delivery-job.ts';
import { columns, json, shown } from '../client/shown.ts';
import { type Command, CommandProblem, USAGE } from '../command.ts';
import { administer, minute } from './administration.ts';

const MAX_LISTED = 500;

const LIST_HELP = `Usage: stet admin webhooks [--json]

Lists webhook deliveries that are waiting or failed, newest first, with the reason for their last failure, at most
${MAX_LISTED}. Times are in UTC.

Options:
  --json      print the list as JSON
  -h, --help  show this help
`;

type Delivery = {
  id: string;
  organization: string;
  webhook: string;
  url: string;
  action: string;
  state: 'waiting' | 'dead';
  attempts: number;
  status: number | null;
  problem: string | null;
  createdAt: Date;
};

export const adminWebhooks: Command = {
  name: 'admin webhooks',
  summary: 'List waiting and failed webhook deliveries, with the reasons for failures',
  help: LIST_HELP,
  options: { json: { type: 'boolean' } },
  run: async ({ options }, terminal) => {
    const deliveries = await administer(terminal.env, async ({ client }) => {
      const { rows } = await client.query<Delivery>(
        `select d.id, o.name as organization, w.name as webhook, w.url, d.action, d.state, d.attempts, d.last_status as status,
                d.last_problem as problem, d.created_at as "createdAt"
         from webhook_deliveries d join webhooks w on w.org_id = d.org_id and w.id = d.webhook_id
         join organizations o on o.id = d.org_id
         where d.state <> 'delivered' order by d.created_at desc, d.id desc limit ${MAX_LISTED}`,
      );
      return rows;
    });
    if (options['json'] === true) await terminal.out(json(deliveries));
    else if (deliveries.length === 0) terminal.say('There are none.');
    else
      await terminal.out(
        columns([
          ['ID', 'ORGANIZATION', 'WEBHOOK', 'ACTION', 'STATE', 'ATTEMPTS', 'CREATED', 'REASON'],
          ...deliveries.map((d) => [
            d.id,
            shown(d.organization),
            shown(d.webhook),
            d.action,
            d.state === 'dead' ? 'failed' : 'waiting',
            String(d.attempts),
            minute(d.createdAt),
            shown(d.problem ?? (d.status === null ? '-' : `status ${d.status}`)),
          ]),
        ]),
      );
    return 0;
  },
};

const RETRY_HELP = `Usage: stet admin webhooks retry ID

Sends a webhook delivery again immediately, with the full number of attempts. stet admin webhooks lists the ids. The
organization's audit trail records it.

Options:
  -h, --help  show this help
`;

export const adminWebhooksRetry: Command = {
  name: 'admin webhooks retry',
  summary: 'Send a webhook delivery again immediately',
  help: RETRY_HELP,
  options: {},
  positionals: { min: 1, max: 1 },
  run: async ({ positionals: [id = ''] }, terminal) => {
    if (!/^[0-9a-f-]{36}$/.test(id))
      throw new CommandProblem(`admin webhooks retry: "${id}" is not the id of a delivery.`, USAGE);
    await administer(terminal.env, async ({ client, db }) => {
      const { rows } = await client.query<{ org_id: string; webhook_id: string; name: string }>(
        `select d.org_id, d.webhook_id, w.name from webhook_deliveries d
         join webhooks w on w.org_id = d.org_id and w.id = d.webhook_id where d.id = $1`,
        [id],
      );
      const [found] = rows;
      if (!found) throw new CommandProblem('There is no such delivery.');
      const { org_id: orgId, webhook_id: webhookId, name } = found;
      await db.transaction({ orgId, userId: null }, async (tx) => {
        const delivery = await tx.maybeOne(reviveDelivery, { orgId, webhookId, id });
        if (!delivery) throw new CommandProblem('A server is sending this delivery right now.');
        tx.write(endPause, { orgId, webhookId });
        enqueueJobs(tx, [deliveryJob({ orgId, webhookId, subject: delivery.subject })]);
        const subject = { type: 'webhook' as const, id: webhookId };
        const data = { name, deliveries: 1, by: 'administrator' };
        appendAudit(tx, [{ actor: SYSTEM_ACTOR, action: 'webhook.redelivered', subject, data }]);
      });
    });
    terminal.say('The delivery will be sent now.');
    return 0;
  },
};
