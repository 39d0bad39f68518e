import { SCRIPT_CEILING_HINT } from '@stet/domain/defaults';
import type { Step } from '@stet/domain/workflows';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import { UiProvider } from '../../ui/ui-provider.tsx';
import { StepConfigFields } from './parts/step-config-fields.tsx';

const TRIAL = 'POST /api/workflows/script-trial';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const step = (id: string, title: string, type: Step['type'], next: string[], config: object = {}): Step => ({
  id,
  type,
  title,
  description: '',
  assignee: '',
  sla: '',
  config,
  next,
});

const STEPS = [
  step('collect', 'Collect documents', 'manual', ['risk'], {
    fields: [{ id: 'spend', label: 'Spend', kind: 'number', required: true }],
  }),
  step('risk', 'High risk?', 'condition', ['review', 'tell'], {
    condition: 'collect.fields.spend > 50',
    trueNext: 'review',
    falseNext: 'tell',
  }),
  step('review', 'Compliance review', 'approval', ['tell'], { minimumApprovers: 1 }),
  step('tell', 'Tell the requester', 'notification', []),
];

/** Shows a step's fields as a dialog would, and gives the step as it stands at any time. */
function open(id: string, { readOnly = false, steps = STEPS } = {}) {
  const now = { step: steps.find((each) => each.id === id) ?? step('x', '', 'manual', []) };
  function Host() {
    const [all, setAll] = useState(steps);
    const shown = all.find((each) => each.id === id) ?? now.step;
    const change = (next: Step) => {
      now.step = next;
      setAll(all.map((each) => (each.id === id ? next : each)));
    };
    return <StepConfigFields step={shown} steps={all} readOnly={readOnly} tried={false} onChange={change} />;
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Host />
    </QueryClientProvider>,
    { wrapper: UiProvider },
  );
  return { now, user: userEvent.setup() };
}

describe('a manual step', () => {
  it('gets a form: fields are added, named by their labels, and told what is wrong with them', async () => {
    const { now, user } = open('collect');
    await user.click(screen.getByRole('button', { name: 'Add field' }));
    const added = screen.getByRole('listitem', { name: 'Field 2' });
    await user.type(within(added).getByRole('textbox', { name: 'Label' }), 'Risk tier');
    const row = screen.getByRole('listitem', { name: 'Risk tier' });
    await user.selectOptions(within(row).getByRole('combobox', { name: 'Kind' }), 'Choice');
    await user.tab();
    expect(within(row).getByText('A choice needs at least one option')).toBeTruthy();
    await user.type(within(row).getByRole('textbox', { name: 'Options, one a line' }), 'low{Enter}high');
    await user.click(within(row).getByRole('checkbox', { name: 'Required' }));
    expect(now.step.config).toEqual({
      fields: [
        { id: 'spend', label: 'Spend', kind: 'number', required: true },
        { id: 'risk_tier', label: 'Risk tier', kind: 'choice', options: ['low', 'high'], required: true },
      ],
    });
    expect(within(row).queryByText('A choice needs at least one option')).toBeNull();
  });

  it('keeps the name of a field that was there, and puts fields in order by keyboard', async () => {
    const { now, user } = open('collect');
    await user.click(screen.getByRole('button', { name: 'Add field' }));
    await user.type(within(screen.getByRole('listitem', { name: 'Field 2' })).getByLabelText('Label'), 'Note');
    await user.type(within(screen.getByRole('listitem', { name: 'Spend' })).getByLabelText('Label'), ' in euro');
    screen.getByRole('button', { name: 'Move Note up' }).focus();
    await user.keyboard('{Enter}');
    expect(screen.getByText('Note is now 1 of 2')).toBeTruthy();
    expect(now.step.config).toMatchObject({ fields: [{ id: 'note' }, { id: 'spend', label: 'Spend in euro' }] });
    await user.click(screen.getByRole('button', { name: 'Remove Note' }));
    await user.click(screen.getByRole('button', { name: 'Remove Spend in euro' }));
    expect(now.step.config).toEqual({});
  });

  it('says who may act and whether another one approves', async () => {
    const { now, user } = open('collect');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Assigned role' }), 'reviewer');
    await user.click(screen.getByRole('checkbox', { name: 'Another person of the role approves the input' }));
    expect(now.step.config).toMatchObject({ assignedRole: 'reviewer', requiresApproval: true });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Assigned role' }), 'None');
    expect(now.step.config).not.toHaveProperty('assignedRole');
  });
});

