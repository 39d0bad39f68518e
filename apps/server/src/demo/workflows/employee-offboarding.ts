import { CAST } from '../cast.ts';
import { type DemoWorkflow, merged } from '../draft-script.ts';
import { approval, automated, changed, insertedBelow, linked, manual, notification } from '../steps.ts';

const lastDay = manual('last-day', {
  title: 'Confirm last working day',
  assignee: CAST.tomas.email,
  sla: '1 day',
  task: 'Agree on the date with the manager, and subtract the remaining leave. Note who takes over.',
});
const handover = manual('handover', {
  title: 'Write handover notes',
  assignee: 'editor',
  sla: '5 days',
  task: 'Current work, promises to other people, and where to find things. Go through it with the person who takes over.',
  config: { assignedRole: 'editor' },
});
const rights = manual('rights', {
  title: 'List system rights',
  assignee: CAST.jonas.email,
  sla: '1 day',
  task: 'All accounts, keys and shared passwords. Start with those outside the directory: banks, registries, social media.',
});
const devices = manual('devices', {
  title: 'Return of devices',
  assignee: CAST.sam.email,
  sla: '1 day',
  task: 'Laptop, phone, badge, keys, cards. Check serial numbers against the register and note what is missing.',
});
const accounts = automated('accounts', {
  title: 'Close accounts',
  assignee: 'system',
  sla: '5 mins',
  task: 'At the end of the last day, sign out everywhere and disable the account. Keep the mailbox.',
  config: { timeout: 300 },
});
const confirm = approval('confirm', {
  title: 'Confirm that nothing is left open',
  assignee: 'reviewer',
  sla: '1 day',
  task: 'Compare the list of rights with what was closed. Reject if a shared password was not changed.',
  config: { minimumApprovers: 1, onReject: 'devices' },
});
const payroll = manual('payroll', {
  title: 'Hand over to the final payroll run',
  assignee: CAST.tomas.email,
  sla: '2 days',
  task: 'Open leave, overtime and expenses, and deductions for items that were not returned.',
});
const reference = manual('reference', {
  title: 'Write the reference',
  assignee: CAST.mara.email,
  sla: '7 days',
  task: 'Use the manager’s notes. The person reads the reference before it is signed.',
});
const notify = notification('tell', {
  title: 'Tell the team',
  assignee: 'auto',
  sla: '5 mins',
  task: 'Write down who takes over which tasks, and when.',
  config: { recipients: ['everyone@haldenworks.example'], channels: ['email'], template: '{{output.handover}}' },
});

const v1 = [lastDay, handover, devices, accounts, payroll, notify];
const v2 = insertedBelow(v1, 'accounts', confirm);
const listed = insertedBelow(insertedBelow(v2, 'handover', rights), 'payroll', reference);
const v3 = changed(listed, 'confirm', { config: { minimumApprovers: 1, onReject: 'rights' } });
const v4 = changed(v3, 'devices', {
  description: `${devices.description} Wiping comes after the handover, never before.`,
});
const forked = { 'last-day': ['handover', 'rights'], handover: ['devices'], rights: ['devices'] };

export const employeeOffboarding: DemoWorkflow = {
  key: 'employee-offboarding',
  metadata: {
    title: 'Employee offboarding',
    description: 'Accounts, hardware, handover notes and the final payroll run, in an order that avoids lock-outs.',
  },
  versions: [
    merged(365, 'tomas', 'jonas', linked(v1)),
    merged(260, 'tomas', 'ellen', linked(v2), 'Yes, especially after the shared bank login.'),
    merged(117, 'sam', 'jonas', linked(v3, forked)),
    merged(31, 'tomas', 'jonas', linked(v4, forked), 'Sorry again about the laptop.'),
  ],
};
