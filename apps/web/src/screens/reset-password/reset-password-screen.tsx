import { useSearchParams } from 'react-router';
import { NewPassword } from './new-password.tsx';
import { RequestReset } from './request-reset.tsx';

/**
 * `/reset-password`. Without a token, it requests the email with the reset link. With the token from that link, it sets
 * the new password.
 */
export function ResetPasswordScreen() {
  const token = useSearchParams()[0].get('token');
  return token ? <NewPassword token={token} /> : <RequestReset />;
}