describe('an approval step', () => {
  it('needs at least one approver, and goes back to a step before it, chosen by title', async () => {
    const { now, user } = open('review');
    const count = screen.getByRole('textbox', { name: 'Minimum approvers' });
    await user.clear(count);
    await user.type(count, '0');
    expect(screen.getByText('A whole number from 1 to 100')).toBeTruthy();
    expect(now.step.config).toMatchObject({ minimumApprovers: 1 });
    await user.clear(count);
    await user.type(count, '2');
    const back = screen.getByRole('combobox', { name: 'When rejected, go back to' });
    expect(
      within(back)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Nowhere: the run fails', '1 Collect documents', '2 High risk?']);
    await user.selectOptions(back, '1 Collect documents');
    await user.click(screen.getByRole('checkbox', { name: 'Whoever did the step before may not vote' }));
    expect(now.step.config).toEqual({ minimumApprovers: 2, onReject: 'collect', separateFrom: true });
  });
});

describe('a condition step', () => {
  it('leads to steps chosen by title, and never back', async () => {
    const { now, user } = open('risk');
    const holds = await screen.findByRole('combobox', { name: 'If it holds' });
    expect(
      within(holds)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['What else follows', '3 Compliance review', '4 Tell the requester']);
    await user.selectOptions(holds, '4 Tell the requester');
    await user.selectOptions(screen.getByRole('combobox', { name: "If it doesn't" }), '3 Compliance review');
    expect(now.step).toMatchObject({ config: { trueNext: 'tell', falseNext: 'review' }, next: ['tell', 'review'] });
  });

  it('is tried with a sample, which says where it leads', async () => {
    const { user } = open('risk');
    expect(await screen.findByRole('textbox', { name: 'Condition' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Try it' }));
    expect(await screen.findByText('It holds: leads to 3 Compliance review')).toBeTruthy();
    const sample = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Sample outputs' });
    const other = sample.value.replace('"spend": 100', '"spend": 1');
    await user.clear(sample);
    expect(screen.getByText('This is not JSON')).toBeTruthy();
    await user.click(sample);
    await user.paste(other);
    expect(await screen.findByText("It doesn't hold: leads to 4 Tell the requester")).toBeTruthy();
  });

  it('that is wrong is said to be, with the editor', async () => {
    open('risk', {
      steps: STEPS.map((each) =>
        each.id === 'risk' ? step('risk', 'R', 'condition', [], { condition: 'collect.text =' }) : each,
      ),
    });
    expect(await screen.findByText(/The expression breaks off here/)).toBeTruthy();
  });
});

describe('an automated step', () => {
  it('has a script and a time within bounds', async () => {
    const { now, user } = open('job', { steps: [...STEPS, step('job', 'Score', 'automated', [])] });
    expect(await screen.findByRole('textbox', { name: 'Script' })).toBeTruthy();
    const time = screen.getByRole<HTMLInputElement>('textbox', { name: 'Timeout in seconds' });
    expect(time.value).toBe('300');
    expect(document.getElementById(time.getAttribute('aria-describedby') ?? '')?.textContent).toBe(SCRIPT_CEILING_HINT);
    await user.clear(time);
    await user.type(time, '4000');
    expect(screen.getByText('A whole number from 1 to 3600')).toBeTruthy();
    await user.clear(time);
    await user.type(time, '60');
    expect(now.step.config).toEqual({ timeout: 60 });
  });
});

describe('a script that is tried', () => {
  const steps = [...STEPS, step('job', 'Score', 'automated', [], { script: 'return outputs.a', timeout: 60 })];

  it('runs on the server over the sample, and shows what it returned and wrote', async () => {
    const server = startFakeServer().on(TRIAL, { json: { ok: true, output: { value: 71 }, log: ['looked'] } });
    const { user } = open('job', { steps });
    await user.click(await screen.findByRole('button', { name: 'Try it' }));
    await user.click(screen.getByRole('button', { name: 'Run script' }));
    expect(await screen.findByText('It returned')).toBeTruthy();
    expect(screen.getByLabelText('What it returned').textContent).toContain('71');
    expect(screen.getByLabelText('Log').textContent).toBe('looked');
    expect(server.calls(TRIAL)[0]?.body).toMatchObject({
      script: 'return outputs.a',
      timeout: 60,
      outputs: {},
      run: { name: 'Sample run' },
      step: { id: 'job', title: 'Score' },
    });
  });

  it('says why it failed, and runs nothing while the sample is no JSON', async () => {
    const server = startFakeServer().on(TRIAL, { json: { ok: false, reason: 'The script took too long', log: [] } });
    const { user } = open('job', { steps });
    await user.click(await screen.findByRole('button', { name: 'Try it' }));
    await user.click(screen.getByRole('button', { name: 'Run script' }));
    expect(await screen.findByText('The script took too long')).toBeTruthy();
    await user.type(screen.getByRole('textbox', { name: 'Sample outputs' }), 'x');
    const run = screen.getByRole('button', { name: 'Run script' });
    expect(run.getAttribute('aria-disabled')).toBe('true');
    await user.click(run);
    expect(server.calls(TRIAL)).toHaveLength(1);
  });
});

describe('a notification step', () => {
  it('goes to people and roles over channels', async () => {
    const { now, user } = open('tell');
    const recipients = await screen.findByRole('textbox', { name: 'Recipients, one a line' });
    await user.type(recipients, 'sam@example.com{Enter}nobody');
    expect(screen.getByText('nobody is neither an email nor a role')).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: 'Slack' }));
    await user.click(screen.getByRole('checkbox', { name: 'Email' }));
    expect(now.step.config).toEqual({ recipients: ['sam@example.com', 'nobody'], channels: ['slack', 'in-app'] });
  });

  it('shows its message as it would be read', async () => {
    const { user } = open('tell');
    const message = await screen.findByRole('textbox', { name: 'Message' });
    await user.click(message);
    await user.paste('{{run.name}}: {{output.collect.fields.spend}} {{output.gone}}');
    expect(screen.getByRole('status', { name: 'Preview of the message' }).textContent).toBe(
      'Sample run: 100 {{output.gone}}',
    );
    expect(screen.getByText('{{output.gone}} is nothing that is known before this step')).toBeTruthy();
  });
});

describe('what is only shown', () => {
  it.each(STEPS.map(({ id, type }) => [type, id] as const))(
    'of a %s step nothing can be changed',
    async (_type, id) => {
      open(id, { readOnly: true });
      await screen.findAllByRole(id === 'risk' ? 'combobox' : id === 'tell' ? 'checkbox' : 'combobox');
      const controls = [...document.querySelectorAll<HTMLElement>('input, select, textarea, button')];
      expect(controls.length).toBeGreaterThan(0);
      // The test's browser doesn't pass on what a fieldset disables.
      for (const control of controls) expect(control.closest('fieldset')?.disabled).toBe(true);
      expect(document.querySelector('[contenteditable="true"]')).toBeNull();
    },
  );
});
