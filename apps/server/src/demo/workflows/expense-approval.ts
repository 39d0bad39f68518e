import { CAST } from '../cast.ts';
import { type DemoWorkflow, comment, merged, save, submit } from '../draft-script.ts';
import { approval, automated, changed, insertedBelow, linked, manual, notification } from '../steps.ts';

const file = manual('file', {
  title: 'File the expense request',
  assignee: 'editor',
  sla: '4 hours',
  task: 'State purpose, amount, cost centre and the date by which it is needed. Attach the offer.',
  config: { assignedRole: 'editor' },
});
const receipts = manual('receipts', {
  title: 'Check receipts and cost centre',
  assignee: CAST.tomas.email,
  sla: '1 day',
  task: 'Compare the amount with the offer, net of tax. Correct the cost centre rather than sending the request back for it.',
});
const budget = automated('budget', {
  title: 'Check the budget line',
  assignee: 'system',
  sla: '5 mins',
  task: 'Ask the ledger how much is left on the line this year. Report the remainder after this expense.',
  config: { timeout: 120 },
});
const owner = approval('owner', {
  title: 'Approve as budget owner',
  assignee: 'reviewer',
  sla: '1 day',
  task: 'Decide whether the purpose is worth the amount. If you reject it, say what would make it acceptable.',
  config: { minimumApprovers: 1, onReject: 'file' },
});
const signature = approval('signature', {
  title: 'Second signature',
  assignee: CAST.mara.email,
  sla: '2 days',
  task: 'For anything above 5,000 EUR. Check that the offer was compared with at least one other.',
  config: { minimumApprovers: 1 },
});
const notify = notification('tell', {
  title: 'Tell the requester',
  assignee: 'auto',
  sla: '5 mins',
  task: 'Send the decision and the order number.',
  config: {
    recipients: ['finance@haldenworks.example'],
    channels: ['email'],
    template: '{{run.name}} is approved and can be ordered.',
  },
});

const v1 = [file, receipts, owner, signature, notify];
const v2 = insertedBelow(v1, 'receipts', budget);
const v3 = changed(v2, 'signature', { config: { minimumApprovers: 1, separateFrom: true } });
const v4 = changed(changed(v3, 'owner', { sla: '1 day 4 hours' }), 'signature', {
  description:
    'For anything above 5,000 EUR. Check that the offer was compared with at least one other, and above 20,000 EUR with two.',
});

export const expenseApproval: DemoWorkflow = {
  key: 'expense-approval-5k',
  metadata: {
    title: 'Expense approval > 5,000 EUR',
    description: 'Second signature for single expenses above 5,000 EUR, with receipt check and cost centre.',
  },
  versions: [
    merged(330, 'tomas', 'mara', linked(v1)),
    merged(188, 'sam', 'jonas', linked(v2), 'Tomás no longer has to look at the ledger for each request.'),
    merged(62, 'tomas', 'ellen', linked(v3), 'Two signatures by the same person count as one. Good catch.'),
  ],
  openDraft: {
    acts: [
      save('sam', linked(v4)),
      submit('sam'),
      comment('jonas', 'Do two more offers make sense for a renewal with the same vendor?', 'signature'),
      comment('sam', 'Renewals go through Contract renewal review, so they never come here.', 'signature'),
    ],
  },
};
