import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { classNames } from '../../../ui/class-names.ts';
import { PageTitle } from '../../../ui/page-title.tsx';
import { Toaster } from '../../../ui/toaster.tsx';
import './public-page.css';

type PublicPageProps = {
  title: string;
  /** What the page is called on itself; the title where absent. */
  heading?: ReactNode;
  /** The line under the title: the other way in. */
  lede?: ReactNode;
  narrow?: boolean;
  children: ReactNode;
};

/** The frame of log in, sign up and their like: the form at the left, a word about the name at the right. */
export function PublicPage({ title, heading, lede, narrow = false, children }: PublicPageProps) {
  return (
    <div className="public">
      <PageTitle>{title}</PageTitle>
      <main className="public-left">
        <Link className="mark" to={paths.home} aria-label="Stet, to the start">
          Stet
        </Link>
        <div className={classNames('in', narrow && 'narrow')}>
          <h1>{heading ?? title}</h1>
          {lede && <p className="lede">{lede}</p>}
          {children}
        </div>
      </main>
      <aside className="public-right" aria-label="About the name">
        <p className="public-quote">
          A process is only as good as the last person who <em>read it before</em> it went live.
        </p>
        <dl className="public-define">
          <dt>stet</dt>
          <dd>
            “Let it stand.” The mark an editor sets under words that stay. Here, it is what happens when a colleague
            approves your draft.
          </dd>
        </dl>
      </aside>
      <Toaster />
    </div>
  );
}
