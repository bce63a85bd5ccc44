import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import './app.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.js';
import { listenForShortcuts } from './keyboard/shortcuts.js';
import { preloadPage } from './preload-page.js';
import { router } from './router.js';
import { applyTheme } from './theme.js';
import { Toasts } from './ui/toast.js';

applyTheme();
listenForShortcuts();
preloadPage();

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      {/* The policy of the page allows no style elements of scripts. */}
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Toasts />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
