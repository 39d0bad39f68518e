import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const routerBuild = (file: string) =>
  fileURLToPath(import.meta.resolve('react-router/package.json')).replace('package.json', file);

export default defineConfig(({ command }) => ({
  root: here,
  plugins: [react()],
  resolve: {
    // react-router's main entry is always its development build. Our builds use its production files, which omit
    // warnings and checks.
    alias:
      command === 'build'
        ? [
            { find: /^react-router\/dom$/, replacement: routerBuild('dist/production/dom-export.mjs') },
            { find: /^react-router$/, replacement: routerBuild('dist/production/index.mjs') },
          ]
        : [],
  },
  server: { proxy: { '/api': process.env['STET_API'] ?? 'http://127.0.0.1:3000' } },
  build: {
    outDir: 'dist',
    target: 'es2023',
    // For older targets, the minifier would rewrite light-dark(), and only the system's theme would work.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Code that many pages share. Most of it rarely changes between releases. The lazy routes split the screens.
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'router', test: /node_modules\/react-router\// },
            // Without this, each icon that two screens share would be a separate request.
            { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 2 },
            { name: 'query', test: /node_modules\/@tanstack\/(react-)?query/ },
            { name: 'api', test: /apps\/web\/src\/lib\/api\// },
            // Puts small modules that every signed-in screen needs into one request. Their dependencies are excluded,
            // because they include the whole domain through its index files, which the landing page would load too.
            {
              name: 'frame',
              includeDependenciesRecursively: false,
              test: /apps\/web\/src\/(lib\/(keys|events|format|session)\/|lib\/use-now|ui\/(moment|page-title|toast|focus-first-bad|use-focus-back)\.)|packages\/domain\/src\/workflows\/isolated\.ts/,
            },
          ],
        },
      },
    },
  },
}));
