import { DAY_MS } from '@stet/domain/sla';
import { CAST } from '../cast.ts';
import { type DemoWorkflow, merged } from '../draft-script.ts';
import { approval, insertedBelow, linked, manual } from '../steps.ts';

const v1 = [
  manual('change', {
    title: 'Describe the change',
    assignee: 'editor',
    sla: '4 hours',
    task: 'Order number, what changes and why, and the effect on price and delivery.',
    config: { assignedRole: 'editor' },
  }),
  approval('agree', {
    title: 'Approve the change',
    assignee: CAST.tomas.email,
    sla: '1 day',
    task: 'A change of more than 10 % of the order value needs a new order.',
    config: { minimumApprovers: 1 },
  }),
  manual('send', {
    title: 'Send the changed order',
    assignee: CAST.sam.email,
    sla: '4 hours',
    task: 'Use the same number with the next suffix.',
  }),
];
const v2 = insertedBelow(
  v1,
  'send',
  manual('confirm', {
    title: 'File the confirmation',
    assignee: CAST.priya.email,
    sla: '3 days',
    task: 'The vendor confirms in writing. If there is no confirmation after three days, call them.',
  }),
);

export const purchaseOrderChange: DemoWorkflow = {
  key: 'po-change',
  metadata: {
    title: 'Purchase order change',
    description: 'Replaced by the ERP’s order form. The history remains available.',
  },
  versions: [
    merged(380, 'tomas', 'jonas', linked(v1)),
    merged(205, 'sam', 'ellen', linked(v2), 'We had three orders that the vendor never saw.'),
  ],
  archived: { by: 'tomas', agoMs: 9 * DAY_MS },
};
