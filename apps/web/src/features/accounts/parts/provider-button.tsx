import { buttonClass } from '../../../ui/button-class.ts';
import { PROVIDER_START } from '../api/sign-in-provider.ts';
import { returnPath } from '../model/return-path.ts';
import './provider-button.css';

/** The other way in, where this installation has one: `label` is what it is called, `from` where one goes on afterwards. */
export function ProviderButton({ label, from }: { label: string | null; from: string }) {
  if (label === null) return null;
  return (
    <div className="provider">
      <p className="provider-or">or</p>
      {/* A page of another site: the router has no part in it. */}
      <a href={PROVIDER_START} className={buttonClass({ size: 'lg' })} onClick={() => returnPath.keep(from)}>
        <span>Continue with {label}</span>
      </a>
    </div>
  );
}
