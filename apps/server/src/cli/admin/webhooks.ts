import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { changeDelivery } from '../../modules/administration/deliveries.ts';
import type { Verb } from '../../modules/administration/jobs.ts';
import { listDeliveries, reasonOf } from '../../modules/administration/lists.ts';
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

export const adminWebhooks: Command = {
  name: 'admin webhooks',
  summary: 'List waiting and failed webhook deliveries, with the reasons for failures',
  help: LIST_HELP,
  options: { json: { type: 'boolean' } },
  run: async ({ options }, terminal) => {
    const deliveries = await administer(terminal.env, ({ query }) => listDeliveries(query, MAX_LISTED));
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
            shown(reasonOf(d) ?? '-'),
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

const DROP_HELP = `Usage: stet admin webhooks drop ID

Deletes a webhook delivery, so that it is never sent. Later deliveries about the same subject, for example the same run, then
continue. stet admin webhooks lists the ids. The organization's audit trail records it.

Options:
  -h, --help  show this help
`;

const deliveryCommand = (verb: Verb, done: string, { summary, help }: Pick<Command, 'summary' | 'help'>): Command => ({
  name: `admin webhooks ${verb}`,
  summary,
  help,
  options: {},
  positionals: { min: 1, max: 1 },
  run: async ({ positionals: [id = ''] }, terminal) => {
    if (!/^[0-9a-f-]{36}$/.test(id))
      throw new CommandProblem(`admin webhooks ${verb}: "${id}" is not the id of a delivery.`, USAGE);
    const outcome = await administer(terminal.env, (admin) => changeDelivery(admin, verb, id, SYSTEM_ACTOR));
    if (outcome === 'unknown') throw new CommandProblem('There is no such delivery.');
    if (outcome === 'busy') throw new CommandProblem('A server is sending this delivery right now.');
    terminal.say(done);
    return 0;
  },
});

export const adminWebhooksRetry = deliveryCommand('retry', 'The delivery will be sent now.', {
  summary: 'Send a webhook delivery again immediately',
  help: RETRY_HELP,
});
export const adminWebhooksDrop = deliveryCommand('drop', 'The delivery was dropped.', {
  summary: 'Delete a webhook delivery without sending it',
  help: DROP_HELP,
});
