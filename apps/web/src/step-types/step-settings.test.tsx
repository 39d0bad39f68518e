import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { STEPS, cleanUpFields, open } from './step-settings.fixture.tsx';

cleanUpFields();

describe('a manual step', () => {
  it('has a form with fields that get their ids from their labels and show their errors', async () => {
    const { now, user } = await open('collect');
    await user.click(screen.getByRole('button', { name: 'Add field' }));
    const added = screen.getByRole('listitem', { name: 'Field 2' });
    await user.type(within(added).getByRole('textbox', { name: 'Label' }), 'Risk tier');
    const row = screen.getByRole('listitem', { name: 'Risk tier' });
    await user.selectOptions(within(row).getByRole('combobox', { name: 'Kind' }), 'Choice');
    await user.tab();
    expect(within(row).getByText('A choice field needs at least one option')).toBeTruthy();
    await user.type(within(row).getByRole('textbox', { name: 'Options, one per line' }), 'low{Enter}high');
    await user.click(within(row).getByRole('checkbox', { name: 'Required' }));
    expect(now.step.config).toEqual({
      fields: [
        { id: 'spend', label: 'Spend', kind: 'number', required: true },
        { id: 'risk_tier', label: 'Risk tier', kind: 'choice', options: ['low', 'high'], required: true },
      ],
    });
    expect(within(row).queryByText('A choice field needs at least one option')).toBeNull();
  });

  it('has limits, a unit and help, and shows in a preview how a run checks them', async () => {
    const { now, user } = await open('collect');
    const row = screen.getByRole('listitem', { name: 'Spend' });
    await user.click(within(row).getByText('Help, limits and unit'));
    await user.type(within(row).getByRole('textbox', { name: 'Help below the field' }), 'Without tax');
    await user.type(within(row).getByRole('textbox', { name: 'Minimum' }), '10');
    await user.type(within(row).getByRole('textbox', { name: 'Maximum' }), '5x');
    expect(within(row).getByText('Enter a number')).toBeTruthy();
    await user.clear(within(row).getByRole('textbox', { name: 'Maximum' }));
    await user.type(within(row).getByRole('textbox', { name: 'Maximum' }), '5');
    expect(within(row).getByText('The minimum is larger than the maximum')).toBeTruthy();
    await user.type(within(row).getByRole('textbox', { name: 'Maximum' }), '0,5');
    await user.type(within(row).getByRole('textbox', { name: 'Unit' }), 'EUR');
    expect(now.step.config).toMatchObject({ fields: [{ min: 10, max: 50.5, unit: 'EUR', help: 'Without tax' }] });
    const preview = screen.getByRole('group', { name: 'Preview of the form' });
    expect(within(preview).getByText('Without tax · From 10 to 50.5 EUR')).toBeTruthy();
    await user.type(within(preview).getByRole('textbox', { name: 'Spend in EUR' }), '9');
    expect(within(preview).getByText('Spend must be at least 10 EUR')).toBeTruthy();
    await user.clear(within(row).getByRole('textbox', { name: 'Unit' }));
    await user.clear(within(row).getByRole('textbox', { name: 'Help below the field' }));
    expect(now.step.config).toEqual({
      fields: [{ id: 'spend', label: 'Spend', kind: 'number', required: true, min: 10, max: 50.5 }],
    });
  });

  it('can require a field under a condition about other fields, and the preview applies it', async () => {
    const { now, user } = await open('collect');
    await user.click(screen.getByRole('button', { name: 'Add field' }));
    await user.type(within(screen.getByRole('listitem', { name: 'Field 2' })).getByLabelText('Label'), 'Reason');
    const row = within(screen.getByRole('listitem', { name: 'Reason' }));
    await user.click(row.getByText('Help and condition'));
    const condition = row.getByRole('textbox', { name: 'Required if' });
    await user.type(condition, 'spent > 100');
    await user.tab();
    expect(row.getByText('This form has no field named spent')).toBeTruthy();
    await user.clear(condition);
    await user.type(condition, 'spend > 100');
    expect(now.step.config).toMatchObject({ fields: [{}, { required: false, requiredIf: 'spend > 100' }] });
    const preview = within(screen.getByRole('group', { name: 'Preview of the form' }));
    expect(preview.getByRole('textbox', { name: 'Reason (optional)' })).toBeTruthy();
    await user.type(preview.getByRole('textbox', { name: 'Spend' }), '101');
    expect(await preview.findByRole('textbox', { name: 'Reason' })).toBeTruthy();
    await user.click(row.getByRole('checkbox', { name: 'Required' }));
    expect(now.step.config).not.toHaveProperty('fields.1.requiredIf');
    expect(row.queryByRole('textbox', { name: 'Required if' })).toBeNull();
  });

  it('shows several choices as checkboxes', async () => {
    const { now, user } = await open('collect');
    const row = screen.getByRole('listitem', { name: 'Spend' });
    await user.selectOptions(within(row).getByRole('combobox', { name: 'Kind' }), 'Several choices');
    await user.type(within(row).getByRole('textbox', { name: 'Options, one per line' }), 'Price{Enter}Quality');
    expect(now.step.config).toMatchObject({ fields: [{ kind: 'many_of', options: ['Price', 'Quality'] }] });
    const choices = within(screen.getByRole('group', { name: 'Preview of the form' }));
    await user.click(choices.getByRole('checkbox', { name: 'Quality' }));
    await user.click(choices.getByRole('checkbox', { name: 'Quality' }));
    expect(within(choices.getByRole('group', { name: 'Spend' })).getByText('Spend is required')).toBeTruthy();
  });

  it('keeps a field’s id when its label changes, and reorders fields with the keyboard', async () => {
    const { now, user } = await open('collect');
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

  it('has a setting for a second person’s approval', async () => {
    const { now, user } = await open('collect');
    await user.click(screen.getByRole('checkbox', { name: 'A second person must approve the input' }));
    expect(now.step.config).toMatchObject({ requiresApproval: true });
  });
});

describe('a step', () => {
  it.each(['collect', 'review', 'tell'])('can forbid skipping (%s)', async (id) => {
    const { now, user } = await open(id);
    const box = await screen.findByRole('checkbox', { name: 'Nobody can skip this step' });
    const before = now.step.config;
    await user.click(box);
    expect(now.step.config).toEqual({ ...before, skip: 'never' });
    await user.click(box);
    expect(now.step.config).toEqual(before);
  });
});

describe('an approval step', () => {
  it('needs at least one approver and can return to an earlier step', async () => {
    const { now, user } = await open('review');
    const count = screen.getByRole('textbox', { name: 'Minimum approvers' });
    await user.clear(count);
    await user.type(count, '0');
    expect(screen.getByText('Enter a whole number from 1 to 100')).toBeTruthy();
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
    await user.click(
      screen.getByRole('checkbox', { name: 'The person who completed the previous step can’t approve' }),
    );
    expect(now.step.config).toEqual({ minimumApprovers: 2, onReject: 'collect', separateFrom: true });
  });
});

describe('a notification step', () => {
  it('shows an error for a recipient that is neither an address nor a role, and has channels', async () => {
    const { now, user } = await open('tell');
    const recipients = await screen.findByRole('textbox', { name: 'Recipients, one per line' });
    await user.type(recipients, 'sam@example.com{Enter}nobody');
    expect(screen.getByText('nobody is neither an email address nor a role')).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: 'Slack' }));
    await user.click(screen.getByRole('checkbox', { name: 'Email' }));
    expect(now.step.config).toEqual({ recipients: ['sam@example.com', 'nobody'], channels: ['slack', 'in-app'] });
  });

  it('previews its message, and shows an error for a placeholder that it can’t use', async () => {
    const { user } = await open('tell');
    const message = await screen.findByRole('textbox', { name: 'Message' });
    await user.click(message);
    await user.paste('{{run.name}}: {{output.collect.fields.spend}} {{output.gone}}');
    expect(screen.getByRole('status', { name: 'Preview of the message' }).textContent).toBe(
      'Sample run: 100 {{output.gone}}',
    );
    expect(
      screen.getByText('This step can’t use {{output.gone}}. Check the spelling, or choose under ‘Insert a value’'),
    ).toBeTruthy();
  });

  it('has a list that inserts a value into its message at the caret', async () => {
    const { now, user } = await open('tell');
    const message = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
    await user.type(message, 'About .');
    message.setSelectionRange(6, 6);
    await user.click(screen.getByRole('combobox', { name: 'Insert a value' }));
    await user.keyboard('spend{Enter}');
    expect(document.activeElement).toBe(message);
    await user.keyboard('!');
    expect(now.step.config).toMatchObject({ template: 'About {{output.collect.fields.spend}}!.' });
  });
});

describe('read-only fields', () => {
  it.each(STEPS.map(({ id, type }) => [type, id] as const))('can’t be changed in a %s step', async (_type, id) => {
    await open(id, { readOnly: true });
    const controls = [...document.querySelectorAll<HTMLElement>('input, select, textarea, button')];
    expect(controls.length).toBeGreaterThan(0);
    // The test DOM doesn't propagate `disabled` from a fieldset.
    for (const control of controls) expect(control.closest('fieldset')?.disabled).toBe(true);
    expect(document.querySelector('[contenteditable="true"]')).toBeNull();
  });
});
