import { CAST } from '../cast.ts';
import { type DemoWorkflow, approve, merge, merged, requestChanges, save, submit } from '../draft-script.ts';
import { approval, automated, changed, insertedBelow, linked, manual, notification } from '../steps.ts';

const register = manual('register', {
  title: 'Register the request',
  assignee: CAST.priya.email,
  sla: '1 day',
  task: 'Date of receipt, what is asked for (access, correction, erasure), and how the person can be reached.',
});
const identity = manual('identity', {
  title: 'Check identity',
  assignee: CAST.jonas.email,
  sla: '3 days',
  task: 'Ask only for what is needed to be sure, and delete it afterwards. Never ask for a copy of a passport.',
});
const collect = automated('collect', {
  title: 'Collect from all systems',
  assignee: 'system',
  sla: '30 mins',
  task: 'Export everything the CRM, shop, helpdesk and mail contain for the names and addresses in the request.',
  config: { timeout: 900 },
});
const search = manual('search', {
  title: 'Search by hand',
  assignee: CAST.sam.email,
  sla: '3 days',
  task: 'Shared drives, meeting notes, paper. Note where you looked, even if you found nothing.',
});
const redact = manual('redact', {
  title: 'Redact information about other people',
  assignee: 'editor',
  sla: '4 days',
  task: 'Names and addresses of other people, and opinions that others gave in confidence. Keep a list of the passages.',
  config: { assignedRole: 'editor', requiresApproval: true },
});
const read = approval('read', {
  title: 'Read the redacted file',
  assignee: 'reviewer',
  sla: '3 days',
  task: 'Read it first as the person who will get it, then as a person who is named in it.',
  config: { minimumApprovers: 1, onReject: 'redact', separateFrom: true },
});
const answer = manual('answer', {
  title: 'Answer the person',
  assignee: CAST.priya.email,
  sla: '2 days',
  task: 'Use plain language and the channel they chose, and reply within thirty days of receipt. Name the authority they can turn to.',
});
const close = notification('close', {
  title: 'Notify the data protection officer',
  assignee: 'auto',
  sla: '5 mins',
  task: 'Date of receipt, date of the answer, what was asked for.',
  config: { recipients: ['dpo@haldenworks.example'], channels: ['email'], template: '{{run.name}} was answered.' },
});

const v1 = [register, identity, search, redact, answer];
const v2 = insertedBelow(v1, 'redact', read);
const v3 = [...insertedBelow(v2, 'identity', collect), close];
// The automated step and the person search at the same time.
const forked = { identity: ['collect', 'search'], collect: ['redact'], search: ['redact'] };

export const gdprDataRequest: DemoWorkflow = {
  key: 'gdpr-data-request',
  metadata: {
    title: 'GDPR data request',
    description: 'Thirty days from the letter to the answer, with identity check and redaction.',
  },
  versions: [
    merged(
      402,
      'priya',
      'ellen',
      linked(changed(v1, 'identity', { description: 'Ask for a copy of an identity card.' })),
    ),
    {
      ended: { daysAgo: 310 },
      acts: [
        save('priya', linked(changed(v2, 'read', { config: { minimumApprovers: 1, onReject: 'redact' } }))),
        submit('priya'),
        requestChanges('ellen', 'The person who redacts shouldn’t also review. Otherwise the step checks nothing.'),
        save('priya', linked(v2)),
        submit('priya'),
        approve('ellen'),
        merge('ellen'),
      ],
    },
    merged(150, 'sam', 'jonas', linked(v3), 'The exports took us a day each time.'),
    merged(37, 'sam', 'ellen', linked(v3, forked), 'The manual search no longer waits for the export.'),
  ],
};
