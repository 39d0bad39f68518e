import { useSearchParams } from 'react-router';
import { NewPasswordHalf } from './new-password-half.tsx';
import { RequestHalf } from './request-half.tsx';

/** `/reset-password`: without a token the mail is asked for, with the mailed one the new password is set (rulings, section 2). */
export function ResetPasswordScreen() {
  const token = useSearchParams()[0].get('token');
  return token ? <NewPasswordHalf token={token} /> : <RequestHalf />;
}
