import { Navigate, Outlet, createBrowserRouter, useParams } from 'react-router';
import type { RouteObject } from 'react-router';
import { paths } from '../lib/paths.ts';
import { fontsReady } from '../ui/theme/fonts-ready.ts';
import { Home } from './home.tsx';
import { ScreenError } from './screen-error.tsx';

// Each screen is a separate chunk, so signed-out pages never load the signed-in shell.

function FormerEscalation() {
  const { key = '' } = useParams();
  return <Navigate to={paths.workflowSettings(key)} replace />;
}

/**
 * All screens by address (specification, section 2). To add a screen, add it here, and in `navigation.ts` if the bars
 * or the settings link to it.
 */
export const routes: RouteObject[] = [
  {
    element: <Outlet />,
    errorElement: (
      <main>
        <ScreenError />
      </main>
    ),
    hydrateFallbackElement: <></>,
    children: [
      {
        path: paths.home,
        lazy: async () => {
          const [{ LandingScreen }] = await Promise.all([
            import('../screens/landing/landing-screen.tsx'),
            fontsReady(),
          ]);
          return { Component: LandingScreen };
        },
      },
      {
        path: paths.priorityApply(),
        lazy: async () => {
          const [{ PriorityApplyScreen }] = await Promise.all([
            import('../screens/priority-apply/priority-apply-screen.tsx'),
            fontsReady(),
          ]);
          return { Component: PriorityApplyScreen };
        },
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
        path: paths.resetPassword,
        lazy: async () => ({
          Component: (await import('../screens/reset-password/reset-password-screen.tsx')).ResetPasswordScreen,
        }),
      },
      {
        path: '/invite/:token',
        lazy: async () => ({ Component: (await import('../screens/invite/invite-screen.tsx')).InviteScreen }),
      },
      {
        path: paths.app,
        lazy: async () => ({ Component: (await import('./signed-in-app.tsx')).SignedInApp }),
        children: [
          {
            errorElement: <ScreenError />,
            children: [
              { index: true, element: <Home /> },
              {
                path: 'editor',
                lazy: async () => ({ Component: (await import('../screens/editor/editor-screen.tsx')).EditorScreen }),
              },
              {
                path: 'review',
                lazy: async () => ({ Component: (await import('../screens/review/review-screen.tsx')).ReviewScreen }),
              },
              {
                path: 'rebase',
                lazy: async () => ({ Component: (await import('../screens/rebase/rebase-screen.tsx')).RebaseScreen }),
              },
              {
                path: 'compare',
                lazy: async () => ({
                  Component: (await import('../screens/compare/compare-screen.tsx')).CompareScreen,
                }),
              },
              {
                path: 'workflows/run/:workflowKey',
                lazy: async () => ({
                  Component: (await import('../screens/run-execution/start-execution-screen.tsx')).StartExecutionScreen,
                }),
              },
              {
                path: 'workflows/run/:workflowKey/:runId',
                lazy: async () => ({
                  Component: (await import('../screens/run-execution/run-execution-screen.tsx')).RunExecutionScreen,
                }),
              },
              {
                path: 'workflows',
                lazy: async () => ({
                  Component: (await import('../screens/workflows/workflows-screen.tsx')).WorkflowsScreen,
                }),
              },
              {
                path: 'runs',
                lazy: async () => ({ Component: (await import('../screens/runs/runs-screen.tsx')).RunsScreen }),
              },
              {
                path: 'runs/insights',
                lazy: async () => ({
                  Component: (await import('../screens/insights/insights-screen.tsx')).InsightsScreen,
                }),
              },
              {
                path: 'runs/:runId',
                lazy: async () => ({
                  Component: (await import('../screens/run-detail/run-detail-screen.tsx')).RunDetailScreen,
                }),
              },
              {
                path: 'docs',
                lazy: async () => ({
                  Component: (await import('../screens/documentation/documentation-screen.tsx')).DocumentationScreen,
                }),
              },
              {
                path: 'docs/:key',
                lazy: async () => ({
                  Component: (await import('../screens/document/document-screen.tsx')).DocumentScreen,
                }),
              },
              {
                path: 'docs/:key/versions',
                lazy: async () => ({
                  Component: (await import('../screens/workflow-versions/workflow-versions-screen.tsx'))
                    .WorkflowVersionsScreen,
                }),
              },
              {
                path: 'docs/:key/settings',
                lazy: async () => ({
                  Component: (await import('../screens/workflow-settings/workflow-settings-screen.tsx'))
                    .WorkflowSettingsScreen,
                }),
              },
              // Emails from earlier releases link to this address.
              { path: 'workflows/:key/escalation', element: <FormerEscalation /> },
              {
                path: 'tasks',
                lazy: async () => ({ Component: (await import('../screens/tasks/tasks-screen.tsx')).TasksScreen }),
              },
              {
                path: 'notifications',
                lazy: async () => ({
                  Component: (await import('../screens/notifications/notifications-screen.tsx')).NotificationsScreen,
                }),
              },
              {
                path: 'legacy-workflows',
                lazy: async () => ({
                  Component: (await import('../screens/legacy-workflows/legacy-workflows-screen.tsx'))
                    .LegacyWorkflowsScreen,
                }),
              },
              {
                path: 'audit',
                lazy: async () => ({ Component: (await import('../screens/audit/audit-screen.tsx')).AuditScreen }),
              },
              {
                path: 'integrations',
                lazy: async () => ({ Component: (await import('./settings-shell.tsx')).SettingsShell }),
                children: [
                  {
                    index: true,
                    lazy: async () => ({
                      Component: (await import('../screens/integrations/integrations-screen.tsx')).IntegrationsScreen,
                    }),
                  },
                ],
              },
              {
                path: 'settings',
                lazy: async () => ({ Component: (await import('./settings-shell.tsx')).SettingsShell }),
                children: [
                  { index: true, element: <Navigate to={paths.profile} replace /> },
                  {
                    path: 'profile',
                    lazy: async () => ({
                      Component: (await import('../screens/profile/profile-screen.tsx')).ProfileScreen,
                    }),
                  },
                  {
                    path: 'notifications',
                    lazy: async () => ({
                      Component: (await import('../screens/notification-settings/notification-settings-screen.tsx'))
                        .NotificationSettingsScreen,
                    }),
                  },
                  {
                    path: 'organization',
                    lazy: async () => ({
                      Component: (await import('../screens/organization-settings/organization-settings-screen.tsx'))
                        .OrganizationSettingsScreen,
                    }),
                  },
                  {
                    path: 'members',
                    lazy: async () => ({
                      Component: (await import('../screens/members/members-screen.tsx')).MembersScreen,
                    }),
                  },
                  {
                    path: 'away',
                    lazy: async () => ({
                      Component: (await import('../screens/away/away-screen.tsx')).AwayScreen,
                    }),
                  },
                  {
                    path: 'groups',
                    lazy: async () => ({
                      Component: (await import('../screens/groups/groups-screen.tsx')).GroupsScreen,
                    }),
                  },
                  {
                    path: 'confirmations',
                    lazy: async () => ({
                      Component: (await import('../screens/confirmations/confirmations-screen.tsx'))
                        .ConfirmationsScreen,
                    }),
                  },
                  {
                    path: 'tokens',
                    lazy: async () => ({
                      Component: (await import('../screens/api-tokens/api-tokens-screen.tsx')).ApiTokensScreen,
                    }),
                  },
                  {
                    path: 'webhooks',
                    lazy: async () => ({
                      Component: (await import('../screens/webhooks/webhooks-screen.tsx')).WebhooksScreen,
                    }),
                  },
                  {
                    path: 'installation',
                    lazy: async () => ({
                      Component: (await import('../screens/installation/installation-screen.tsx')).InstallationScreen,
                    }),
                  },
                  { path: '*', element: <Navigate to={paths.profile} replace /> },
                ],
              },
              { path: '*', element: <Navigate to={paths.app} replace /> },
            ],
          },
        ],
      },
      {
        path: '*',
        lazy: async () => ({ Component: (await import('../screens/not-found/not-found-screen.tsx')).NotFoundScreen }),
      },
    ],
  },
];

/** `import.meta.env.DEV` is `false` in production builds, so they contain neither the page nor what only it imports. */
const DEV_ROUTES: RouteObject[] = import.meta.env.DEV
  ? [
      {
        path: '/dev/components',
        lazy: async () => ({
          Component: (await import('../screens/dev-components/dev-components-screen.tsx')).DevComponentsScreen,
        }),
      },
    ]
  : [];

export const createRouter = () => createBrowserRouter([...DEV_ROUTES, ...routes]);
