// The chunk that `main.tsx` loads if an address needs the router: every address except the landing page.
export { RouterProvider } from 'react-router/dom';
export { createRouter } from './router.tsx';
