/** Scrolls instantly for people who prefer reduced motion. */
export const scrolling = (): ScrollBehavior =>
  window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
