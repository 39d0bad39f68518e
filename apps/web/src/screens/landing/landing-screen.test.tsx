import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import { aToken } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const SIGNUP = 'POST /api/waitlist/signup';
const COUNT = 'GET /api/waitlist/count';
const openButton = () => screen.findByRole('button', { name: 'Get early access' });
/** Waits for the form, whose code loads when the card opens. */
const emailShown = () => screen.findByLabelText('Email');
const emailField = () => screen.getByLabelText<HTMLInputElement>('Email');

async function openCard() {
  const app = renderApp('/');
  await app.user.click(await openButton());
  await emailShown();
  return app;
}

test('the page describes the product and links to log in and sign up', async () => {
  startFakeServer().on(COUNT, { json: { count: 3 } });
  renderApp('/');
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Stop Drawing. Start Documenting.');
  expect(screen.getByText('Easily. Beautifully. Collaboratively.')).toBeDefined();
  expect(screen.getByText('Become a genius.')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login');
  expect(screen.getByRole('link', { name: 'Create account' }).getAttribute('href')).toBe('/signup');
});

test('a signed-in visitor sees a link to the app instead', async () => {
  startFakeServer();
  renderApp('/', { token: aToken() });
  expect((await screen.findByRole('link', { name: 'Go to your workflows' })).getAttribute('href')).toBe('/app');
  expect(screen.queryByRole('link', { name: 'Log in' })).toBeNull();
});

describe('the badge', () => {
  const badge = async () => (await screen.findByText('People are on waitlist')).closest('p')?.textContent;

  test('shows the number of people', async () => {
    startFakeServer().on(COUNT, { json: { count: 1204 } });
    renderApp('/');
    expect(await badge()).toBe('1,204 People are on waitlist');
  });

  test.each([
    [24, 'People are on waitlist'],
    [25, '25 People are on waitlist'],
  ])('shows the number only if it is at least 25: %i as “%s”', async (count, words) => {
    startFakeServer().on(COUNT, { json: { count } });
    renderApp('/');
    expect((await badge())?.trim()).toBe(words);
  });

  test('shows no number if the server sends none', async () => {
    startFakeServer().on(COUNT, { status: 503, text: '' });
    renderApp('/');
    expect((await badge())?.trim()).toBe('People are on waitlist');
  });

  test('counts a person who has just joined', async () => {
    let count = 27;
    startFakeServer()
      .on(COUNT, () => ({ json: { count } }))
      .on(SIGNUP, () => {
        count = 28;
        return { json: { message: 'ok' } };
      });
    const { user } = await openCard();
    expect(await badge()).toBe('27 People are on waitlist');
    await user.type(emailField(), 'mara@haldenworks.example{Enter}');
    await waitFor(async () => expect(await badge()).toBe('28 People are on waitlist'));
  });
});

describe('the waitlist card', () => {
  test('replaces the button and focuses its field', async () => {
    startFakeServer();
    await openCard();
    expect(screen.getByRole('heading', { name: 'Get Early Access' })).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Get early access' })).toBeNull();
    expect(document.activeElement).toBe(emailField());
    expect(emailField().placeholder).toBe('Enter your email address');
  });

  test('sends nothing while the address is empty', async () => {
    const server = startFakeServer();
    const { user } = await openCard();
    const signUp = screen.getByRole('button', { name: 'Sign Up' });
    expect(signUp.getAttribute('aria-disabled')).toBe('true');
    await user.click(signUp);
    await user.type(emailField(), '   {Enter}');
    expect(server.calls(SIGNUP)).toHaveLength(0);
    await user.type(emailField(), 'm');
    expect(signUp.getAttribute('aria-disabled')).toBeNull();
  });

  test('shows the progress, then offers the priority list and passes on the address', async () => {
    let answer = () => {};
    const pending = new Promise<void>((resolve) => (answer = resolve));
    const server = startFakeServer().on(SIGNUP, async () => {
      await pending;
      return { json: { message: 'ok' } };
    });
    const { user, router } = await openCard();
    await user.type(emailField(), ' mara+list@haldenworks.example ');
    await user.click(screen.getByRole('button', { name: 'Sign Up' }));
    const busy = await screen.findByRole('button', { name: 'Signing up...' });
    await user.click(busy);
    answer();

    expect(await screen.findByRole('heading', { name: "You're on the list!" })).toBe(document.activeElement);
    expect(screen.getByText('Do you want to get on the priority list?')).toBeDefined();
    expect(server.calls(SIGNUP).map(({ body }) => body)).toEqual([{ email: 'mara+list@haldenworks.example' }]);
    expect(server.calls(SIGNUP)[0]?.headers.has('authorization')).toBe(false);
    await user.click(screen.getByRole('button', { name: 'Apply for priority list' }));
    await screen.findByRole('heading', { name: 'Apply for Priority Access' });
    expect(router.state.location.pathname).toBe('/priority-apply');
    expect(new URLSearchParams(router.state.location.search).get('email')).toBe('mara+list@haldenworks.example');
  });

  test('doesn’t send an invalid address and shows the contract’s message below it', async () => {
    const server = startFakeServer().on(SIGNUP, { json: { message: 'ok' } });
    const { user } = await openCard();
    await user.type(emailField(), 'mara{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('Please enter a valid email address');
    expect(document.activeElement).toBe(emailField());
    expect(server.calls(SIGNUP)).toHaveLength(0);
  });

  test('closes with Maybe later, returns the focus and discards the address', async () => {
    startFakeServer().on(SIGNUP, { json: { message: 'ok' } });
    const { user } = await openCard();
    await user.type(emailField(), 'mara@haldenworks.example{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Maybe later' }));
    expect(await openButton()).toBe(document.activeElement);
    await user.click(await openButton());
    await emailShown();
    expect(emailField().value).toBe('');
  });

  test('closes with Cancel or Escape, clears the address and error, and returns the focus', async () => {
    startFakeServer().on(SIGNUP, { status: 400, json: { error: 'Please enter a valid email address' } });
    const { user } = await openCard();
    for (const leave of [
      () => user.click(screen.getByRole('button', { name: 'Cancel' })),
      () => user.keyboard('{Escape}'),
    ]) {
      await user.type(emailField(), 'mara@{Enter}');
      expect(await screen.findByRole('alert')).toBeDefined();
      await leave();
      expect(await openButton()).toBe(document.activeElement);
      await user.click(await openButton());
      await emailShown();
      expect(emailField().value).toBe('');
      expect(screen.queryByRole('alert')).toBeNull();
    }
  });

  test('ignores a response that arrives after Cancel', async () => {
    let answer = () => {};
    const pending = new Promise<void>((resolve) => (answer = resolve));
    const server = startFakeServer().on(SIGNUP, async () => {
      await pending;
      return { json: { message: 'ok' } };
    });
    const { user } = await openCard();
    await user.type(emailField(), 'mara@haldenworks.example{Enter}');
    await screen.findByRole('button', { name: 'Signing up...' });
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    answer();
    await user.click(await openButton());
    await emailShown();
    await user.type(emailField(), 'tomas@haldenworks.example');
    expect(server.calls(SIGNUP)).toHaveLength(1);
    expect(emailField().value).toBe('tomas@haldenworks.example');
    expect(screen.queryByText("You're on the list!")).toBeNull();
  });

  const refusals = [
    [
      'the server’s message',
      { status: 429, json: { error: 'Too many tries. Wait a minute.' } },
      'Too many tries. Wait a minute.',
    ],
    [
      'the response’s text if it isn’t JSON',
      { status: 502, text: `Bad gateway ${'x'.repeat(300)}` },
      `Bad gateway ${'x'.repeat(188)}`,
    ],
    ['a fallback message if the response is empty', { status: 500, text: '' }, 'Failed to sign up'],
  ] as const;
  test.each(refusals)('shows %s below the address and keeps the address', async (_, answer, sentence) => {
    startFakeServer().on(SIGNUP, answer);
    const { user } = await openCard();
    await user.type(emailField(), 'mara@haldenworks.example{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe(sentence);
    const field = emailField();
    expect(field.value).toBe('mara@haldenworks.example');
    expect(document.activeElement).toBe(field);
    expect(field.getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id);
    expect(within(document.body).queryByText("You're on the list!")).toBeNull();
  });

  test('shows a message if there is no response', async () => {
    const server = startFakeServer();
    const { user } = await openCard();
    server.goDown();
    await user.type(emailField(), 'mara@haldenworks.example{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('can’t be reached');
  });
});
