import type { Handlers } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { logIn } from './log-in.ts';
import { logOut } from './log-out.ts';
import { signUp } from './sign-up.ts';
import { switchOrganization } from './switch-organization.ts';
import { presentUser } from './user.presenter.ts';

export const accountHandlers = {
  'POST /api/auth/signup': signUp,
  'POST /api/auth/login': logIn,
  'POST /api/auth/logout': logOut,
  'GET /api/auth/me': async (_deps, { actor }) => answer(presentUser(actor)),
  'POST /api/users/switch-organization': switchOrganization,
} satisfies Partial<Handlers>;
