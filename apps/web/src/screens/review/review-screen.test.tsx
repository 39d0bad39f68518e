import type { Member, WholeDraft } from '@stet/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  DRAFT_ID,
  JONAS,
  STEPS,
  aComment,
  aDiff,
  aDraftInReview,
  aFinding,
  anImpact,
} from '../../features/review/testing/review.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';
import { AT, card, open, startReviewServer } from './review-screen.fixture.ts';

cleanUpAfterEach();

let server: FakeServer;
let draft: WholeDraft;
beforeEach(() => {
  draft = aDraftInReview();
  server = startReviewServer(() => draft);
});

test('shows the changes field by field, and their impact', async () => {
  open();
  expect(await screen.findByRole('heading', { level: 1, name: 'Vendor onboarding' })).toBeDefined();
  expect(screen.getByText(/^Workflow:/).textContent).toBe(`Workflow: vendor-onboarding • Draft: ${DRAFT_ID}`);
  const assess = await card('Assess risk tier');
  expect(assess.getByText('modified')).toBeDefined();
  const [, sla] = assess.getAllByRole('row');
  expect(sla?.textContent).toBe('SLA1 day1 day 4 hours');
  expect(sla?.querySelector('ins')?.textContent).toBe('4 hours');
  expect((await card('Print the contract')).getByText('removed')).toBeDefined();
  expect((await card('Confirm the agreement')).getByText('added')).toBeDefined();
  expect(
    within(screen.getByRole('list', { name: 'Changes' }))
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['1 added', '1 removed', '1 modified', '2 unchanged']);
  expect(server.calls(`GET ${AT}/*/diff`)[0]?.query.get('against')).toBe('live');
  const margin = within(screen.getByRole('complementary', { name: 'Merge and impact' }));
  expect(margin.getByText('0 of 1 approval')).toBeDefined();
  expect(margin.getByText('Slack added: Confirm the agreement')).toBeDefined();
  expect(margin.getByText('3 stay on v7')).toBeDefined();
  expect(margin.getByText('6 saves')).toBeDefined();
  expect(margin.getByRole('button', { name: 'Merge as v8' }).getAttribute('aria-disabled')).toBe('true');
});

test('compares a form cell by cell, and shows conditions and messages with the names of their values', async () => {
  const fields = (...options: string[]) => [
    { id: 'decision', label: 'Decision', kind: 'choice' as const, options, required: true },
  ];
  const decision = 'get value(outputs, "assess").fields.decision';
  draft = aDraftInReview({
    steps: STEPS.map((step) =>
      step.id === 'assess' ? { ...step, type: 'manual' as const, config: { fields: fields('Keep', 'Destroy') } } : step,
    ),
  });
  server.on(`GET ${AT}/*/diff`, {
    json: aDiff({
      detailed: [
        {
          id: 'assess',
          type: 'modified',
          title: 'Assess risk tier',
          changes: {
            config: { before: { fields: fields('Keep', 'Sell') }, after: { fields: fields('Keep', 'Destroy') } },
          },
        },
        {
          id: 'sign',
          type: 'modified',
          title: 'Sign the contract',
          changes: {
            config: {
              before: { condition: `${decision} = "Sell"`, template: 'Sold' },
              after: { condition: `${decision} = "Destroy"`, template: '{{output.assess.fields.decision}}' },
            },
          },
        },
      ],
    }),
  });
  open();
  const form = within((await card('Assess risk tier')).getByRole('region', { name: /^Form of Assess risk tier/ }));
  const [heads, row] = form.getAllByRole('row').map((each) => each.textContent);
  expect(heads).toBe('FieldKindRequiredOptions');
  expect(row).toBe('±modified: DecisionChoiceyesKeep, SellKeep, Destroy');
  const rows = (await card('Sign the contract')).getAllByRole('row').map((each) => each.textContent);
  expect(rows).toContain('ConditionDecision of Assess risk tier is SellDecision of Assess risk tier is Destroy');
  expect(rows).toContain('MessageSold‹Decision of Assess risk tier›');
});

