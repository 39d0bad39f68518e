// `start.tsx` loads this chunk on demand, because the landing page needs no router.
export { RouterProvider } from 'react-router/dom';
export { createRouter } from './router.tsx';
