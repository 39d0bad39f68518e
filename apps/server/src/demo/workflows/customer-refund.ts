import { HOUR_MS } from '@stet/domain/sla';
import { CAST } from '../cast.ts';
import { type DemoWorkflow, approve, comment, save, submit } from '../draft-script.ts';
import { approval, changed, condition, linked, manual } from '../steps.ts';

const steps = [
  manual('amount', {
    title: 'Enter the amount',
    assignee: 'editor',
    sla: '4 hours',
    task: 'The amount that the customer asks for, in EUR, as a plain number. Order and reason go into the notes.',
    config: { assignedRole: 'editor' },
  }),
  condition('large', {
    title: 'More than 500 EUR?',
    assignee: 'system',
    sla: '1m',
    task: 'Uses the amount from the previous step.',
    config: { condition: 'number(amount.text) > 500', trueNext: 'allow', falseNext: 'pay' },
  }),
  approval('allow', {
    title: 'Allow the refund',
    assignee: 'reviewer',
    sla: '1 day',
    task: 'Is it our fault, and is there a cheaper way to make up for it? If you reject it, say what to offer instead.',
    config: { minimumApprovers: 1, onReject: 'amount' },
  }),
  manual('pay', {
    title: 'Pay the refund',
    assignee: CAST.priya.email,
    sla: '1 day',
    task: 'To the card or account that was charged, never to another one. Note the reference.',
  }),
  manual('write', {
    title: 'Write to the customer',
    assignee: 'editor',
    sla: '4 hours',
    task: 'Apologize once, and say how much they will get and when it will arrive.',
    config: { assignedRole: 'editor' },
  }),
];
const branches = { large: ['allow', 'pay'], allow: ['pay'] };

export const customerRefund: DemoWorkflow = {
  key: 'customer-refund-500',
  metadata: {
    title: 'Customer refund > 500 EUR',
    description: 'Defines who can pay a refund of up to 500 EUR without asking, and who decides on larger ones.',
  },
  versions: [],
  openDraft: {
    ended: { last: 26 * HOUR_MS },
    acts: [
      save('sam', linked(steps, branches)),
      submit('sam', 'Support can pay small refunds at once. Until now, each one waited for a manager.'),
      approve('jonas', 'Clear enough to give to someone on their first day.'),
      comment(
        'ellen',
        'A day is a long wait for the customer. Could we pay within 4 hours once the refund is allowed?',
        'pay',
      ),
      save('sam', linked(changed(steps, 'pay', { sla: '4 hours' }), branches)),
      comment('sam', 'Done. Jonas, this removed your approval. Could you look again?'),
    ],
  },
};