test('shows the diagrams of the live version and of the draft, with the changes marked', async () => {
  const [register, assess] = draft.steps;
  server.on('GET /api/workflows/*/versions/7', {
    json: { ...draft, version: 7, steps: [register, { ...assess, sla: '9 days' }] },
  });
  const { user } = open();
  await card('Assess risk tier');
  await user.click(screen.getByRole('button', { name: 'Show the flow' }));
  const live = within(await screen.findByRole('region', { name: 'Diagram: v7, live now' }));
  expect((await live.findByRole('listitem', { name: /Assess risk tier/ })).getAttribute('aria-label')).toMatch(
    /\. Modified$/,
  );
  const own = within(screen.getByRole('region', { name: 'Diagram: This draft' }));
  expect((await own.findByRole('listitem', { name: /Confirm the agreement/ })).getAttribute('aria-label')).toMatch(
    /\. Added$/,
  );
  await user.click(screen.getByRole('button', { name: 'Hide the flow' }));
  expect(screen.queryByRole('region', { name: /^Diagram/ })).toBeNull();
});

test('shows the diagram of the content that the reader last reviewed, not of the base', async () => {
  const at = '2026-11-18T12:00:00.000Z';
  const reviewId = '019aa000-0000-7000-8000-000000000001';
  draft = aDraftInReview({ own: { approvedAt: null, reviewedAt: at } });
  const CONTENT = `GET ${AT}/*/reviewed-content`;
  const reviewed = draft.steps.map((step) => (step.id === 'sign' ? { ...step, title: 'Sign both copies' } : step));
  server
    .on('GET /api/workflows/*/versions/7', { json: { ...draft, version: 7, steps: [] } })
    .on(`GET ${AT}/*/diff`, ({ query }) => ({
      json: aDiff(
        query.get('against') === 'reviewed' ? { against: { what: 'reviewed', version: null, at, reviewId } } : {},
      ),
    }))
    .on(CONTENT, { json: { at, steps: reviewed } });
  const { user } = open();
  await card('Assess risk tier');
  await user.click(screen.getByRole('button', { name: 'Since your review' }));
  expect(server.calls(CONTENT)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Show the flow' }));
  const before = within(await screen.findByRole('region', { name: 'Diagram: The draft when you last reviewed it' }));
  expect((await before.findByRole('listitem', { name: /Sign both copies/ })).getAttribute('aria-label')).toMatch(
    /\. Modified$/,
  );
  const own = within(screen.getByRole('region', { name: 'Diagram: This draft' }));
  expect((await own.findByRole('listitem', { name: /Confirm the agreement/ })).getAttribute('aria-label')).not.toMatch(
    /Added$/,
  );
  expect(screen.queryByRole('region', { name: /v7/ })).toBeNull();
  expect(server.calls(CONTENT).map(({ query }) => query.get('reviewId'))).toEqual([reviewId]);
});

test('compares an outdated draft with its base and shows a note', async () => {
  draft = aDraftInReview({ baseVersion: 7, liveVersion: 8, nextVersion: 9 });
  server.on(`GET ${AT}/*/diff`, { json: aDiff({ against: { what: 'base', version: 7, at: null, reviewId: null } }) });
  const { user } = open();
  await card('Assess risk tier');
  expect(server.calls(`GET ${AT}/*/diff`)[0]?.query.get('against')).toBe('base');
  expect(screen.getByText(/^asks to replace/).textContent).toContain('asks to replace v8 with a change to v7');
  expect(screen.getByText(/This draft is based on v7, but v8 is live now/)).toBeDefined();
  expect(screen.getByText('Compared with v7, which the draft is based on')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Against v8 (live)' }));
  await waitFor(() => expect(server.calls(`GET ${AT}/*/diff`).at(-1)?.query.get('against')).toBe('live'));
});

test('aligns text that people wrote according to its own direction', async () => {
  const title = 'تسجيل الطلب';
  draft = aDraftInReview({ metadata: { title: 'عقد', description: '' }, comments: [aComment({ body: 'لماذا؟' })] });
  const change = { title: { before: 'طلب', after: title } };
  server.on(`GET ${AT}/*/diff`, {
    json: aDiff({ detailed: [{ id: 'assess', type: 'modified', title, changes: change }] }),
  });
  open();
  await screen.findByRole('article', { name: 'Assess risk tier' });
  for (const cell of screen.getAllByRole('cell')) expect(cell.dir).toBe('auto');
  expect(screen.getByText('لماذا؟').dir).toBe('auto');
});

test('shows the changes since the reader’s own approval', async () => {
  const at = '2026-11-18T12:00:00.000Z';
  draft = aDraftInReview({ own: { approvedAt: at, reviewedAt: at } });
  const { user } = open();
  await card('Print the contract');
  server.on(`GET ${AT}/*/diff`, ({ query }) => ({
    json: aDiff(
      query.get('against') === 'approved'
        ? { summary: { added: [], removed: [], modified: [] }, total: 0, detailed: [] }
        : {},
    ),
  }));
  await user.click(screen.getByRole('button', { name: 'Since your approval' }));
  expect(await screen.findByText('Nothing has changed since then.')).toBeDefined();
  expect(screen.queryByRole('article', { name: 'Print the contract' })).toBeNull();
});

test('J and K move between changes and C comments; these shortcuts can be turned off', async () => {
  const { user } = open();
  await card('Assess risk tier');
  const focused = () => document.activeElement?.getAttribute('data-step');
  await user.keyboard('j');
  expect(focused()).toBe('assess');
  await user.keyboard('jj');
  expect(focused()).toBe('new');
  await user.keyboard('jk');
  expect(focused()).toBe('print');
  await user.keyboard('c');
  expect(document.activeElement).toBe(screen.getByLabelText('Comment on Print the contract', { selector: 'textarea' }));
  await user.keyboard('jc{Escape}');
  expect(screen.queryByLabelText('Comment on Print the contract', { selector: 'textarea' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Turn off the J, K and C shortcuts' }));
  const before = document.activeElement;
  await user.keyboard('j');
  expect(document.activeElement).toBe(before);
});

test('lists 200 changes, counts the others and shows them on request', async () => {
  const all = aDiff();
  server.on(`GET ${AT}/*/diff`, ({ query }) => ({
    json: query.get('limit') === '200' ? { ...all, detailed: all.detailed.slice(0, 1) } : all,
  }));
  const { user } = open();
  expect(await screen.findByText('2 more changes are not shown.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show all 3' }));
  await card('Confirm the agreement');
  expect(screen.queryByText(/not shown/)).toBeNull();
});

test('an unchanged step can be expanded to comment on it', async () => {
  const { user } = open();
  await card('Assess risk tier');
  const fold = screen.getByRole('button', { name: /^1 unchanged step.*Register the request$/ });
  await user.click(fold);
  await user.click(screen.getByRole('button', { name: 'Comment on Register the request' }));
  expect(screen.getByLabelText('Comment on Register the request', { selector: 'textarea' })).toBeDefined();
});

describe('empty and missing reviews', () => {
  test('a draft identical to the live version shows a message', async () => {
    const summary = { added: [], removed: [], modified: [] };
    server.on(`GET ${AT}/*/diff`, { json: aDiff({ summary, total: 0, detailed: [] }) });
    draft = aDraftInReview({ comments: [], steps: STEPS.slice(0, 3) });
    open();
    expect(await screen.findByText('No Changes - The workflow is identical to the original version.')).toBeDefined();
  });

  test.each([
    ['an unknown id', `/app/review?key=vendor-onboarding&id=${DRAFT_ID}`],
    ['no id', '/app/review?key=vendor-onboarding'],
    ['no parameters', '/app/review'],
  ])('an address with %s shows "Draft not found"', async (_, address) => {
    server.on(`GET ${AT}/*`, { status: 404, json: { error: 'Draft not found', code: 'not_found' } });
    renderApp(address, { token: aToken() });
    expect(await screen.findByRole('heading', { level: 1, name: 'Draft not found' })).toBeDefined();
    expect(screen.getByRole('link', { name: 'Back to the workflows' })).toBeDefined();
  });

  test('a version’s number redirects to its former draft', async () => {
    server.on('GET /api/workflows/vendor-onboarding/versions/7', { json: { ...draft, id: DRAFT_ID } });
    const { router } = renderApp('/app/review?key=vendor-onboarding&id=7', { token: aToken() });
    await card('Assess risk tier');
    expect(router.state.location.search).toBe(`?key=vendor-onboarding&id=${DRAFT_ID}`);
  });

  test('shows an error and a retry if the diff or the impact can’t be loaded', async () => {
    server
      .on(`GET ${AT}/*/diff`, { status: 400, json: {} })
      .on(`GET ${AT}/*/impact`, { status: 400, json: { error: 'Not now', code: 'internal' } });
    const { user } = open();
    expect(await screen.findByText('Failed to get diff')).toBeDefined();
    expect(await screen.findByText('Not now')).toBeDefined();
    server.on(`GET ${AT}/*/diff`, { json: aDiff() }).on(`GET ${AT}/*/impact`, { json: anImpact() });
    for (const button of screen.getAllByRole('button', { name: 'Try again' })) await user.click(button);
    await card('Assess risk tier');
    expect(await screen.findByText('3 stay on v7')).toBeDefined();
  });
});

test('people who can only read see the review without actions', async () => {
  server.on('GET /api/auth/me', { json: aUser({ orgRole: 'viewer', orgPermissions: ['workflow.read'] }) });
  draft = aDraftInReview({}, { approve: false, requestChanges: false, comment: false });
  open();
  await card('Assess risk tier');
  for (const name of ['Approve', 'Request changes', 'Merge as v8', 'Comment', 'Reply', /^Resolve/])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

test('shows who has to approve the draft, and who has approved it', async () => {
  const requirement = {
    group: 'compliance',
    name: 'Compliance',
    needed: 1,
    has: 0,
    by: [],
    because: ['Pay has more time'],
  };
  draft = aDraftInReview({
    requirements: [
      { ...requirement, group: null, name: 'Reviewers' },
      requirement,
      { ...requirement, group: 'legal', name: 'Legal', has: 1, by: [draft.createdBy] },
    ],
  });
  open();
  const chips = within(await screen.findByRole('list', { name: 'Who has to approve' }));
  expect(
    chips.getAllByRole('listitem').map((item) => item.textContent?.replaceAll(/[\u200E\u2068\u2069]/g, '')),
  ).toEqual(['Reviewers 0 of 1', 'Compliance 0 of 1', 'Legal 1 of 1']);
  expect(chips.getByTitle(`Approved by ${draft.createdBy.name}`)).toBeDefined();
});

test('says before the submission who has to approve', async () => {
  const because = ['Pay has more time'];
  draft = aDraftInReview(
    {
      status: 'draft',
      requirements: [{ group: 'compliance', name: 'Compliance', needed: 1, has: 0, by: [], because }],
    },
    { submit: true },
  );
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Submit for review' }));
  const part = await screen.findByRole('region', { name: 'Who has to approve' });
  expect(part.textContent).toContain('Compliance, because: Pay has more time');
});

describe('findings and invisible characters', () => {
  const findings = [
    ...Array.from({ length: 11 }, (_, n) =>
      aFinding({
        code: 'approval_bypassed',
        stepId: n === 0 ? 'assess' : `s${n}`,
        sentence: `CFO approval is no longer required before Pay ${n}`,
      }),
    ),
    aFinding({ code: 'condition_changed', effect: 'unknown', stepId: 'sign', sentence: 'Sign is decided differently' }),
    aFinding({
      code: 'restored_version',
      effect: 'neutral',
      stepId: null,
      sentence: 'The content is the same as in v3',
    }),
  ];

  test('shows the findings of a draft, each with its effect', async () => {
    server.on(`GET ${AT}/*/findings`, { json: findings });
    open();
    const name = 'This draft removes or weakens 11 controls, and has a change that only a person can judge';
    const band = within(await screen.findByRole('region', { name }));
    expect(band.getAllByRole('listitem', { hidden: true }).map((item) => item.textContent)).toEqual(
      findings.map(({ sentence }, n) => `${n < 11 ? 'Weaker' : n === 11 ? 'To judge' : 'Note'}${sentence}`),
    );
    expect(band.getByText('and 3 more')).toBeDefined();
    // The margin doesn't list the lost controls again.
    expect(screen.queryByText('Controls lost or weakened')).toBeNull();
  });

  test('names members instead of their addresses', async () => {
    const sentence = 'Release: done by jonas.weber@haldenworks.example instead of the role reviewer';
    const member: Member = { ...JONAS, role: 'reviewer', provedBy: 'mailbox', addedBy: null, confirmedBy: null };
    server.on('GET /api/organizations/*/users', { json: [member] });
    server.on(`GET ${AT}/*/findings`, { json: [aFinding({ sentence })] });
    open();
    expect(await screen.findByText('Release: done by Jonas Weber instead of the role reviewer')).toBeDefined();
  });

  test('leads from a finding to its step, even if the step is folded because it is unchanged', async () => {
    server.on(`GET ${AT}/*/findings`, {
      json: [
        aFinding({ stepId: 'assess', sentence: 'Assess has more time' }),
        aFinding({ stepId: 'sign', sentence: 'Sign no longer waits for Print' }),
      ],
    });
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Assess has more time' }));
    expect(document.activeElement).toBe(await screen.findByRole('article', { name: 'Assess risk tier' }));
    expect(screen.queryByRole('article', { name: 'Sign the contract' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Sign no longer waits for Print' }));
    expect(document.activeElement).toBe(screen.getByRole('article', { name: 'Sign the contract' }));
  });

  test('says that a draft has no findings', async () => {
    server.on(`GET ${AT}/*/findings`, { json: [] });
    open();
    const band = within(await screen.findByRole('region', { name: 'This draft weakens no controls' }));
    expect(band.queryByRole('listitem')).toBeNull();
  });

  test('says that the check failed on the server', async () => {
    const sentence = 'An error in Stet prevented the check for lost controls';
    server.on(`GET ${AT}/*/findings`, {
      json: [aFinding({ code: 'unclassified', effect: 'unknown', stepId: null, sentence })],
    });
    open();
    const name = 'This draft couldn’t be checked for lost controls';
    expect(within(await screen.findByRole('region', { name })).getByText(sentence)).toBeDefined();
  });

  test('offers to load the findings again if loading failed', async () => {
    server.on(`GET ${AT}/*/findings`, { status: 400, json: { error: 'Not now', code: 'internal' } });
    const { user } = open();
    expect(await screen.findByText('Failed to load the check for lost controls')).toBeDefined();
    server.on(`GET ${AT}/*/findings`, { json: [] });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('region', { name: 'This draft weakens no controls' })).toBeDefined();
  });

  test('lists addresses that may be deceptive, with their step', async () => {
    const at = { stepId: 'assess', title: 'Assess risk tier', field: 'assignee' as const };
    server.on(`GET ${AT}/*/impact`, {
      json: anImpact({
        warnings: [
          { kind: 'mixed_scripts', ...at, address: 'p\u0430ul@example.com' },
          { kind: 'not_a_member', ...at, address: 'gone@example.com' },
        ],
      }),
    });
    open();
    const list = within(await screen.findByRole('region', { name: 'Addresses to check' }));
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Assess risk tier: p\u0430ul@example.com mixes letters from several scripts. Check that it is the address you mean.',
      "Assess risk tier: gone@example.com is assigned but isn't a member of this organization.",
    ]);
  });

  test('writes out invisible characters in titles and changes', async () => {
    server.on(`GET ${AT}/*/diff`, {
      json: aDiff({
        detailed: [
          {
            id: 'assess',
            type: 'modified',
            title: 'Assess risk tier',
            changes: { assignee: { before: 'ann@example.com', after: 'ann@exam\u200Bple.com' } },
          },
          { id: 'new', type: 'added', value: { ...STEPS[3], title: 'Confirm\u202E' }, previous: ['sign'] },
        ],
      }),
    });
    draft = aDraftInReview({
      steps: STEPS.map((step) => (step.id === 'new' ? { ...step, title: 'Confirm\u202E' } : step)),
    });
    open();
    const assess = await card('Assess risk tier');
    expect(assess.getByText('ann@exam⟨U+200B⟩ple.com')).toBeDefined();
    expect(await screen.findByRole('article', { name: 'Confirm⟨U+202E⟩' })).toBeDefined();
  });

  test('shows the position of an added step, and ids if steps have the same title', async () => {
    const twins = STEPS.map((step) => (step.id === 'sign' || step.id === 'assess' ? { ...step, title: 'Twin' } : step));
    draft = aDraftInReview({ steps: twins });
    server.on(`GET ${AT}/*/diff`, {
      json: aDiff({
        total: 1,
        detailed: [{ id: 'new', type: 'added', value: { ...STEPS[3], next: ['assess'] }, previous: ['sign'] }],
      }),
    });
    open();
    const added = await card('Confirm the agreement');
    expect(added.getByText('Twin (sign)')).toBeDefined();
    expect(added.getByText('Twin (assess)')).toBeDefined();
    expect(screen.getByText('Twin (sign): It still needs a task.')).toBeDefined();
  });
});
