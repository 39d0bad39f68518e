import { StrictMode } from 'react';
import type { ComponentType } from 'react';
import { type Root, createRoot } from 'react-dom/client';
import { paths } from './lib/paths.ts';
import { fontsReady } from './ui/theme/fonts-ready.ts';

type FrontPage = ComponentType<{ go: (path: string) => void }>;

const loadFrontPage = async (): Promise<FrontPage> => (await import('./screens/landing/landing-page.tsx')).LandingPage;

/** Shows the page at the current address. */
export function start(place: HTMLElement, load = loadFrontPage): Root {
  const isFrontPage = window.location.pathname === paths.home;
  // The landing page has no router and so no error boundary. If it crashes, the app replaces it and its router shows
  // the error.
  const root = createRoot(place, isFrontPage ? { onUncaughtError: () => void showApp(root) } : {});
  void (isFrontPage ? showFrontPage(root, load).catch(() => showApp(root)) : showApp(root));
  return root;
}

async function showApp(root: Root): Promise<void> {
  const { RouterProvider, createRouter } = await import('./app/app.ts');
  root.render(
    <StrictMode>
      <RouterProvider router={createRouter()} />
    </StrictMode>,
  );
}

async function showFrontPage(root: Root, load: () => Promise<FrontPage>): Promise<void> {
  const [LandingPage] = await Promise.all([load(), fontsReady()]);
  const go = (path: string) => {
    window.history.pushState(null, '', path);
    // If a chunk can't be loaded, a release may have replaced the files since this page was opened, so load the new
    // page.
    showApp(root).catch(() => window.location.assign(path));
  };
  root.render(
    <StrictMode>
      <LandingPage go={go} />
    </StrictMode>,
  );
}
