import { CAST } from '../cast.ts';
import { type DemoWorkflow, merged } from '../draft-script.ts';
import { approval, insertedBelow, linked, manual, notification } from '../steps.ts';

const gather = manual('gather', {
  title: 'Gather contract and spend',
  assignee: 'editor',
  sla: '1 day',
  task: 'The current contract, its notice date, the amount paid in the last twelve months, and open complaints.',
  config: { assignedRole: 'editor' },
});
const need = manual('need', {
  title: 'Ask the people who use it',
  assignee: CAST.sam.email,
  sla: '3 days',
  task: 'Do we still need it, this much of it, and from them? Ask at least two people who work with it.',
});
const market = manual('market', {
  title: 'Compare with the market',
  assignee: CAST.tomas.email,
  sla: '3 days',
  task: 'Two other offers for the same scope. Below 2,000 EUR a year, one is enough.',
});
const decide = approval('decide', {
  title: 'Decide: renew, renegotiate or end',
  assignee: 'reviewer',
  sla: '2 days',
  task: 'Approve the renewal, or reject it and say what to negotiate.',
  config: { minimumApprovers: 1, onReject: 'market' },
});
const sign = approval('sign', {
  title: 'Sign',
  assignee: CAST.mara.email,
  sla: '3 days',
  task: 'Do this at least five days before the notice date. After that, it is too late to say no.',
  config: { minimumApprovers: 1 },
});
const filing = manual('filing', {
  title: 'File and set the next notice date',
  assignee: CAST.priya.email,
  sla: '1 day',
  task: 'Set the reminder to sixty days before the notice date.',
});
const notify = notification('tell', {
  title: 'Tell finance',
  assignee: 'auto',
  sla: '5 mins',
  task: 'New term, price and payment dates.',
  config: { recipients: ['finance@haldenworks.example'], channels: ['email'], template: '{{run.name}}: renewed.' },
});

const v1 = [gather, market, decide, sign, filing];
const v2 = [...insertedBelow(v1, 'gather', need), notify];

export const contractRenewal: DemoWorkflow = {
  key: 'contract-renewal',
  metadata: {
    title: 'Contract renewal review',
    description: 'Sixty days before the notice date: do we still need it, at this price, from this vendor?',
  },
  versions: [
    merged(144, 'tomas', 'jonas', linked(v1)),
    merged(
      30,
      'sam',
      'jonas',
      linked(v2, { gather: ['need', 'market'], need: ['decide'] }),
      'We never asked the users before.',
    ),
  ],
};
