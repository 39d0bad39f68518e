/** Goes to a page that is not the app's own, such as where another service asks for consent. */
export const leaveApp = {
  to: (url: string): void => window.location.assign(url),
};
