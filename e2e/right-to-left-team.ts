import type { APIRequestContext } from '@playwright/test';

/** The team's names and texts. Each could change the order of the line that shows it if it weren't isolated. */
export const WORDS = {
  owner: 'דנה כהן',
  reviewer: 'ليلى حسن (QA)',
  team: 'חברת הלדן 7',
  workflow: 'אישור ספקים (2026)',
  workflowOfNow: 'אישור ספקים (2027)',
  other: 'تقرير SOX رقم 4.',
  first: 'לאסוף מסמכים - 3',
  firstOfNow: 'לאסוף מסמכים - 4!',
  decide: 'هل الخطر عالٍ؟',
  high: 'בדיקה (שלב ב)',
  last: '12. إرسال العقد',
  task: 'לבדוק את המסמכים, (כולם).',
  taskOfNow: 'לבדוק את המסמכים, (כולם) עד יום ה׳.',
  description: 'כל ספק חדש - לפני ההזמנה.',
  role: 'צוות רכש 2',
  run: 'ריצה 5 - نوردليشت',
  runDescription: 'ספק חדש: 100%.',
  output: 'הכול נמסר (3 קבצים).',
  failure: 'החוזה חסר (עמוד 2).',
  comment: 'למה 4? صحيح؟',
  reason: 'הגרסה הקודמת נכונה (1).',
} as const;

const PASSWORD = 'three old oak trees';
const KEY = 'suppliers';
export type Person = { token: string; call: <T>(method: string, path: string, data?: unknown) => Promise<T> };
export type Team = {
  owner: Person;
  reviewer: Person;
  key: string;
  draftId: string;
  overtakenId: string;
  runId: string;
  endedRunId: string;
  orgId: string;
};

const caller =
  (request: APIRequestContext, token?: string): Person['call'] =>
  async <T>(method: string, path: string, data?: unknown): Promise<T> => {
    const answer = await request.fetch(path, {
      method,
      ...(data !== undefined && { data }),
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as T;
  };

/**
 * A team whose names and texts are in Arabic or Hebrew. It has live versions, a draft in review, an outdated draft, and
 * two runs.
 */
export async function rightToLeftTeam(request: APIRequestContext): Promise<Team> {
  const anyone = caller(request);
  const emailOf = (name: string): string => `${name}-${process.pid}@rtl.example`;
  const founded = await anyone<{ token: string; user: { currentOrgId: string } }>('POST', '/api/auth/signup', {
    email: emailOf('dana'),
    name: WORDS.owner,
    password: PASSWORD,
    accountType: 'organization',
    organizationName: WORDS.team,
    organizationSlug: `rtl-${process.pid}`,
  });
  const orgId = founded.user.currentOrgId;
  const owner: Person = { token: founded.token, call: caller(request, founded.token) };
  const { link } = await owner.call<{ link: string }>('POST', `/api/organizations/${orgId}/invitations`, {
    email: emailOf('layla'),
    role: 'reviewer',
  });
  const invitation = link.slice(link.lastIndexOf('/') + 1);
  await anyone('POST', `/api/invitations/${invitation}/accept`, { name: WORDS.reviewer, password: PASSWORD });
  const login = { email: emailOf('layla'), password: PASSWORD };
  const { token } = await anyone<{ token: string }>('POST', '/api/auth/login', login);
  const reviewer: Person = { token, call: caller(request, token) };

  const steps = (title: string, task: string) => [
    { id: 'collect', title, description: task, assignee: emailOf('dana'), sla: '0.1m', next: ['decide'] },
    {
      id: 'decide',
      title: WORDS.decide,
      type: 'condition',
      config: { condition: 'run.priority = "high"', trueNext: 'check', falseNext: 'send' },
      next: ['check', 'send'],
    },
    { id: 'check', title: WORDS.high, type: 'approval', assignee: 'reviewer', sla: '1 day', next: ['send'] },
    { id: 'send', title: WORDS.last, assignee: WORDS.role, sla: '2 days', next: [] },
  ];
  const draftOf = async (key: string, title: string, ofSteps: unknown): Promise<string> => {
    const body = { metadata: { title, description: WORDS.description }, steps: ofSteps };
    return (await owner.call<{ draftId: string }>('POST', `/api/workflows/${key}/drafts`, body)).draftId;
  };
  const publish = async (key: string, draftId: string): Promise<void> => {
    const draft = `/api/workflows/${key}/drafts/${draftId}`;
    await owner.call('POST', `${draft}/submit`);
    await reviewer.call('POST', `${draft}/approve`, { comment: WORDS.comment });
    await reviewer.call('POST', `${draft}/merge`);
  };
  await publish(KEY, await draftOf(KEY, WORDS.workflow, steps(WORDS.first, WORDS.task)));
  const overtakenId = await draftOf(KEY, WORDS.workflow, steps(`${WORDS.first} (ב)`, WORDS.task));
  await publish('sox', await draftOf('sox', WORDS.other, [{ id: 'do', title: WORDS.last, assignee: 'owner' }]));
  const start = async (name: string): Promise<string> =>
    (await owner.call<{ id: string }>('POST', '/api/runs', { key: KEY, name, description: WORDS.runDescription })).id;
  const runId = await start(WORDS.run);
  const endedRunId = await start(`${WORDS.run} (2)`);
  const step = `/api/runs/${endedRunId}/steps/collect`;
  await owner.call('POST', `${step}/complete`, { output: { text: WORDS.output } });
  await owner.call('POST', `/api/runs/${endedRunId}/cancel`, { reason: WORDS.failure });

  await publish(KEY, await draftOf(KEY, WORDS.workflow, steps(WORDS.firstOfNow, WORDS.task)));
  const draftId = await draftOf(KEY, WORDS.workflowOfNow, steps(WORDS.firstOfNow, WORDS.taskOfNow));
  const draft = `/api/workflows/${KEY}/drafts/${draftId}`;
  await owner.call('POST', `${draft}/submit`);
  await reviewer.call('POST', `${draft}/comments`, { body: WORDS.comment, stepId: 'collect' });
  await reviewer.call('POST', `${draft}/comments`, { body: WORDS.comment });
  await reviewer.call('POST', `${draft}/request-changes`, { comment: WORDS.comment });
  return { owner, reviewer, key: KEY, draftId, overtakenId, runId, endedRunId, orgId };
}
