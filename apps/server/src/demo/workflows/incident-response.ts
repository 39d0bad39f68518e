import { MINUTE_MS } from '@stet/domain/sla';
import { CAST } from '../cast.ts';
import { type DemoWorkflow, approve, merge, merged, requestChanges, save, submit } from '../draft-script.ts';
import { approval, automated, changed, condition, insertedBelow, linked, manual, notification } from '../steps.ts';

const declare = manual('declare', {
  title: 'Declare the incident',
  assignee: 'editor',
  sla: '15 mins',
  task: 'Open the channel, name an incident lead, and write one sentence about what is broken. Do not look for the cause yet.',
  config: { assignedRole: 'editor' },
});
const impact = manual('impact', {
  title: 'Measure customer impact',
  assignee: 'editor',
  sla: '15 mins',
  task: 'Begin with yes or no: do customers notice? Then say how many, where, and since when.',
  config: { assignedRole: 'editor' },
});
const noticed = condition('noticed', {
  title: 'Do customers notice?',
  assignee: 'system',
  sla: '1m',
  task: 'Yes if the previous step’s output starts with “yes”.',
  config: { condition: 'starts with(lower case(impact.text), "yes")', trueNext: 'status', falseNext: 'mend' },
});
const status = manual('status', {
  title: 'Post to the status page',
  assignee: CAST.priya.email,
  sla: '20 mins',
  task: 'Say what customers see, not what we suspect. Promise the time of the next post and keep it.',
});
const mend = manual('mend', {
  title: 'Contain and repair',
  assignee: CAST.sam.email,
  sla: '4 hours',
  task: 'Prefer a rollback to the last known good state. Save the logs before you restart anything.',
});
const clear = approval('clear', {
  title: 'Confirm the all-clear',
  assignee: 'reviewer',
  sla: '1 hour',
  task: 'Look at the graphs yourself. Approve once error rate and latency have been normal for fifteen minutes.',
  config: { minimumApprovers: 1 },
});
const over = notification('over', {
  title: 'Announce that the incident is over',
  assignee: 'auto',
  sla: '5 mins',
  task: 'Close the channel with one last message.',
  config: {
    recipients: ['everyone@haldenworks.example'],
    channels: ['email'],
    template: '{{run.name}} is over. {{output.mend}}',
  },
});
const review = manual('review', {
  title: 'Write the review',
  assignee: 'editor',
  sla: '3 days',
  task: 'Timeline, cause, what helped and what didn’t. Don’t name people in the part about causes.',
  config: { assignedRole: 'editor' },
});
const accept = approval('accept', {
  title: 'Accept the review and its actions',
  assignee: CAST.mara.email,
  sla: '2 days',
  task: 'Every action has an owner and a date. Reject it if an action only says "be more careful".',
  config: { minimumApprovers: 1, onReject: 'review' },
});
const restart = automated('restart', {
  title: 'Restart affected services',
  assignee: 'system',
  sla: '5 mins',
  task: 'Restart every service that the alert names, one after another.',
  config: { timeout: 300 },
});

const v1 = [declare, status, mend, over, review];
const v2 = insertedBelow(v1, 'mend', clear);
const v3 = insertedBelow(v2, 'review', accept);
const v4 = insertedBelow(v3, 'declare', impact, noticed);
const v5 = changed(v4, 'status', {
  sla: '20 mins',
  description: `${status.description} Post again within 30 minutes.`,
});
const v6 = insertedBelow(v5, 'status', restart);
const byImpact = { noticed: ['status', 'mend'], status: ['mend'] };

export const incidentResponse: DemoWorkflow = {
  key: 'incident-response',
  metadata: {
    title: 'Incident response',
    description: 'Covers the first hour on call, who is notified when, and the review afterwards.',
  },
  versions: [
    merged(390, 'sam', 'mara', linked(v1)),
    merged(
      301,
      'sam',
      'ellen',
      linked(v2),
      'A second person confirming the all-clear would have saved us that night in March.',
    ),
    merged(240, 'priya', 'mara', linked(v3)),
    {
      ended: { daysAgo: 131 },
      acts: [
        save('sam', linked(insertedBelow(v3, 'declare', impact))),
        submit('sam'),
        requestChanges(
          'jonas',
          'We post about things that nobody outside can see. Could the impact decide whether we post?',
        ),
        save('sam', linked(v4, byImpact)),
        submit('sam'),
        approve('jonas'),
        merge('jonas'),
      ],
    },
    merged(58, 'priya', 'ellen', linked(v5, byImpact), 'Support also promises callers an update within half an hour.'),
    merged(
      0.05,
      'sam',
      'jonas',
      linked(v6, { noticed: ['status', 'mend'], status: ['restart'] }),
      'Worth a try for the known memory leak.',
    ),
  ],
  rollback: {
    by: 'mara',
    to: 5,
    agoMs: 31 * MINUTE_MS,
    reason: 'v6 restarts services before the logs are saved. Going back to v5 until the order is right.',
  },
};
