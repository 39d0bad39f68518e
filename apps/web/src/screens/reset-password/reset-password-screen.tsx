import { useSearchParams } from 'react-router';
import { NewPasswordHalf } from './new-password-half.tsx';
import { RequestHalf } from './request-half.tsx';

/**
 * `/reset-password`: without a token, requests the mail; with the mailed token, sets the new password (rulings, section
 * 2).
 */
export function ResetPasswordScreen() {
  const token = useSearchParams()[0].get('token');
  return token ? <NewPasswordHalf token={token} /> : <RequestHalf />;
}
