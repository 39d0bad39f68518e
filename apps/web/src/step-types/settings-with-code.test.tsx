import { SCRIPT_CEILING_HINT } from '@stet/domain/steps';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { startFakeServer } from '../testing/fake-server.ts';
import { STEPS, cleanUpFields, open, step } from './step-settings.fixture.tsx';

cleanUpFields();

const withCondition = (condition: string) =>
  STEPS.map((each) => (each.id === 'risk' ? step('risk', 'R', 'condition', ['review'], { condition }) : each));

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

  it('has comparisons that can be picked from lists', async () => {
    const { now, user } = await open('risk', { steps: withCondition('') });
    const value = await screen.findByRole('combobox', { name: 'Value' });
    await user.click(value);
    expect(screen.getAllByRole('group').flatMap((group) => group.textContent)).toContain(
      '1 Collect documentsTextSpend',
    );
    await user.keyboard('spen{Enter}');
    expect(value).toHaveProperty('value', 'Spend of Collect documents');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Test' }), 'is at least');
    await user.type(screen.getByRole('textbox', { name: 'Compare with' }), '1x');
    expect(now.step.config).not.toHaveProperty('condition');
    await user.tab();
    await user.click(screen.getByRole('button', { name: 'Add comparison' }));
    expect(screen.getByText('Enter a number')).toBeTruthy();
    const first = screen.getByRole('group', { name: 'Comparison 1' });
    await user.type(within(first).getByRole('textbox', { name: 'Compare with' }), '{Backspace}50');
    expect(now.step.config).toMatchObject({ condition: 'collect.fields.spend >= 150' });

    const second = screen.getByRole('group', { name: 'Comparison 2' });
    await user.click(within(second).getByRole('combobox', { name: 'Value' }));
    await user.click(screen.getByRole('option', { name: 'Priority' }));
    await user.selectOptions(within(second).getByRole('combobox', { name: 'Compare with' }), 'high');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Join the comparisons with' }), 'or');
    expect(now.step.config).toMatchObject({ condition: 'collect.fields.spend >= 150 or run.priority = "high"' });
    await user.click(screen.getByRole('button', { name: 'Remove comparison 1' }));
    expect(now.step.config).toMatchObject({ condition: 'run.priority = "high"' });
  });

  it('shows simple comparisons in lists and leaves the text of unchanged ones as it is', async () => {
    const typed = ' 50 <  collect.fields.spend  and run.priority="high"';
    const { now, user } = await open('risk', { steps: withCondition(typed) });
    const [first, second] = await screen.findAllByRole('combobox', { name: 'Value' });
    expect([first, second].map((each) => (each as HTMLInputElement).value)).toEqual([
      'Spend of Collect documents',
      'Priority of the run',
    ]);
    await user.click(screen.getByRole('button', { name: 'Edit as expression' }));
    expect(await screen.findByRole('textbox', { name: 'Condition' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Pick from lists' }));
    expect(now.step.config).toMatchObject({ condition: typed });
    const [, compared] = screen.getAllByLabelText('Compare with');
    await user.selectOptions(compared as HTMLElement, 'low');
    expect(now.step.config).toMatchObject({ condition: '50 <  collect.fields.spend and run.priority = "low"' });
  });

  it('opens other expressions as text', async () => {
    const { user } = await open('risk', { steps: withCondition('collect.fields.spend + 1 > 2') });
    expect(await screen.findByRole('textbox', { name: 'Condition' })).toBeTruthy();
    const back = screen.getByRole('button', { name: 'Pick from lists' });
    expect(back.getAttribute('aria-disabled')).toBe('true');
    await user.click(back);
    expect(screen.queryByRole('combobox', { name: 'Value' })).toBeNull();
  });

  it('is evaluated with sample data and shows where it leads', async () => {
    const { user } = await open('risk');
    await user.click(await screen.findByRole('button', { name: 'Try it' }));
    expect(await screen.findByText('True: leads to 3 Compliance review')).toBeTruthy();
    const sample = screen.getByRole('textbox', { name: 'Spend of Collect documents' });
    await user.clear(sample);
    await user.type(sample, '1');
    expect(await screen.findByText('False: leads to 4 Tell the requester')).toBeTruthy();
  });

  it('shows an error below the editor if its expression is invalid', async () => {
    await open('risk', {
      steps: withCondition('collect.text ='),
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

describe('the trial of a script', () => {
  const steps = [...STEPS, step('job', 'Score', 'automated', [], { script: 'return outputs.a', timeout: 60 })];

  it('runs it on the server with sample data and shows the result and the log', async () => {
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

  it('shows why it failed, and runs it with other sample values', async () => {
    const server = startFakeServer().on(TRIAL, { json: { ok: false, reason: 'The script took too long', log: [] } });
    const { user } = await open('job', {
      steps: [
        step('collect', 'Collect documents', 'manual', ['job']),
        step('job', 'Score', 'automated', [], { script: 'return outputs.collect.text', timeout: 60 }),
      ],
    });
    await user.click(await screen.findByRole('button', { name: 'Try it' }));
    expect(await screen.findByText('The script took too long')).toBeTruthy();
    const text = screen.getByRole('textbox', { name: 'Text of Collect documents' });
    await user.clear(text);
    await user.type(text, 'none');
    await user.click(screen.getByRole('button', { name: 'Run script' }));
    await waitFor(() => expect(server.calls(TRIAL)).toHaveLength(2));
    expect(server.calls(TRIAL)[1]?.body).toMatchObject({ outputs: { collect: { text: 'none' } } });
  });
});
