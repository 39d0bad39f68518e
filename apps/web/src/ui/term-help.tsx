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
      'The time allowed for a step, from when it becomes active. A run’s target is the total of its steps; if they branch, of the longest path. When 80 % of the time is used, a step or run is at risk, and when the time is over, it is breached. Pauses don’t count, nor does time outside working hours if your organization has set them.',
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
