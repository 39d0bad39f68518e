/** How the page is scrolled to a place: at once for who asked the system for less motion. */
export const scrolling = (): ScrollBehavior =>
  window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
