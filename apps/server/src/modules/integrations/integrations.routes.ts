import type { Handlers } from '../../http/handler.ts';
import { comeBackFromSlack, giveTicket, goToSlack } from './connect-slack.ts';
import { disconnectSlack, listSlackChannels, pickSlackChannel, slackStatus } from './slack-settings.ts';

export const integrationHandlers = {
  'GET /api/integrations/slack/status': slackStatus,
  'POST /api/integrations/slack/tickets': giveTicket,
  'GET /api/integrations/slack/install': goToSlack,
  'GET /api/integrations/slack/callback': comeBackFromSlack,
  'GET /api/integrations/slack/channels': listSlackChannels,
  'PATCH /api/integrations/slack': pickSlackChannel,
  'DELETE /api/integrations/slack': disconnectSlack,
} satisfies Partial<Handlers>;
