import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressAssets } from './build/compress-assets.js';

/** The gateway that the development server passes API requests to. */
const GATEWAY = process.env['MILLRACE_URL'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react(), tailwindcss(), compressAssets()],
  build: {
    target: 'es2023',
    // The content security policy allows no data URLs for scripts and styles.
    assetsInlineLimit: 0,
    // Nobody debugs the built app from its own files; `npm run dev` serves the sources.
    sourcemap: false,
    reportCompressedSize: false,
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': GATEWAY, '/health': GATEWAY },
  },
});
