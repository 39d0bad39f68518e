import type { SlackStatus } from '@stet/contract';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { eventually } from './mailbox.ts';
import { publish, teamOf } from './organization.ts';
import { start } from './runs.ts';
import { type Person, startTestServer } from './server.ts';
import type { SlackPosted } from './slack-blocks.ts';
import { startFakeSlack } from './slack.ts';

export const SLACK_PATH = '/api/integrations/slack';
export type SlackScene = Awaited<ReturnType<typeof startSlackScene>>;
type Step = { type?: string; assignee?: string; config?: object; sla?: string };

/** An installation with a Slack workspace, and its team's actions in a browser and in Slack. */
export async function startSlackScene() {
  const slack = await startFakeSlack();
  /** The environment of every server of the installation. */
  const environment = { ...slack.environment, SECRET_KEY: 'one secret for all servers of an installation' };
  const server = await startTestServer(environment);
  let team = await teamOf(server, ['reviewer']);
  let keys = 0;

  /** Creates a new team, and deletes the calls and messages that the workspace has received. */
  async function reset() {
    // Prevents the server from sending pending messages of earlier tests.
    await server.sql('delete from slack_connections');
    team = await teamOf(server, ['reviewer']);
    for (const list of [slack.asked, slack.posted, slack.updated, slack.ephemeral]) list.length = 0;
    slack.isAllowed = true;
    slack.endOutage();
    return team;
  }

  /** Opens an address like a browser, without following redirects. */
  async function visit(address: string, cookie = ''): Promise<{ status: number; location: string; cookie: string }> {
    const response = await fetch(new URL(address, server.server.url), {
      redirect: 'manual',
      headers: cookie === '' ? {} : { cookie },
    });
    const set = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    return { status: response.status, location: response.headers.get('location') ?? '', cookie: set };
  }
  async function ticketOf(who: Person): Promise<{ url: string; cookie: string }> {
    const { body, headers } = await who.call<{ url: string }>('POST', `${SLACK_PATH}/tickets`);
    return { url: body.url, cookie: headers.get('set-cookie')?.split(';')[0] ?? '' };
  }
  /** Requests a ticket and opens Slack with it, in one browser. */
  async function goToSlack(who = team.owner): Promise<{ location: string; cookie: string }> {
    const { url, cookie } = await ticketOf(who);
    return { location: (await visit(url, cookie)).location, cookie };
  }
  async function connect(who = team.owner): Promise<string> {
    const atSlack = await goToSlack(who);
    const back = await visit(atSlack.location);
    return (await visit(back.location, atSlack.cookie)).location;
  }

  /** Publishes a workflow with one step, and starts a run of it. */
  async function running(step: Step = {}, name = 'A run') {
    keys += 1;
    const key = `slack-${keys}`;
    await publish(team.owner, team.reviewer, key, [{ id: 'step-1', title: `Step ${keys}`, ...step }]);
    return { ...(await start(team.owner, key, name)), title: `Step ${keys}`, workflow: `Title of ${key}` };
  }
  const about = (title: string): SlackPosted[] => slack.posted.filter(({ text }) => text.includes(title));

  return {
    slack,
    environment,
    server,
    reset,
    visit,
    ticketOf,
    goToSlack,
    connect,
    status: (who = team.owner): Promise<SlackStatus> => who.get<SlackStatus>(`${SLACK_PATH}/status`),
    interactivity: (): string => `${server.server.url}${SLACK_PATH}/interactivity`,
    askedFor: (method: string) => slack.asked.filter((each) => each.method === method),
    running,
    about,
    posted: (title: string): Promise<SlackPosted> => eventually(() => about(title)[0]),
    stop: async (): Promise<void> => {
      await server.stop();
      await slack.stop();
    },
  };
}

type SlackTest = Awaited<ReturnType<SlackScene['reset']>> &
  Pick<SlackScene, 'slack' | 'server'> & { scene: SlackScene };

/** Starts a scene for the tests of a file. Before each test, `use` receives it with a new team. */
export function withSlackScene(use: (given: SlackTest) => void): void {
  let scene: SlackScene;
  beforeAll(async () => {
    scene = await startSlackScene();
  });
  afterAll(() => scene.stop());
  beforeEach(async () => {
    use({ ...(await scene.reset()), scene, slack: scene.slack, server: scene.server });
  });
}
