import { afterAll, describe, expect, it } from 'vitest';
import { refused } from '../../testing/drafts.ts';
import { startRunScene } from '../../testing/run-scene.ts';
import { act } from '../../testing/runs.ts';

const { server, owner, editor, viewer, startOf, ended } = await startRunScene();

const FIELDS = [
  { id: 'amount', label: 'Amount', kind: 'number', required: true, min: 1, unit: 'EUR' },
  { id: 'reasons', label: 'Reasons', kind: 'many_of', options: ['Price', 'Speed'], required: true },
  {
    id: 'why',
    label: 'Why so much',
    kind: 'long_text',
    requiredIf: 'amount > 100 and list contains(reasons, "Price")',
  },
  { id: 'owner', label: 'Owner', kind: 'person' },
];
const form = { id: 'ask', title: 'Ask', config: { fields: FIELDS }, next: ['many'] };
const MANY = {
  id: 'many',
  title: 'Many',
  type: 'condition',
  config: { condition: 'list contains(ask.fields.reasons, "Speed")', trueNext: 'message' },
  next: ['message'],
};
const message = {
  id: 'message',
  title: 'Message',
  type: 'notification',
  next: [],
  config: {
    recipients: [viewer.user.email],
    channels: ['in-app'],
    template: '{{output.ask.fields.owner}}: {{output.ask.fields.reasons}}',
  },
};

describe('a form', () => {
  afterAll(() => server.stop());

  const send = (runId: string, fields: object) => act(editor, runId, 'ask', 'complete', { output: { fields } });

  it('enforces limits, options, and fields that are required because of other values', async () => {
    const { id } = await startOf(form, MANY, message);
    const wrong = await send(id, { amount: 0, reasons: ['Price', 'Cost'] });
    expect(wrong).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_fields',
        details: [
          { field: 'output.fields.amount', problem: 'Amount must be at least 1 EUR' },
          { field: 'output.fields.reasons', problem: 'Reasons must be some of its options, each at most once' },
        ],
      },
    });
    expect((await send(id, { amount: 101, reasons: ['Price'] })).body).toMatchObject({
      details: [{ field: 'output.fields.why', problem: 'Why so much is required' }],
    });
    expect((await send(id, { amount: 101, reasons: ['Speed'] })).status).toBe(200);
  });

  it('accepts only members as people, and messages show their names', async () => {
    const { id } = await startOf({ ...form, next: ['message'] }, message);
    const fields = { amount: 5, reasons: ['Price', 'Speed'] };
    const outsider = await server.signUp({});
    for (const address of [outsider.user.email, 'nobody@example.com'])
      expect((await send(id, { ...fields, owner: address })).body).toMatchObject({
        code: 'invalid_fields',
        details: [{ field: 'output.fields.owner', problem: 'Owner must be a member of this organization' }],
      });
    const done = await send(id, { ...fields, owner: owner.user.email.toUpperCase() });
    expect(done.status).toBe(200);
    await ended(id);
    const notifications = await viewer.get<{ body: string; runId: string }[]>('/api/notifications');
    expect(notifications.find(({ runId }) => runId === id)?.body).toContain(`${owner.user.name}: Price, Speed`);
  });

  it('accepts several choices, which conditions can find', async () => {
    const { id } = await startOf(form, MANY, message);
    await send(id, { amount: 5, reasons: ['Price', 'Speed'] });
    expect((await ended(id)).steps.map(({ state }) => state)).toEqual(['completed', 'completed', 'completed']);
  });

  it.each(['amoun > 5', 'amount >', 'count(for x in 1..1000000000 return x) > 1'])(
    'can’t be saved with the condition %s; the refusal names the field',
    async (requiredIf) => {
      const fields = FIELDS.map((field) => (field.id === 'why' ? { ...field, requiredIf } : field));
      const steps = [{ ...form, config: { fields }, next: [] }];
      const body = { metadata: { title: 'Forms' }, steps };
      const created = await editor.call('POST', '/api/workflows/forms/drafts', body);
      expect(created).toMatchObject(refused(400, 'invalid_workflow'));
      expect(created.body).toMatchObject({
        details: [{ stepId: 'ask', problem: expect.stringContaining('Field "Why so much" of step "Ask": ') as string }],
      });
      const file = await editor.call('POST', '/api/workflows/forms/import-yaml?format=json', body);
      expect(file).toMatchObject(refused(400, 'invalid_file'));
    },
  );
});
