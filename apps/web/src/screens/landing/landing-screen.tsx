import { useNavigate } from 'react-router';
import { LandingPage } from './landing-page.tsx';

/** `/` for visitors who come from a different page in the app. */
export function LandingScreen() {
  const navigate = useNavigate();
  return <LandingPage go={(path) => void navigate(path)} />;
}
