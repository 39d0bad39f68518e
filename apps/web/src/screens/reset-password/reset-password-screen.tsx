import { useSearchParams } from 'react-router';
import { NewPasswordHalf } from './new-password-half.tsx';
import { RequestHalf } from './request-half.tsx';

/**
 * `/reset-password`. Without a token, it requests the mail. With the mailed token, it sets the new password (rulings,
 * section 2).
 */
export function ResetPasswordScreen() {
  const token = useSearchParams()[0].get('token');
  return token ? <NewPasswordHalf token={token} /> : <RequestHalf />;
}
