import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { paths } from './lib/paths.ts';
import { fontsReady } from './ui/theme/fonts-ready.ts';
import './ui/theme/index.css';

const place = document.getElementById('root');
if (!place) throw new Error('index.html has no #root');
const isFrontPage = window.location.pathname === paths.home;
// The front page has no router, and so no error boundary: if it crashes, the router shows it, or the error.
const root = createRoot(place, isFrontPage ? { onUncaughtError: () => void showApp() } : {});

async function showApp(): Promise<void> {
  const { RouterProvider, createRouter } = await import('./app/app.ts');
  root.render(
    <StrictMode>
      <RouterProvider router={createRouter()} />
    </StrictMode>,
  );
}

// Most visitors start on the landing page and many leave from there, so it doesn't load the router.
async function showFrontPage(): Promise<void> {
  const [{ LandingPage }] = await Promise.all([import('./screens/landing/landing-page.tsx'), fontsReady()]);
  const go = (path: string) => {
    window.history.pushState(null, '', path);
    // If a chunk can't be loaded, a release may have replaced the files since this page was opened, so load the new
    // page.
    showApp().catch(() => window.location.assign(path));
  };
  root.render(
    <StrictMode>
      <LandingPage go={go} />
    </StrictMode>,
  );
}

void (isFrontPage ? showFrontPage().catch(showApp) : showApp());
