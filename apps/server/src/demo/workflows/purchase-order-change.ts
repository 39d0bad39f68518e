import { CAST } from '../cast.ts';
import { type DemoWorkflow, merged } from '../draft-script.ts';
import { approval, insertedBelow, linked, manual } from '../steps.ts';

const v1 = [
  manual('change', {
    title: 'Describe the change',
    assignee: 'editor',
    sla: '4 hours',
    task: 'Order number, what changes, why, and what it does to price and delivery.',
    config: { assignedRole: 'editor' },
  }),
  approval('agree', {
    title: 'Agree the change',
    assignee: CAST.tomas.email,
    sla: '1 day',
    task: 'Above 10 % of the order value it is a new order, not a change.',
    config: { minimumApprovers: 1 },
  }),
  manual('send', {
    title: 'Send the changed order',
    assignee: CAST.sam.email,
    sla: '4 hours',
    task: 'Under the same number with the next suffix.',
  }),
];
const v2 = insertedBelow(
  v1,
  'send',
  manual('confirm', {
    title: 'File the confirmation',
    assignee: CAST.priya.email,
    sla: '3 days',
    task: 'The vendor confirms in writing. Without it, call after three days.',
  }),
);

export const purchaseOrderChange: DemoWorkflow = {
  key: 'po-change',
  metadata: {
    title: 'Purchase order change',
    description: 'Replaced by the order form of the ERP. Its history stays.',
  },
  versions: [
    merged(380, 'tomas', 'mara', linked(v1)),
    merged(205, 'sam', 'ellen', linked(v2), 'We had three orders that the vendor never saw.'),
  ],
  archivedBy: 'tomas',
};
