import { buttonClass } from '../../../ui/button-class.ts';
import { PROVIDER_START } from '../api/sign-in-provider.ts';
import { returnPath } from '../model/return-path.ts';
import styles from './provider-button.module.css';

type ProviderButtonProps = { label: string | null; from: string; alone?: boolean };

/**
 * Starts a sign-in at the identity provider. `label` is the provider's name, or null for no button. `from` is the page
 * to return to, and `alone` is true if the page offers no other way to sign in.
 */
export function ProviderButton({ label, from, alone = false }: ProviderButtonProps) {
  if (label === null) return null;
  return (
    <div className={styles.provider}>
      {!alone && <p className={styles.providerOr}>or</p>}
      {/* A plain link, because the provider's page is outside the app. */}
      <a
        href={PROVIDER_START}
        className={buttonClass({ size: 'lg', ...(alone && { tone: 'primary' }) })}
        onClick={() => returnPath.save(from)}
      >
        <span>Continue with {label}</span>
      </a>
    </div>
  );
}
