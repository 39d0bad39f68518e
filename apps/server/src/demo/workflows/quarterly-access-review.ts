import { HOUR_MS } from '@stet/domain/sla';
import { CAST } from '../cast.ts';
import { type DemoWorkflow, comment, save } from '../draft-script.ts';
import { approval, automated, insertedBelow, linked, manual, notification } from '../steps.ts';

const first = [
  automated('export', {
    title: 'Export all rights',
    assignee: 'system',
    sla: '30 mins',
    task: 'One list per team from directory, ERP, shop and code hosting.',
    config: { timeout: 900 },
  }),
  notification('invite', {
    title: 'Send each manager their list',
    assignee: 'auto',
    sla: '5 mins',
    task: 'Include the date it’s due back.',
    config: {
      recipients: ['managers@haldenworks.example'],
      channels: ['email', 'slack'],
      template: 'Your list for {{run.name}}',
    },
  }),
  manual('confirm', {
    title: 'Confirm or revoke each right',
    assignee: 'editor',
    sla: '5 days',
    task: 'Go line by line. "Always had it" is not a reason.',
    config: { assignedRole: 'editor' },
  }),
  manual('withdraw', {
    title: 'Revoke unconfirmed rights',
    assignee: CAST.sam.email,
    sla: '2 days',
    task: 'Tell the person first. Note the ticket for each right.',
  }),
  approval('sign-off', {
    title: 'Sign off for the auditor',
    assignee: CAST.mara.email,
    sla: '3 days',
    task: 'Take ten lines at random and ask to see them in the system.',
    config: { minimumApprovers: 1, onReject: 'withdraw' },
  }),
];
const admins = manual('admins', {
  title: 'Review administrators’ rights',
  assignee: CAST.jonas.email,
  sla: '2 days',
  task: 'Nobody reviews their own rights: the administrators’ list goes to Jonas.',
});
const shared = manual('shared', {
  title: 'Change shared passwords',
  assignee: CAST.sam.email,
  sla: '2 days',
  task: 'Change every password that someone still knows but no longer needs.',
});

export const quarterlyAccessReview: DemoWorkflow = {
  key: 'quarterly-access-review',
  metadata: {
    title: 'Quarterly access review',
    description: 'Managers confirm or revoke each of their team’s access rights.',
  },
  versions: [],
  openDraft: {
    ended: { last: 50 * HOUR_MS },
    acts: [
      save('priya', linked(first)),
      comment('tomas', 'Who looks at our own rights, Sam’s and mine?'),
      save('priya', linked(insertedBelow(insertedBelow(first, 'withdraw', shared), 'confirm', admins))),
    ],
  },
};
