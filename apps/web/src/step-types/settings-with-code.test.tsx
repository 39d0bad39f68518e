import { SCRIPT_CEILING_HINT } from '@stet/domain/steps';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { startFakeServer } from '../testing/fake-server.ts';
import { STEPS, cleanUpFields, open, step } from './step-settings.fixture.tsx';

cleanUpFields();

const TRIAL = 'POST /api/workflows/script-trial';

describe('a condition step', () => {
  it('can lead to any later step, but never to an earlier one', async () => {
    const { now, user } = await open('risk');
    const holds = await screen.findByRole('combobox', { name: 'If true, go to' });
    expect(
      within(holds)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['The next step', '3 Compliance review', '4 Tell the requester']);
    await user.selectOptions(holds, '4 Tell the requester');
    await user.selectOptions(screen.getByRole('combobox', { name: 'If false, go to' }), '3 Compliance review');
    expect(now.step).toMatchObject({ config: { trueNext: 'tell', falseNext: 'review' }, next: ['tell', 'review'] });
  });

  it('is evaluated with sample data and shows where it leads', async () => {
    const { user } = await open('risk');
    expect(await screen.findByRole('textbox', { name: 'Condition' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Try it' }));
    expect(await screen.findByText('True: leads to 3 Compliance review')).toBeTruthy();
    const sample = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Sample outputs' });
    const other = sample.value.replace('"spend": 100', '"spend": 1');
    await user.clear(sample);
    expect(screen.getByText('This is not valid JSON')).toBeTruthy();
    await user.click(sample);
    await user.paste(other);
    expect(await screen.findByText('False: leads to 4 Tell the requester')).toBeTruthy();
  });

  it('shows an error below the editor if it is invalid', async () => {
    await open('risk', {
      steps: STEPS.map((each) =>
        each.id === 'risk' ? step('risk', 'R', 'condition', [], { condition: 'collect.text =' }) : each,
      ),
    });
    expect(await screen.findByText(/The expression is incomplete/)).toBeTruthy();
  });
});

describe('an automated step', () => {
  it('has a script and a time limit within the allowed range', async () => {
    const { now, user } = await open('job', { steps: [...STEPS, step('job', 'Score', 'automated', [])] });
    expect(await screen.findByRole('textbox', { name: 'Script' })).toBeTruthy();
    const time = screen.getByRole<HTMLInputElement>('textbox', { name: 'Timeout in seconds' });
    expect(time.value).toBe('300');
    expect(document.getElementById(time.getAttribute('aria-describedby') ?? '')?.textContent).toBe(SCRIPT_CEILING_HINT);
    await user.clear(time);
    await user.type(time, '4000');
    expect(screen.getByText('Enter a whole number from 1 to 3600')).toBeTruthy();
    await user.clear(time);
    await user.type(time, '60');
    expect(now.step.config).toEqual({ timeout: 60 });
  });
});

describe('trying a script', () => {
  const steps = [...STEPS, step('job', 'Score', 'automated', [], { script: 'return outputs.a', timeout: 60 })];

  it('runs on the server with sample data and shows the result and the log', async () => {
    const server = startFakeServer().on(TRIAL, { json: { ok: true, output: { value: 71 }, log: ['looked'] } });
    const { user } = await open('job', { steps });
    await user.click(await screen.findByRole('button', { name: 'Try it' }));
    expect(await screen.findByText('Returned')).toBeTruthy();
    expect(screen.getByLabelText('Returned value').textContent).toContain('71');
    expect(screen.getByLabelText('Log').textContent).toBe('looked');
    expect(server.calls(TRIAL)[0]?.body).toMatchObject({
      script: 'return outputs.a',
      timeout: 60,
      outputs: {},
      run: { name: 'Sample run' },
      step: { id: 'job', title: 'Score' },
    });
  });

  it('shows why it failed and is disabled while the sample isn’t valid JSON', async () => {
    const server = startFakeServer().on(TRIAL, { json: { ok: false, reason: 'The script took too long', log: [] } });
    const { user } = await open('job', { steps });
    await user.click(await screen.findByRole('button', { name: 'Try it' }));
    expect(await screen.findByText('The script took too long')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Run script' }));
    await waitFor(() => expect(server.calls(TRIAL)).toHaveLength(2));
    await user.type(screen.getByRole('textbox', { name: 'Sample outputs' }), 'x');
    const run = screen.getByRole('button', { name: 'Run script' });
    expect(run.getAttribute('aria-disabled')).toBe('true');
    await user.click(run);
    expect(server.calls(TRIAL)).toHaveLength(2);
  });
});
