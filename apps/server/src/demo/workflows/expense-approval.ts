import { HOUR_MS } from '@stet/domain/sla';
import { CAST } from '../cast.ts';
import { type DemoWorkflow, approve, comment, merge, merged, requestChanges, save, submit } from '../draft-script.ts';
import { approval, automated, changed, condition, insertedBelow, linked, manual, notification } from '../steps.ts';

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

/** The budget lines of the current quarter, by cost centre: the name, and the EUR left. */
const LINES = `{
  1000: ['Audit and legal', 38000],
  2300: ['Marketing', 31050],
  2310: ['Travel', 14900],
  2600: ['Product', 9100],
  4100: ['Facilities', 22400],
  4310: ['Equipment', 11720],
  5200: ['IT services', 48300],
}`;
const centres = ['1000', '2300', '2310', '2600', '4100', '4310', '5200'];
// From v4 on, the first two steps have forms, and a script and a condition use the values of the second form.
const withForms = changed(
  changed(v3, 'file', {
    config: {
      assignedRole: 'editor',
      fields: [
        { id: 'amount', label: 'Amount in EUR', kind: 'number', required: true },
        { id: 'cost_centre', label: 'Cost centre', kind: 'choice', options: [...centres, 'other'], required: true },
        { id: 'needed_by', label: 'Needed by', kind: 'text', required: false },
      ],
    },
  }),
  'receipts',
  {
    config: {
      fields: [
        { id: 'net_amount', label: 'Net amount in EUR', kind: 'number', required: true },
        { id: 'cost_centre', label: 'Cost centre', kind: 'choice', options: centres, required: true },
        { id: 'matches_offer', label: 'Matches the offer', kind: 'yes_no', required: true },
      ],
    },
  },
);
const withScript = changed(withForms, 'budget', {
  description: 'Look up how much is left on the line of the cost centre, and how much remains after this expense.',
  config: {
    timeout: 10,
    script: `// EUR left on each budget line in this quarter.
const lines = ${LINES};
const { net_amount, cost_centre } = outputs.receipts.fields;
const [line, left] = lines[cost_centre];
const remainder = left - net_amount;
return { text: line + ': ' + left + ' EUR left, ' + remainder + ' EUR after this expense', line, left, remainder };`,
  },
});
const large = condition('large', {
  title: 'More than 20,000 EUR?',
  assignee: 'system',
  sla: '1m',
  task: 'Uses the net amount from the receipt check.',
  config: { condition: 'receipts.fields.net_amount > 20000', trueNext: 'offers', falseNext: 'owner' },
});
const offers = manual('offers', {
  title: 'Compare with other offers',
  assignee: CAST.tomas.email,
  sla: '2 days',
  task: 'At least one other offer for the same scope. Note vendor and price.',
});
const v4 = insertedBelow(withScript, 'budget', large, offers);
const byAmount = { large: ['offers', 'owner'] };
const v5 = changed(changed(v4, 'owner', { sla: '1 day 4 hours' }), 'offers', {
  description: 'At least two other offers for the same scope. Note vendors and prices.',
});

export const expenseApproval: DemoWorkflow = {
  key: 'expense-approval-5k',
  metadata: {
    title: 'Expense approval > 5,000 EUR',
    description: 'Second signature for single expenses above 5,000 EUR, with receipt check and cost centre.',
  },
  versions: [
    merged(330, 'tomas', 'ellen', linked(v1)),
    merged(188, 'sam', 'jonas', linked(v2), 'Tomás no longer has to look at the ledger for each request.'),
    merged(62, 'tomas', 'ellen', linked(v3), 'Two signatures by the same person count as one. Good catch.'),
    {
      ended: { daysAgo: 33 },
      acts: [
        save('sam', linked(withForms)),
        submit('sam'),
        comment('ellen', 'With the amount as a number, could the budget check do the subtraction itself?', 'budget'),
        requestChanges(
          'ellen',
          'Good form. Please use it: for the budget check, and for a second offer above 20,000 EUR.',
        ),
        save('sam', linked(v4, byAmount)),
        comment('sam', 'Both are in now. The lines are those of this quarter.', 'budget'),
        submit('sam'),
        approve('ellen', 'I checked the script with 24,000 and 5,260 EUR, and both results are right.'),
        merge('ellen'),
      ],
    },
  ],
  openDraft: {
    ended: { last: 6 * HOUR_MS },
    acts: [
      save('sam', linked(v5, byAmount)),
      submit('sam', 'Two other offers instead of one, and four hours more for the budget owner, as the auditor asked.'),
      comment('jonas', 'Do two more offers make sense for a renewal with the same vendor?', 'offers'),
      comment('sam', 'Renewals go through Contract renewal review, so they never come here.', 'offers'),
    ],
  },
};
