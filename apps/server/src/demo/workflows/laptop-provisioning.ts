import { CAST } from '../cast.ts';
import { type DemoWorkflow, approve, comment, merge, save, submit } from '../draft-script.ts';
import { approval, automated, linked, manual } from '../steps.ts';

const steps = [
  manual('need', {
    title: 'Note who needs what',
    assignee: 'editor',
    sla: '4 hours',
    task: 'Name, start date, place, standard or developer model, keyboard layout.',
    config: { assignedRole: 'editor' },
  }),
  approval('agree', {
    title: 'Approve the purchase',
    assignee: CAST.tomas.email,
    sla: '1 day',
    task: 'First check whether there is a suitable device in stock.',
    config: { minimumApprovers: 1, onReject: 'need' },
  }),
  manual('order', {
    title: 'Order or take from stock',
    assignee: CAST.sam.email,
    sla: '3 days',
    task: 'Note the order number, or the asset tag of the device from stock.',
  }),
  automated('image', {
    title: 'Install the standard image',
    assignee: 'system',
    sla: '2 hours',
    task: 'Encryption on, updates on, administrator rights off.',
    config: { timeout: 3600 },
  }),
  manual('hand-over', {
    title: 'Hand over and sign',
    assignee: CAST.sam.email,
    sla: '1 day',
    task: 'Do the first sign-in together. The person signs for device, charger and bag.',
  }),
  manual('enter', {
    title: 'Enter in the device register',
    assignee: CAST.jonas.email,
    sla: '4 hours',
    task: 'Asset tag, serial number, person, date, end of warranty.',
  }),
];

export const laptopProvisioning: DemoWorkflow = {
  key: 'laptop-provisioning',
  metadata: { title: 'Laptop provisioning', description: 'Order, image, hand over and register one device.' },
  versions: [
    {
      ended: { daysAgo: 49 },
      acts: [
        save('sam', linked(steps)),
        submit('sam'),
        comment(
          'jonas',
          'The register also needs the end of the warranty. I see that the task already asks for it.',
          'enter',
        ),
        approve('mara', 'Good. We can add phones once this has run for a quarter.'),
        merge('mara'),
      ],
    },
  ],
};
