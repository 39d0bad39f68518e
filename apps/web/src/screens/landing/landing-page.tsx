import { useState } from 'react';
import { useWaitlistCount } from '../../features/waitlist/api/use-waitlist-count.ts';
import { WaitlistBadge } from '../../features/waitlist/components/waitlist-badge.tsx';
import { WaitlistCard } from '../../features/waitlist/components/waitlist-card.tsx';
import { paths } from '../../lib/paths.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { Headline } from './headline.tsx';
import { LandingHeader } from './landing-header.tsx';
import type { Go } from './landing-header.tsx';
import { ReviewPicture, RunPicture, TablePicture } from './product-pictures.tsx';
import { ProofSheet } from './proof-sheet.tsx';
import styles from './landing-page.module.css';

/**
 * The product in a few sentences and pictures, with the waitlist (specification, section 2). The page doesn't load the
 * router, so that visitors don't wait for it. `go` navigates to another address in the app.
 */
export function LandingPage({ go }: { go: Go }) {
  const [joined, setJoined] = useState(0);
  const count = useWaitlistCount(joined);
  return (
    <div className={styles.landing}>
      <PageTitle>Stop Drawing. Start Documenting.</PageTitle>
      <LandingHeader go={go} />
      <main>
        <div className={styles.hero}>
          <div className={styles.words}>
            <WaitlistBadge count={count} />
            <Headline />
            <p className={styles.tagline}>Easily. Beautifully. Collaboratively.</p>
            <p className={styles.lede}>
              Write a workflow as a document. Change it through review. Run it against the clock. Every line has an
              author, every approval a name.
            </p>
            <WaitlistCard onJoined={() => setJoined(joined + 1)} onApply={(email) => go(paths.priorityApply(email))} />
          </div>
          <div className={styles.proof}>
            <ProofSheet />
            <p className={styles.stamp}>Become a genius.</p>
          </div>
        </div>
        <div className={styles.reasons}>
          <section>
            <TablePicture />
            <h2>Written down</h2>
            <p>Steps, people, times and tasks in one table that reads like a page.</p>
          </section>
          <section>
            <ReviewPicture />
            <h2>Read by others</h2>
            <p>Drafts go live only after someone else has read and approved them.</p>
          </section>
          <section>
            <RunPicture />
            <h2>On the record</h2>
            <p>Runs, clocks and decisions in one trail that an auditor can check.</p>
          </section>
        </div>
      </main>
    </div>
  );
}
