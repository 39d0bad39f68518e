import { useNavigate } from 'react-router';
import { LandingPage } from './landing-page.tsx';

/** `/` for visitors who have already loaded the router, for example on a different page. */
export function LandingScreen() {
  const navigate = useNavigate();
  return <LandingPage go={(path) => void navigate(path)} />;
}
