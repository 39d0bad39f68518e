import type { Deps } from '../../kernel/deps.ts';
import { textMessage } from './step-message.ts';
import { connectedWorkspace } from './workspace.ts';

export { refreshInSlack } from './refresh-in-slack.job.ts';
export { tellInSlackJob } from './tell-in-slack.job.ts';

type Text = { title: string; text: string; link: string };

/**
 * How a text gets to a person of the organization in Slack: false where nobody there has their address. Null where the
 * organization is not connected. Throws `SlackProblem`.
 */
export async function slackSender(
  deps: Pick<Deps, 'db' | 'slack' | 'vault'>,
  orgId: string,
): Promise<((email: string, text: Text) => Promise<boolean>) | null> {
  const connected = await connectedWorkspace(deps, orgId);
  if (!connected || connected.connection.problem !== null) return null;
  const { workspace } = connected;
  return async (email, text) => {
    const person = await workspace.userIdOf(email);
    if (person !== null) await workspace.post(person, textMessage(text));
    return person !== null;
  };
}
