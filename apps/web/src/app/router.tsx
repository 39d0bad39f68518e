import { Outlet, createBrowserRouter, redirect } from 'react-router';
import type { RouteObject } from 'react-router';
import { paths } from '../lib/paths.ts';
import { session } from '../lib/session/session.ts';
import { RouteError } from './route-error.tsx';

// Each screen is a chunk of its own; signed-out pages never load the signed-in shell, nor what it stands on.

/** Every screen that exists, by its address (specification, section 2). Add a screen here and in `navigation.ts`. */
export const routes: RouteObject[] = [
  {
    element: <Outlet />,
    errorElement: <RouteError />,
    hydrateFallbackElement: <></>,
    children: [
      {
        path: paths.home,
        lazy: async () => ({ Component: (await import('../screens/landing/landing-screen.tsx')).LandingScreen }),
      },
      {
        path: paths.priorityApply(),
        lazy: async () => ({
          Component: (await import('../screens/priority-apply/priority-apply-screen.tsx')).PriorityApplyScreen,
        }),
      },
      {
        path: paths.login,
        lazy: async () => ({ Component: (await import('../screens/login/login-screen.tsx')).LoginScreen }),
      },
      {
        path: paths.signup,
        lazy: async () => ({ Component: (await import('../screens/signup/signup-screen.tsx')).SignupScreen }),
      },
      {
        path: paths.app,
        lazy: async () => ({ Component: (await import('./signed-in-app.tsx')).SignedInApp }),
        children: [
          { index: true, element: null, loader: () => redirect(paths.editor()) },
          {
            path: 'editor',
            lazy: async () => ({ Component: (await import('../screens/editor/editor-screen.tsx')).EditorScreen }),
          },
          {
            path: 'runs',
            lazy: async () => ({ Component: (await import('../screens/runs/runs-screen.tsx')).RunsScreen }),
          },
          {
            path: 'runs/:runId',
            lazy: async () => ({
              Component: (await import('../screens/run-detail/run-detail-screen.tsx')).RunDetailScreen,
            }),
          },
          { path: '*', element: null, loader: () => redirect(paths.app) },
        ],
      },
    ],
  },
];

export const createRouter = () => createBrowserRouter(routes);
