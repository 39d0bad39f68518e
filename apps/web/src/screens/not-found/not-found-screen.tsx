import { useLocation } from 'react-router';
import { PublicPage } from '../../features/accounts/components/public-page.tsx';
import { paths } from '../../lib/paths.ts';
import { useToken } from '../../lib/session/use-token.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import styles from '../../features/accounts/components/public-page.module.css';

/** Any unknown address outside the app (specification, section 2, shared UI). */
export function NotFoundScreen() {
  const { pathname } = useLocation();
  const isSignedIn = useToken() !== null;
  return (
    <PublicPage
      title="404"
      heading="Unexpected Application Error"
      lede={<span className={styles.address}>{`404: No route matches URL "${pathname}"`}</span>}
    >
      <ButtonLink to={isSignedIn ? paths.app : paths.home} tone="primary" size="lg">
        Go to the start page
      </ButtonLink>
    </PublicPage>
  );
}
