import { isOrganizationSlug } from '@stet/domain/access';
import type { Handlers } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { listSessions, slugIsTaken } from './accounts.sql.ts';
import { changePassword } from './change-password.ts';
import { changeProfile } from './change-profile.ts';
import { endOneSession } from './end-session.ts';
import { createOrganization } from './create-organization.ts';
import { logIn } from './log-in.ts';
import { mailAddressCode, proveAddress } from './prove-address.ts';
import { logOut } from './log-out.ts';
import { finishProviderSignIn } from './provider/provider-callback.ts';
import { connectProvider } from './provider/connect-provider.ts';
import { describeProvider, redirectToProvider } from './provider/redirect-to-provider.ts';
import { signInByProvider } from './provider/sign-in-by-provider.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { resetPassword } from './reset-password.ts';
import { signUp } from './sign-up.ts';
import { switchOrganization } from './switch-organization.ts';
import { describeUser } from './describe-user.ts';
import { presentSession } from './user.presenter.ts';

export const accountHandlers = {
  'POST /api/auth/signup': signUp,
  'POST /api/auth/login': logIn,
  'POST /api/auth/prove-address/code': mailAddressCode,
  'POST /api/auth/prove-address': proveAddress,
  'POST /api/auth/logout': logOut,
  'GET /api/auth/me': async (deps, { actor }) => answer(await describeUser(deps, actor)),
  'POST /api/users/switch-organization': switchOrganization,
} satisfies Partial<Handlers>;

export const providerHandlers = {
  'GET /api/auth/oidc': describeProvider,
  'GET /api/auth/oidc/start': redirectToProvider,
  'GET /api/auth/oidc/callback': finishProviderSignIn,
  'POST /api/auth/oidc/session': signInByProvider,
  'POST /api/auth/oidc/connect': connectProvider,
} satisfies Partial<Handlers>;

export const profileHandlers = {
  'POST /api/auth/reset-request': requestPasswordReset,
  'POST /api/auth/reset': resetPassword,
  'GET /api/auth/slug': async ({ db }, { query: { slug } }) => {
    if (!isOrganizationSlug(slug)) return answer({ available: false });
    const [found] = await db.query(slugIsTaken, { slug });
    return answer({ available: found?.taken === false });
  },
  'PATCH /api/users/me': changeProfile,
  'POST /api/users/me/password': changePassword,
  'GET /api/users/me/sessions': async ({ db }, { actor }) => {
    const sessions = await db.query(listSessions, { userId: actor.userId });
    return answer(sessions.map((session) => presentSession(session, actor.sessionId)));
  },
  'DELETE /api/users/me/sessions/{id}': endOneSession,
  'POST /api/organizations': createOrganization,
} satisfies Partial<Handlers>;
