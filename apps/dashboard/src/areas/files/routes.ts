import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../routing/root.js';
import { readFilesSearch } from './search.js';

export const filesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/files',
  validateSearch: readFilesSearch,
  component: lazyRouteComponent(() => import('./files-page.js'), 'FilesPage'),
});
