import { buttonClass } from '../../../ui/button-class.ts';
import { PROVIDER_START } from '../api/sign-in-provider.ts';
import { returnPath } from '../model/return-path.ts';
import styles from './provider-button.module.css';

/** Starts a sign-in at the identity provider. `label` is the provider's name, `from` the page to return to. */
export function ProviderButton({ label, from }: { label: string | null; from: string }) {
  if (label === null) return null;
  return (
    <div className={styles.provider}>
      <p className={styles.providerOr}>or</p>
      {/* This is a plain link because it leaves the app. */}
      <a href={PROVIDER_START} className={buttonClass({ size: 'lg' })} onClick={() => returnPath.save(from)}>
        <span>Continue with {label}</span>
      </a>
    </div>
  );
}
