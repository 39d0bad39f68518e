import type { Letter } from '../../kernel/mail.ts';
import { momentInWords } from '../../kernel/moment-in-words.ts';

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
  paragraphs: [`A step of “${run}” waits for you: “${step}”.`],
  facts: [
    ['Step', step],
    ['Run', run],
    ['Workflow', workflow],
    ['Due', due ? momentInWords(due) : 'No due time'],
  ],
  action: { label: 'Open the run', url: link },
  footnote: 'You get this mail because the step is assigned to you.',
});
