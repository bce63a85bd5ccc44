import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type ProxyOptions } from 'vite';
import { compressAssets } from './build/compress-assets.js';
import { preloadFont } from './build/preload-font.js';

/** The gateway that the development server passes API requests to. `npm run dev` sets it. */
const GATEWAY = process.env['MILLRACE_URL'] ?? 'http://127.0.0.1:8080';

/**
 * Passes requests to the gateway as if its own page had sent them. The gateway refuses a Host that is not its own, and a
 * change by a session cookie whose Origin is not its own. The proxy therefore sets the gateway's Host, and replaces the Origin
 * only if it is that of this server. The Origin of any other page stays and the gateway refuses it, so a foreign page cannot
 * use the session of a developer through this server. Vite itself refuses a Host that is not a name of this machine.
 */
const toGateway: ProxyOptions = {
  target: GATEWAY,
  changeOrigin: true,
  configure: (proxy) => {
    proxy.on('proxyReq', (proxied, request) => {
      if (request.headers.origin === `http://${request.headers.host}`)
        proxied.setHeader('origin', new URL(GATEWAY).origin);
    });
  },
};

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadFont(), compressAssets()],
  build: {
    target: 'es2023',
    // The content security policy allows no data URLs for scripts and styles.
    assetsInlineLimit: 0,
    // Nobody debugs the built app from its own files; `npm run dev` serves the sources.
    sourcemap: false,
    reportCompressedSize: false,
    // Most licenses of what the app contains require it.
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      output: {
        // What every page needs and a release rarely changes.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(history|query-core|react-query|react-router|router-core))\//,
            },
            // Otherwise each shared file of 1 kB is a request of its own. Home needs none of those that the expression leaves out.
            {
              name: 'shared',
              test: /src\/(api|keyboard|routing|store|text|ui)\/(?!(?:number-field|pager)\.)[^/]+$/,
              minShareCount: 4,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': toGateway, '/health': toGateway },
  },
});
