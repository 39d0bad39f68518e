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

// The landing page, where most visitors start and many stop, comes without the router, which loads on navigation.
async function showFrontPage(): Promise<void> {
  const [{ LandingPage }] = await Promise.all([import('./screens/landing/landing-page.tsx'), fontsReady()]);
  const go = (path: string) => {
    window.history.pushState(null, '', path);
    // A release may have replaced the files since this page was loaded.
    showApp().catch(() => window.location.assign(path));
  };
  root.render(
    <StrictMode>
      <LandingPage go={go} />
    </StrictMode>,
  );
}

void (isFrontPage ? showFrontPage().catch(showApp) : showApp());
