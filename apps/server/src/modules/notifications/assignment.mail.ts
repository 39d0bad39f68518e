import type { Letter } from '../../kernel/mail.ts';

type Assignment = {
  name: string;
  email: string;
  step: string;
  run: string;
  workflow: string;
  due: Date | null;
  link: string;
};

/** The mail that tells someone of a step that waits for them. */
export const assignmentLetter = ({ name, email, step, run, workflow, due, link }: Assignment): Letter => ({
  to: { name, address: email },
  subject: `${step}: ${run}`,
  greeting: `Hello ${name},`,
  paragraphs: [`a step of “${run}” waits for you: “${step}”.`],
  facts: [
    ['Step', step],
    ['Run', run],
    ['Workflow', workflow],
    ['Due', due ? `${due.toISOString().slice(0, 16).replace('T', ' ')} UTC` : 'No due time'],
  ],
  action: { label: 'Open the run', url: link },
  footnote: 'You get this mail because the step is assigned to you.',
});
