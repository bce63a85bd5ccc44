import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../routing/root.js';
import { strictSearch } from '../../routing/strict-search.js';
import { readFilesSearch } from './search.js';

export const filesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/files',
  validateSearch: strictSearch(readFilesSearch),
  component: lazyRouteComponent(() => import('./files-page.js'), 'FilesPage'),
});
