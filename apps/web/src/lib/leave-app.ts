/** Navigates to a page outside the app, for example another service's consent page. */
export const leaveApp = {
  to: (url: string): void => window.location.assign(url),
};
