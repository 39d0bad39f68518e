// `main.tsx` loads this chunk for every address except the landing page, which needs no router.
export { RouterProvider } from 'react-router/dom';
export { createRouter } from './router.tsx';
