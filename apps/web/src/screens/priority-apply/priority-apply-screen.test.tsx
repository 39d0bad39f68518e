import { cleanup, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const APPLY = 'POST /api/waitlist/priority-application';
const ADDRESS = '/priority-apply?email=mara%40haldenworks.example';
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const number = (of: number) => screen.findByText(`Question ${of} of 8`);
const go = () => screen.getByRole('button', { name: /^(Continue|Submit Application)$/ });
const canGoOn = () => go().getAttribute('aria-disabled') === null;

type App = ReturnType<typeof renderApp>;

/** Starts the application, and answers the required questions before question `to`, until it is shown. */
async function openQuestion(to: number, address = ADDRESS): Promise<App> {
  const app = renderApp(address);
  await heading('Apply for Priority Access');
  await app.user.keyboard('{Enter}');
  for (let at = 1; at < to; at++) {
    await number(at);
    await app.user.keyboard(at === 2 ? '4{Enter}' : '{Enter}');
  }
  await number(to);
  return app;
}

describe('the application', () => {
  test('can be completed with the keyboard alone', async () => {
    const server = startFakeServer().on(APPLY, { json: { message: 'ok' } });
    const { user, router } = renderApp(ADDRESS);
    await heading('Apply for Priority Access');
    expect(screen.queryByRole('progressbar')).toBeNull();
    expect(screen.getByRole('button', { name: 'Start Application' })).toBeDefined();
    await user.keyboard('{Enter}');

    await heading('Where should we send your invite?');
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('mara@haldenworks.example');
    await user.keyboard('{Enter}');

    await heading('What is your role?');
    await user.keyboard('{Enter}');
    await user.keyboard('0{Enter}');

    await heading('Which tools have you recently used to document or edit processes/workflows?');
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('3');
    await user.keyboard('1238');
    await user.keyboard('SharePoint 2');
    await user.keyboard('{Enter}');

    await heading('Which of these other tools do you and your team use?');
    await user.keyboard('773{Enter}');

    await heading('What are your biggest frustrations with process documentation tools?');
    await user.keyboard('Nobody reads them.{Shift>}{Enter}{/Shift}Nor do I.{Enter}');

    await heading('What kinds of processes are you regularly documenting?');
    await user.keyboard('Audits{Enter}');

    await heading('How many people do you regularly collaborate with on process documentation?');
    await user.keyboard('12{Enter}');

    await heading('How frequently are you working on process documentation?');
    await user.keyboard('2{Enter}');

    await heading('Thank you!');
    expect(
      screen.getByText(
        "Your priority list application has been submitted. We'll review it and get back to you soon with next steps.",
      ),
    ).toBeDefined();
    expect(screen.queryByRole('progressbar')).toBeNull();
    expect(server.calls(APPLY).map(({ body }) => body)).toEqual([
      {
        email: 'mara@haldenworks.example',
        role: 'Knowledge Manager / Knowledge Base Admin',
        otherRole: '',
        documentationTools: ['Confluence', 'Notion', 'Miro', 'Other'],
        otherDocumentationTool: 'SharePoint 2',
        teamTools: ['Miro'],
        otherTeamTool: '',
        frustrations: 'Nobody reads them.\nNor do I.',
        processTypes: 'Audits',
        collaborationSize: '12',
        frequency: 'Weekly',
      },
    ]);
    expect(sessionStorage).toHaveLength(0);
    await user.keyboard('{Enter}');
    await screen.findByRole('button', { name: 'Get early access' });
    expect(router.state.location.pathname).toBe('/');
  });

  test('has a Back link to the start page', async () => {
    startFakeServer();
    const { user, router } = await openQuestion(3);
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await screen.findByRole('button', { name: 'Get early access' });
    expect(router.state.location.pathname).toBe('/');
  });

  test('returns to the previous question with Back or the browser’s Back and keeps the answers', async () => {
    startFakeServer();
    const { user, router } = await openQuestion(2);
    await user.click(screen.getByRole('radio', { name: 'Process Owner' }));
    await user.click(go());
    await number(3);
    await user.click(screen.getByRole('checkbox', { name: 'Scribe' }));
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await number(2);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Process Owner' }).checked).toBe(true);
    await user.click(go());
    await number(3);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Scribe' }).checked).toBe(true);
    await router.navigate(-1);
    await number(2);
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await number(1);
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await heading('Apply for Priority Access');
  });

  test('keeps the answers and the question after a reload', async () => {
    startFakeServer();
    const { user, router } = await openQuestion(5);
    await user.keyboard('Too many boxes');
    const { pathname, search, state } = router.state.location as { pathname: string; search: string; state: unknown };
    cleanup();
    const again = renderApp(`${pathname}${search}`);
    await again.router.navigate({ pathname, search }, { state });
    await number(5);
    expect(screen.getByLabelText<HTMLTextAreaElement>('Your frustrations').value).toBe('Too many boxes');
  });

  test('shows the first unanswered required question if a later one is opened', async () => {
    startFakeServer();
    const { router } = renderApp('/priority-apply');
    await heading('Apply for Priority Access');
    await router.navigate('/priority-apply', { state: { step: 'frequency' } });
    await number(1);
  });
});

describe('the validation of answers', () => {
  test.each([
    ['mara', false],
    ['mara@haldenworks', false],
    ['  mara@haldenworks.example  ', true],
  ])('continues with the address %j only if it is complete', async (text, expected) => {
    startFakeServer();
    const { user } = await openQuestion(1, '/priority-apply');
    expect(canGoOn()).toBe(false);
    expect(screen.getByRole('status').textContent).toBe('Enter a complete email address');
    await user.type(screen.getByLabelText('Email'), text);
    expect(canGoOn()).toBe(expected);
    await user.keyboard('{Enter}');
    await number(expected ? 2 : 1);
  });

  test('shows the contract’s message next to the field for an invalid address and stays on the question', async () => {
    startFakeServer();
    const { user } = await openQuestion(1, '/priority-apply');
    await user.type(screen.getByLabelText('Email'), 'mara;@haldenworks.example');
    expect(canGoOn()).toBe(true);
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Please enter a valid email address')).toBeDefined();
    await number(1);
  });

  test('returns to the question whose answer the server refuses and shows why', async () => {
    const problem = 'is not on our list';
    startFakeServer().on(APPLY, {
      status: 400,
      json: { error: `email ${problem}`, code: 'invalid_request', details: [{ field: 'email', problem }] },
    });
    const { user } = await openQuestion(8);
    await user.keyboard('1{Enter}');
    await number(1);
    expect(screen.getByText('Is not on our list')).toBeDefined();
    expect(document.activeElement).toBe(screen.getByLabelText('Email'));
  });

  test('requires more than one character for a custom role', async () => {
    startFakeServer();
    const { user } = await openQuestion(2);
    expect(canGoOn()).toBe(false);
    await user.click(screen.getByRole('radio', { name: 'Other' }));
    const other = screen.getByLabelText('What is your role?');
    expect(canGoOn()).toBe(false);
    await user.type(other, ' Q ');
    expect(canGoOn()).toBe(false);
    await user.type(other, 'A');
    expect(canGoOn()).toBe(true);
  });

  test('focuses the field for Other if Other was chosen with a pointer, but not with the space key', async () => {
    startFakeServer();
    const { user } = await openQuestion(3);
    await user.click(screen.getByText('Other'));
    expect(document.activeElement).toBe(screen.getByLabelText('Which other tool?'));
    await user.click(screen.getByText('Other'));
    expect(screen.queryByLabelText('Which other tool?')).toBeNull();
    screen.getByRole('checkbox', { name: 'Other' }).focus();
    await user.keyboard(' ');
    expect(screen.getByLabelText('Which other tool?')).toBeDefined();
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Other' }));
  });

  test('sends nothing without a frequency', async () => {
    const server = startFakeServer();
    const { user } = await openQuestion(8);
    expect(canGoOn()).toBe(false);
    await user.keyboard('{Enter}');
    await user.click(go());
    expect(server.calls(APPLY)).toHaveLength(0);
  });
});

describe('sending', () => {
  test.each([
    ['the server’s message', { status: 429, json: { error: 'Too many tries.' } }, 'Too many tries.'],
    ['a fallback message', { status: 500, text: '' }, 'Failed to submit application'],
  ] as const)(
    'stays on the last question after a failure, shows %s and can be repeated',
    async (_, answer, sentence) => {
      const server = startFakeServer().on(APPLY, answer);
      const { user } = await openQuestion(8);
      await user.keyboard('1{Enter}');
      expect((await screen.findByRole('alert')).textContent).toBe(sentence);
      await number(8);
      server.on(APPLY, { json: { message: 'ok' } });
      await user.click(screen.getByRole('button', { name: 'Submit Application' }));
      await heading('Thank you!');
    },
  );

  test('shows the progress and sends once, even if the button is pressed repeatedly', async () => {
    let answer = () => {};
    const pending = new Promise<void>((resolve) => (answer = resolve));
    const server = startFakeServer().on(APPLY, async () => {
      await pending;
      return { json: { message: 'ok' } };
    });
    const { user } = await openQuestion(8);
    await user.keyboard('1{Enter}{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Submitting...' }));
    answer();
    await heading('Thank you!');
    expect(server.calls(APPLY)).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await screen.findByRole('button', { name: 'Get early access' });
  });
});
