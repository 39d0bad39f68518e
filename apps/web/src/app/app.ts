// What `main.tsx` fetches when an address needs the router: every one but the front page.
export { RouterProvider } from 'react-router/dom';
export { createRouter } from './router.tsx';
