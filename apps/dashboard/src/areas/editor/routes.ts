import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../routing/root.js';
import { strictSearch } from '../../routing/strict-search.js';
import { readEditorSearch } from './editor-search.js';

export const editorRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/workflows/$workflowId',
  validateSearch: strictSearch(readEditorSearch),
  component: lazyRouteComponent(() => import('./editor-page.js'), 'EditorPage'),
});

export const versionDiffRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/workflows/$workflowId/versions/$range',
  component: lazyRouteComponent(() => import('./versions/version-diff-page.js'), 'VersionDiffPage'),
});

export const editorRoutes = [editorRoute, versionDiffRoute];
