import { useNavigate } from 'react-router';
import { LandingPage } from './landing-page.tsx';

/** `/` for visitors who come from another page of the app. */
export function LandingScreen() {
  const navigate = useNavigate();
  return <LandingPage go={(path) => void navigate(path)} />;
}
