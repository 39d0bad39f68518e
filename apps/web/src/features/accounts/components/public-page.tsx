import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { PageTitle } from '../../../ui/page-title.tsx';
import { Toaster } from '../../../ui/toaster.tsx';
import styles from './public-page.module.css';

type PublicPageProps = {
  title: string;
  /** The heading. By default, it is the title. */
  heading?: ReactNode;
  /** The line below the heading, for example a link to the sign-up page. */
  lede?: ReactNode;
  children: ReactNode;
};

/**
 * The frame of the login, sign-up and similar pages. In a wide window, a note about the product's name is on the right.
 */
export function PublicPage({ title, heading, lede, children }: PublicPageProps) {
  const { pathname } = useLocation();
  return (
    <div className={styles.public}>
      <PageTitle>{title}</PageTitle>
      <main className={styles.publicLeft}>
        <Link className="mark" to={paths.home} aria-label="Stet, home page">
          Stet
        </Link>
        <div className={styles.in}>
          <h1>{heading ?? title}</h1>
          {lede && <p className={styles.lede}>{lede}</p>}
          {children}
        </div>
      </main>
      <aside className={styles.publicRight} aria-label="About the name">
        <p className={styles.publicQuote}>
          A process is only as good as the last person who <em>read it before</em> it went live.
        </p>
        <dl className={styles.publicDefine}>
          <dt>stet</dt>
          <dd>
            “Let it stand.” Editors put this mark under words that should stay. Here, it means that a colleague approved
            your draft.
          </dd>
        </dl>
      </aside>
      <Toaster screen={pathname} />
    </div>
  );
}
