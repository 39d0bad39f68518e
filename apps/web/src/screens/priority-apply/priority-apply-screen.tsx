import { ArrowLeft } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { useApplication } from '../../features/waitlist/api/use-application.ts';
import { QUESTIONS, isQuestion, questionNumber } from '../../features/waitlist/model/steps.ts';
import { ApplicationStep } from '../../features/waitlist/components/application-step.tsx';
import { paths } from '../../lib/paths.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import styles from './priority-apply-screen.module.css';

/** `/priority-apply`: the application for the priority list (specification, section 2). */
export function PriorityApplyScreen() {
  const navigate = useNavigate();
  const application = useApplication();
  const { step } = application;
  return (
    <div className={styles.priorityApply}>
      <PageTitle>Apply for Priority Access</PageTitle>
      <header className={styles.top}>
        <Link className="mark" to={paths.home} aria-label="Stet, home page">
          Stet
        </Link>
        <ButtonLink tone="quiet" icon={ArrowLeft} to={paths.home} title="Back to the start page">
          Back
        </ButtonLink>
      </header>
      <main>
        <div className={styles.progress}>{isQuestion(step) && <Progress number={questionNumber(step)} />}</div>
        <ApplicationStep key={step} application={application} onDone={() => void navigate(paths.home)} />
      </main>
      <footer className="xs">
        <span>{isQuestion(step) && 'Your answers are kept when you go back.'}</span>
        <span>Apply for Priority Access</span>
      </footer>
    </div>
  );
}

function Progress({ number }: { number: number }) {
  return (
    <div
      className={styles.meter}
      role="progressbar"
      aria-label={`Question ${number} of ${QUESTIONS.length}`}
      aria-valuemin={0}
      aria-valuemax={QUESTIONS.length}
      aria-valuenow={number}
    >
      <i style={{ width: `${(number / QUESTIONS.length) * 100}%` }} />
    </div>
  );
}
