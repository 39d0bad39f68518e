import { HOUR_MS } from '@stet/domain/sla';
import { CAST } from '../cast.ts';
import { type DemoWorkflow, approve, comment, merge, merged, requestChanges, save, submit } from '../draft-script.ts';
import { approval, automated, changed, insertedBelow, linked, manual, notification, removed } from '../steps.ts';

const request = manual('request', {
  title: 'Register the vendor request',
  assignee: CAST.priya.email,
  sla: '4 hours',
  task: 'Record legal name, country, contact and expected yearly spend. Attach the offer that started the request.',
});
const documents = manual('documents', {
  title: 'Collect tax documents',
  assignee: CAST.sam.email,
  sla: '2 days',
  task: 'Ask for the tax certificate and a bank confirmation no older than three months.',
});
const sanctions = automated('sanctions', {
  title: 'Check sanctions and ownership lists',
  assignee: 'system',
  sla: '5 mins',
  task: 'Compare legal name and owners with the EU, UN and OFAC lists. Stop if there is a hit.',
  config: { timeout: 300 },
});
const risk = manual('risk', {
  title: 'Assess risk tier',
  assignee: CAST.jonas.email,
  sla: '2 days',
  task: 'Score by spend. A vendor with 75 points or more is tier 1.',
});
const compliance = approval('compliance', {
  title: 'Compliance review',
  assignee: 'reviewer',
  sla: '2 days',
  task: 'Read the documents. Call the number in the register, not the one on the invoice.',
  config: { minimumApprovers: 1 },
});
const contract = approval('contract', {
  title: 'Sign the framework contract',
  assignee: CAST.mara.email,
  sla: '3 days',
  task: 'Two signatures. The second signer must not be the requester.',
  config: { minimumApprovers: 1 },
});
const paper = manual('paper', {
  title: 'Print and file the paper contract',
  assignee: CAST.sam.email,
  sla: '2 days',
  task: 'Print two copies and file one in the cabinet on floor 3.',
});
const erp = manual('erp', {
  title: 'Create the vendor in the ERP',
  assignee: CAST.sam.email,
  sla: '4 hours',
  task: 'Use the key from step 1 as the external number. Payment terms are in the contract.',
});
const notify = notification('tell', {
  title: 'Tell requester and finance',
  assignee: 'auto',
  sla: '5 mins',
  task: 'Send vendor number, tier and first review date to both.',
  config: {
    recipients: [CAST.priya.email, 'finance@haldenworks.example'],
    channels: ['email'],
    template: 'You can now order from {{run.name}}. Tier: {{output.risk}}',
  },
});

const v1 = [request, documents, risk, contract, erp];
const v2 = insertedBelow(v1, 'documents', sanctions);
const v3 = insertedBelow(v2, 'risk', compliance);
const v4 = insertedBelow(v3, 'contract', paper);
const v5 = [...v4, notify];
const v6 = changed(v5, 'risk', {
  description: 'Score by data access and spend. A vendor with 75 points or more is tier 1.',
  sla: '1 day',
});
const v7 = changed(v6, 'compliance', { config: { minimumApprovers: 2 } });
// From this version on, the score and the document review run in parallel.
const sideBySide = { sanctions: ['risk', 'compliance'], risk: ['contract'], compliance: ['contract'] };

const renamed = changed(removed(v7, 'paper'), 'documents', {
  title: 'Collect tax and bank documents',
  assignee: 'editor',
  description:
    'Ask for the tax certificate, a bank confirmation no older than three months, and the signed code of conduct.',
});
const stricter = changed(renamed, 'risk', {
  sla: '1 day 4 hours',
  description: 'Score by data access, spend and country. A vendor with 60 points or more is tier 1.',
});
const repeatable = changed(stricter, 'risk', {
  description:
    'Score by data access, spend and country, using the list in the risk handbook. A vendor with 60 points or more is tier 1; note the reason in one sentence.',
});
const agreement = manual('agreement', {
  title: 'Confirm data-processing agreement',
  assignee: 'reviewer',
  sla: '1 day',
  task: 'Needed for tier 1 only. File the countersigned agreement under the vendor key.',
  config: { assignedRole: 'reviewer' },
});
const withAgreement = { sanctions: ['risk', 'compliance'], risk: ['agreement'], compliance: ['agreement'] };

export const vendorOnboarding: DemoWorkflow = {
  key: 'vendor-onboarding',
  metadata: {
    title: 'Vendor onboarding',
    description:
      'From the first request to a vendor that we can order from and pay. Covers tax documents, sanctions lists, risk tier and contract.',
  },
  versions: [
    merged(412, 'priya', 'mara', linked(v1)),
    merged(355, 'priya', 'jonas', linked(v2), 'Good that the list check comes before the scoring.'),
    merged(298, 'sam', 'ellen', linked(v3)),
    merged(221, 'sam', 'jonas', linked(v4), 'Yes, until the auditor accepts scans.'),
    merged(173, 'priya', 'ellen', linked(v5)),
    merged(95, 'priya', 'jonas', linked(v6), 'One day is enough now that the score has two inputs.'),
    {
      ended: { daysAgo: 41 },
      acts: [
        save('priya', linked(v6, sideBySide)),
        submit('priya'),
        requestChanges('ellen', 'If both run at once, one reader of the documents is not enough. Please ask for two.'),
        save('priya', linked(v7, sideBySide)),
        submit('priya'),
        approve('ellen', 'Two readers, and a day saved. Thank you.'),
        merge('ellen'),
      ],
    },
  ],
  openDraft: {
    ended: { last: 3 * HOUR_MS },
    acts: [
      save('priya', linked(renamed, sideBySide)),
      save('sam', linked(stricter, sideBySide)),
      submit(
        'priya',
        'Asks for the signed code of conduct, and scores the country too: 60 points are tier 1. The paper copy ends, because the auditor accepts scans.',
      ),
      approve('ellen', 'The bank confirmation has been missing for years. Fine by me.'),
      comment('jonas', '60 catches most EU freelancers. Which country list counts?', 'risk'),
      requestChanges(
        'jonas',
        '60 catches most EU freelancers. Please say which country list counts, or the score can’t be repeated by someone else.',
      ),
      comment(
        'priya',
        'The one in the risk handbook. I’ll add that to the task, together with the agreement for tier 1.',
        'risk',
      ),
      save('priya', linked(insertedBelow(repeatable, 'compliance', agreement), withAgreement)),
      submit(
        'priya',
        'Asks for the signed code of conduct, scores the country by the risk handbook, and adds the agreement for tier 1. The paper copy ends, because the auditor accepts scans.',
      ),
    ],
  },
};
