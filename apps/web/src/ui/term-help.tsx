import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './button.tsx';
import { Popover } from './popover.tsx';
import styles from './term-help.module.css';

const TERMS = {
  draft: {
    question: 'What is a draft?',
    answer:
      'A proposed next version. Nothing changes for anyone until it is approved and merged. Then it becomes the live version.',
  },
  live: {
    question: 'What does live mean?',
    answer:
      'New runs use the live version. Its content never changes. To change the workflow, create a draft; it replaces the live version when it is merged.',
  },
  sla: {
    question: 'What is an SLA?',
    answer:
      'How long a step may take once it starts. At 80 % of this time it is at risk, and at 100 % it is breached. A run has a target too, and is late if one of its steps is. Pauses don’t count, nor does time outside working hours if your organization has set them.',
  },
  contributor: {
    question: 'Who is a contributor?',
    answer: 'Everyone who has edited this draft. Contributors can’t approve it if someone else can review it.',
  },
} as const;

/** A question mark next to an unfamiliar term. It opens a short explanation. */
export function TermHelp({ term }: { term: keyof typeof TERMS }) {
  const [open, setOpen] = useState(false);
  const { question, answer } = TERMS[term];
  return (
    <Popover
      open={open}
      onClose={() => setOpen(false)}
      label={question}
      trapFocus
      target={
        <IconButton
          className={styles.termHelp}
          label={question}
          icon={CircleHelp}
          size="sm"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
      }
    >
      <p className={styles.termAnswer} tabIndex={-1} data-autofocus>
        {answer}
      </p>
    </Popover>
  );
}
